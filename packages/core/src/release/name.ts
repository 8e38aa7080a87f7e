import type { CertificateSubject } from "../certificate/ports.ts"
import { LIMITS } from "../limits.ts"
import { displayName } from "../names/characters.ts"
import { isPlainName } from "../names/read-name.ts"
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
  const verified = displayName(identified ?? "")
  if (verified !== "") return { name: verified, givenName: null, surname: null, by: "identification" }
  const named = displayName(account?.name ?? "")
  if (named !== "") return { name: named, givenName: null, surname: null, by: "account" }
  const givenName = displayName(identity?.firstName ?? "") || null
  const surname = displayName(identity?.lastName ?? "") || null
  const stated = [givenName, surname].filter((part) => part !== null).join(" ")
  return stated === "" ? null : { name: stated, givenName, surname, by: "requester" }
}

export const canBeCertified = (name: string): boolean =>
  [...name].length <= LIMITS.commonNameCharacters && isPlainName(name)

/** EN 319 412-2, 4.2.4: the serial number tells people of one name apart, and is of this signature alone. */
export const subjectOf = (
  { name, givenName, surname }: EstablishedName,
  signatureId: string,
): CertificateSubject => ({
  // A turn may have been taken before names were checked.
  commonName: displayName(name),
  givenName: givenName && displayName(givenName),
  surname: surname && displayName(surname),
  organization: null,
  country: null,
  serialNumber: signatureId.replaceAll("-", "").toUpperCase(),
})
