import { hasGivenNames, isSameName, isSamePerson } from "../identification/names.ts"
import { displayName } from "../names/characters.ts"
import type { EstablishedName, NameProof } from "../release/model.ts"
import type { CertifiedNames } from "./model.ts"

/**
 * Whether a certificate is of the person who was asked to sign, as far as anybody has said a name: else whoever holds a link and a
 * certificate of their own could sign in somebody's place. One of the two may have more given names than the other.
 */
export function isOfPerson(certified: CertifiedNames, asked: EstablishedName | null): boolean {
  if (asked === null) return true
  const { givenName, surname, commonName } = certified
  const inParts = givenName !== null && surname !== null
  if (inParts && asked.givenName !== null && asked.surname !== null)
    return (
      isSameName(surname, asked.surname) &&
      (hasGivenNames(givenName, asked.givenName) || hasGivenNames(asked.givenName, givenName))
    )
  const wholes = inParts ? [`${givenName} ${surname}`, commonName] : [commonName]
  return wholes.some((whole) => isSamePerson(whole, asked.name))
}

/** The name that a qualified provider stands behind (EN 319 412-2, 4.2.4: given name and surname, or a pseudonym). */
export function certifiedName(
  { commonName, givenName, surname }: CertifiedNames,
  proof: NameProof,
): EstablishedName {
  const whole = givenName !== null && surname !== null ? `${givenName} ${surname}` : commonName
  return { name: displayName(whole), givenName, surname, by: "certificate", proof }
}
