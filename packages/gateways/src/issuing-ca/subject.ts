import { type DistinguishedName, NAME_BOUNDS } from "@paraph/pki/certificate-writer"
import { IssuingFailed } from "./failed.ts"

export type Subject = {
  readonly commonName: string
  readonly givenName: string | null
  readonly surname: string | null
  readonly organization: string | null
  readonly country: string | null
  readonly serialNumber: string | null
}

/**
 * The name of a holder: of a person by EN 319 412-2, 4.2.4, of a company by EN 319 412-3, 4.2.1. A company is who has an
 * organisation and no name of a person; its number is an organizationIdentifier there.
 */
export function subjectName(subject: Subject): DistinguishedName {
  const isCompany = subject.organization !== null && subject.givenName === null && subject.surname === null
  const number = subject.serialNumber === null ? undefined : printable(subject.serialNumber, "serialNumber")
  const organization = subject.organization === null ? undefined : whole(subject.organization, "organization")
  const common = {
    ...(subject.country !== null && { country: country(subject.country) }),
    ...(organization !== undefined && { organization }),
  }
  if (isCompany)
    return {
      ...common,
      ...(number !== undefined && { organizationIdentifier: number }),
      // The organisation says the whole of it, so the common name may be the shorter.
      commonName: shortened(clean(subject.commonName, "commonName")),
    }
  return { ...common, ...person(subject), ...(number !== undefined && { serialNumber: number }) }
}

/** The common name is how people call somebody; where it is cut, the whole name stands in the other two (choice 311). */
function person({ commonName, givenName, surname }: Subject): DistinguishedName {
  const named = clean(commonName, "commonName")
  const parts = {
    ...(givenName !== null && { givenName: clean(givenName, "givenName") }),
    ...(surname !== null && { surname: clean(surname, "surname") }),
  }
  const isWhole = parts.givenName !== undefined && parts.surname !== undefined
  return { ...parts, commonName: isWhole ? shortened(named) : whole(named, "commonName") }
}

/** At the end of a word, so that half a name never looks like a whole one. */
export function shortened(name: string, most: number = NAME_BOUNDS.commonName): string {
  const letters = [...name]
  if (letters.length <= most) return name
  const kept = letters.slice(0, most - 1).join("")
  const end = kept.lastIndexOf(" ")
  return `${end > 0 ? kept.slice(0, end).trimEnd() : kept}…`
}

function whole(text: string, part: string): string {
  const cleaned = clean(text, part)
  if ([...cleaned].length > NAME_BOUNDS.commonName)
    throw new IssuingFailed("subject", `The ${part} has more than ${NAME_BOUNDS.commonName} characters.`)
  return cleaned
}

// The last check before a name is certified. Names were read by core before, which knows where a joiner may stand; here everything
// is refused that a reader cannot see, but for joiners.
const UNREADABLE =
  /[\p{Cc}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}]|(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

function clean(text: string, part: string): string {
  const cleaned = text.normalize("NFC").replace(/\s+/gu, " ").trim()
  if (cleaned === "" || UNREADABLE.test(cleaned) || [...cleaned].length > NAME_BOUNDS.name)
    throw new IssuingFailed("subject", `The ${part} cannot stand in a certificate.`)
  return cleaned
}

function country(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) throw new IssuingFailed("subject", "The country is not two capital letters.")
  return code
}

function printable(text: string, part: string): string {
  if (!/^[A-Za-z0-9 '()+,\-./:=?]{1,64}$/.test(text))
    throw new IssuingFailed("subject", `The ${part} has characters that it cannot have.`)
  return text
}
