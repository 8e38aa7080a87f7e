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
  const names = namesOf(certificate).map(prepare)
  const size = constraints.reduce(
    (sum, { permitted, excluded }) => sum + permitted.length + excluded.length,
    0,
  )
  if (names.length * size > MAX_COMPARISONS) throw new DerError("too many name constraints")
  for (const { permitted, excluded } of constraints) {
    const bases = { permitted: permitted.map(prepare), excluded: excluded.map(prepare) }
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
  | Exclude<GeneralName, { form: "directoryName" }>
  | { readonly form: "directoryName"; readonly parts: readonly string[] }

function prepare(name: GeneralName): Prepared {
  return name.form === "directoryName" ? { form: "directoryName", parts: relativeNames(name.name) } : name
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
  if (!("text" in name) || !("text" in base)) return unclear
  const tree = base.text.toLowerCase()
  switch (name.form) {
    case "dNSName":
      return isDomainWithin(withoutDot(name.text.toLowerCase()), tree)
    case "rfc822Name":
      return mailboxMatches(name.text, base.text, unclear)
    case "uniformResourceIdentifier": {
      const host = hostOf(name.text.toLowerCase())
      return host === undefined ? unclear : isHostWithin(host, tree)
    }
  }
}

// The dot of the root says nothing, and would hide a name from its constraint.
function withoutDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host
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

// The part before the @ is compared as it is (RFC 5280, 7.5); the host does not mind the case.
function mailboxMatches(mailbox: string, base: string, unclear: boolean): boolean {
  const at = mailbox.lastIndexOf("@")
  if (at < 1) return unclear
  const host = withoutDot(mailbox.slice(at + 1).toLowerCase())
  const baseAt = base.lastIndexOf("@")
  if (baseAt < 0) return base === "" || isHostWithin(host, base.toLowerCase())
  return mailbox.slice(0, at) === base.slice(0, baseAt) && host === base.slice(baseAt + 1).toLowerCase()
}

// A URI without a host, or with an address for one, cannot be told to be in a domain: RFC 5280 has it refused.
function hostOf(uri: string): string | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/.exec(uri)?.[1]
  const host = authority?.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "")
  if (host === undefined || host === "" || host.startsWith("[") || /^[\d.]+$/.test(host)) return undefined
  return withoutDot(host)
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
