import { LIMITS } from "../limits.ts"
import { displayName } from "../names/characters.ts"
import { readName } from "../names/read-name.ts"
import { Refusal } from "../refusal.ts"
import type { Kind } from "../signature-request/model.ts"
import type { SealHolder } from "./model.ts"

/** RFC 5280, Appendix A.1: an organisation's name has no more letters in a certificate. */
const ORGANIZATION_CHARACTERS = 64

/** EN 319 412-1, 5.1.4: which register, of which country, and the number there; or a register of one country's own. */
const IDENTIFIER = /^(?:(?:VAT|NTR|PSD|LEI)[A-Z]{2}|[A-Z]{2}:[A-Z]{2})-[A-Za-z0-9 '()+,\-./:=?]{1,56}$/

/** Said by the operator, who has seen the company's papers. */
export function readHolder({ organization, identifier, country }: SealHolder): SealHolder {
  const name = readName("organization", organization, "company")
  if ([...name].length > ORGANIZATION_CHARACTERS)
    throw new Refusal(
      "constraint-violated",
      `The organisation has 1 to ${ORGANIZATION_CHARACTERS} characters.`,
    )
  if (identifier !== null && !IDENTIFIER.test(identifier))
    throw new Refusal("constraint-violated", "The identifier is one such as NTRCH-CHE-123.456.789.")
  if (country !== null && !/^[A-Z]{2}$/.test(country))
    throw new Refusal("constraint-violated", "The country is two capital letters, such as CH.")
  return { organization: name, identifier, country }
}

export function readSealName(given: string): string {
  const name = readName("name", given, "company")
  if (name.length > LIMITS.sealNameCharacters)
    throw new Refusal("constraint-violated", `The name has 1 to ${LIMITS.sealNameCharacters} characters.`)
  return name
}

/** The demo seal that every business with the feature has: called what the business is called. */
export function demoHolder(businessName: string): SealHolder {
  const letters = [...displayName(businessName)]
  const organization =
    letters.length > ORGANIZATION_CHARACTERS
      ? `${displayName(letters.slice(0, ORGANIZATION_CHARACTERS - 1).join(""))}…`
      : letters.join("")
  return { organization: organization || "Demo", identifier: null, country: null }
}

/** What a signature panel shows as the signer: of a demo seal everybody sees that it is one (part 1). */
export function sealerName(kind: Kind, { organization }: SealHolder): string {
  const name = displayName(organization)
  return kind === "demo" ? `Demo: ${name}` : name
}
