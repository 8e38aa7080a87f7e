import { endInSameName, hasGivenNames, isSameName } from "../identification/names.ts"
import type { EstablishedName } from "../release/model.ts"
import type { CertifiedNames } from "./model.ts"

/**
 * Whether a certificate is of the person who was asked to sign, as far as anybody has said a name: else whoever holds a link and a
 * certificate of their own could sign in somebody's place. Certificates have more given names than people use.
 */
export function isOfPerson(certified: CertifiedNames, asked: EstablishedName | null): boolean {
  if (asked === null) return true
  const { givenName, surname, commonName } = certified
  if (asked.givenName !== null && asked.surname !== null && givenName !== null && surname !== null)
    return isSameName(surname, asked.surname) && hasGivenNames(givenName, asked.givenName)
  // Names in one piece: everything that was said is there, in its order; and "Ada" alone is not Ada Lovelace.
  const whole = givenName !== null && surname !== null ? `${givenName} ${surname}` : commonName
  return [whole, commonName].some(
    (known) => hasGivenNames(known, asked.name) && endInSameName(known, asked.name),
  )
}

/** The name that a qualified provider stands behind (EN 319 412-2, 4.2.4: given name and surname, or a pseudonym). */
export function certifiedName({ commonName, givenName, surname }: CertifiedNames): EstablishedName {
  const whole = givenName !== null && surname !== null ? `${givenName} ${surname}` : commonName
  return { name: whole, givenName, surname, by: "certificate" }
}
