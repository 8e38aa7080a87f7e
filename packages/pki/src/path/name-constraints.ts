// Name constraints (RFC 5280, 4.2.1.10 and 6.1.3 (b), (c)). Instead of intersecting subtrees, every set of constraints
// met on the way is kept, and a name must please each of them: the same answer with less to get wrong.

import type { Certificate } from "../certificate/certificate.ts"
import { type NameConstraints, readSubjectAltName } from "../certificate/extensions.ts"
import type { GeneralName } from "../certificate/general-name.ts"
import { attributesOf, isEmptyName, relativeNames } from "../certificate/name.ts"
import { DerError } from "../der/der.ts"

const EMAIL_ADDRESS = "1.2.840.113549.1.9.1"

/** For one certificate: more than an honest path needs. Certificates have been made that ask for billions. */
const MAX_COMPARISONS = 100_000

export type NameVerdict = "permitted" | "name-not-permitted" | "name-excluded"

/** Whether all names of a certificate please all the constraints. Throws a DerError if that would take too long. */
export function checkNames(certificate: Certificate, constraints: readonly NameConstraints[]): NameVerdict {
  if (constraints.length === 0) return "permitted"
  const names = namesOf(certificate).map((name) => prepare(name, "name"))
  const size = constraints.reduce(
    (sum, { permitted, excluded }) => sum + permitted.length + excluded.length,
    0,
  )
  if (names.length * size > MAX_COMPARISONS) throw new DerError("too many name constraints")
  const prepareBase = (base: GeneralName) => prepare(base, "constraint")
  for (const { permitted, excluded } of constraints) {
    const bases = { permitted: permitted.map(prepareBase), excluded: excluded.map(prepareBase) }
    for (const name of names) {
      const ofForm = ({ form }: Prepared) => form === name.form
      if (bases.excluded.filter(ofForm).some((base) => matches(name, base, true))) return "name-excluded"
      const trees = bases.permitted.filter(ofForm)
      if (trees.length > 0 && !trees.some((base) => matches(name, base, false))) return "name-not-permitted"
    }
  }
  return "permitted"
}

type Prepared =
  | { readonly form: "directoryName"; readonly parts: readonly string[] }
  | { readonly form: "iPAddress"; readonly octets: Uint8Array }
  /** Of a host that is none, undefined; of a mailbox also what stands before the @, which is compared as it is (7.5). */
  | { readonly form: "dNSName" | "uniformResourceIdentifier"; readonly host: string | undefined }
  | {
      readonly form: "rfc822Name"
      readonly host: string | undefined
      readonly localPart: string | undefined
    }
  | { readonly form: "registeredID" | "otherName" | "x400Address" | "ediPartyName" }

/** Once for each name and each constraint, since all are compared with each other. */
function prepare(name: GeneralName, as: "name" | "constraint"): Prepared {
  const readHost = as === "name" ? hostName : treeName
  switch (name.form) {
    case "directoryName":
      return { form: name.form, parts: relativeNames(name.name) }
    case "iPAddress":
      return name
    case "dNSName":
      return { form: name.form, host: readHost(name.text) }
    case "uniformResourceIdentifier":
      return { form: name.form, host: as === "name" ? hostOf(name.text) : treeName(name.text) }
    case "rfc822Name": {
      const at = name.text.lastIndexOf("@")
      const localPart = at < 0 ? undefined : name.text.slice(0, at)
      return { form: name.form, localPart, host: readHost(name.text.slice(at + 1)) }
    }
    default:
      return { form: name.form }
  }
}

// The subject, unless it is empty, the alternative names, and e-mail addresses in the subject, where they used to stand.
function namesOf({ subject, extensions }: Certificate): readonly GeneralName[] {
  const names: GeneralName[] = [...(readSubjectAltName(extensions) ?? [])]
  if (!isEmptyName(subject)) names.push({ form: "directoryName", name: subject })
  for (const text of attributesOf(subject, EMAIL_ADDRESS)) names.push({ form: "rfc822Name", text })
  return names
}

/** `unclear` is the answer for what cannot be decided: it must not slip through as not excluded, nor as permitted. */
function matches(name: Prepared, base: Prepared, unclear: boolean): boolean {
  if (name.form === "directoryName" && base.form === "directoryName")
    return base.parts.every((part, index) => part === name.parts[index])
  if (name.form === "iPAddress" && base.form === "iPAddress")
    return addressMatches(name.octets, base.octets, unclear)
  if (!("host" in name) || !("host" in base)) return unclear
  const { host } = name
  const { host: tree } = base
  if (host === undefined || tree === undefined) return unclear
  if (name.form === "dNSName") return isDomainWithin(host, tree)
  if (!("localPart" in name) || !("localPart" in base)) return isHostWithin(host, tree)
  if (name.localPart === undefined || name.localPart === "") return unclear
  if (base.localPart === undefined) return tree === "" || isHostWithin(host, tree)
  return name.localPart === base.localPart && host === tree
}

// RFC 1035, 2.3.4, with the dots.
const MAX_HOST_LENGTH = 255

// In lower case and without the dot of the root, which says nothing and would hide a name from its constraint. What then
// has an empty label is no name of a host.
function hostName(text: string): string | undefined {
  if (text.length > MAX_HOST_LENGTH) return undefined
  const host = text.toLowerCase().replace(/\.$/, "")
  return host === "" || host.split(".").includes("") ? undefined : host
}

/** The same of a constraint, which may begin with a dot, and may be empty. */
function treeName(text: string): string | undefined {
  if (text === "") return ""
  const host = hostName(text.replace(/^\./, ""))
  return host === undefined || !text.startsWith(".") ? host : `.${host}`
}

// "Any DNS name that can be constructed by simply adding zero or more labels to the left-hand side" of the constraint.
// A leading dot, which the standard does not know here, is in use for "one or more".
function isDomainWithin(domain: string, tree: string): boolean {
  if (tree === "" || domain === tree) return true
  return domain.endsWith(tree.startsWith(".") ? tree : `.${tree}`)
}

// For URIs and mail: a leading dot means every host below, anything else is one host.
function isHostWithin(host: string, tree: string): boolean {
  return tree.startsWith(".") ? host.endsWith(tree) : host === tree
}

// A URI without a host, or with an address for one, cannot be told to be in a domain: RFC 5280 has it refused.
function hostOf(uri: string): string | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1]
  const host = authority?.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "")
  if (host === undefined || host.startsWith("[") || /^[\d.]+$/.test(host)) return undefined
  return hostName(host)
}

// RFC 4632: an address and a mask behind each other. An address of the other length is of the other family.
function addressMatches(address: Uint8Array, base: Uint8Array, unclear: boolean): boolean {
  const size = base.length / 2
  if ((size !== 4 && size !== 16) || (address.length !== 4 && address.length !== 16)) return unclear
  if (address.length !== size) return false
  return address.every((octet, index) => {
    const mask = base[size + index] ?? 0
    return (octet & mask) === ((base[index] ?? 0) & mask)
  })
}
