import type { CertificateSubject } from "../certificate/ports.ts"
import { LIMITS } from "../limits.ts"
import type { Signature } from "../signature-request/model.ts"
import type { EstablishedName } from "./model.ts"

/**
 * The name that will stand in the certificate (decisions, "identity behind AES"): the one that a provider of identification has
 * verified, that of the account which proved the address, or
 * else the one that the requester stated. Null where nobody has said one: a name that is typed while signing establishes nothing.
 */
export function establishedName(
  { identity }: Pick<Signature, "identity">,
  account: { readonly name: string } | null,
  identified: string | null = null,
): EstablishedName | null {
  if (identified !== null) return { name: identified, givenName: null, surname: null, by: "identification" }
  const named = account?.name.trim() ?? ""
  if (named !== "") return { name: named, givenName: null, surname: null, by: "account" }
  const givenName = identity?.firstName?.trim() || null
  const surname = identity?.lastName?.trim() || null
  const stated = [givenName, surname].filter((part) => part !== null).join(" ")
  return stated === "" ? null : { name: stated, givenName, surname, by: "requester" }
}

/** Controls, directions and what is not assigned say nothing to a reader, or something else than they seem to. */
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Cn}\p{Co}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

export const canBeCertified = (name: string): boolean =>
  [...name].length <= LIMITS.commonNameCharacters && !UNREADABLE.test(name)

/** EN 319 412-2, 4.2.4: the serial number tells people of one name apart, and is of this signature alone. */
export const subjectOf = (
  { name, givenName, surname }: EstablishedName,
  signatureId: string,
): CertificateSubject => ({
  commonName: name,
  givenName,
  surname,
  organization: null,
  country: null,
  serialNumber: signatureId.replaceAll("-", "").toUpperCase(),
})
