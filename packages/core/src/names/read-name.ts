import { Refusal } from "../refusal.ts"
import { forbiddenCharacter, normalizedName } from "./characters.ts"
import { type NameOf, qualityWord } from "./quality-words.ts"

/** The name as it is stored: normalized, and refused where it is not one line of plain text or states a signature quality. */
export function readName(field: string, given: string, of: NameOf = "person"): string {
  const name = normalizedName(given)
  if (name === "") throw new Refusal("constraint-violated", `${field} is empty. Send a name.`)
  const found = forbiddenCharacter(name)
  if (found !== null)
    throw new Refusal(
      "name-invalid",
      `${field} contains a ${found.what} (${found.codePoint}). A name is one line of letters, digits, punctuation and spaces: remove the character.`,
    )
  mustNotStateQuality(field, name, of)
  return name
}

/** Null and absent stay as they are. */
export const readOptionalName = (field: string, given: string | null | undefined): string | null =>
  given == null ? null : readName(field, given)

/** For a whole name whose parts were read one by one: a phrase may be spread over both. */
export function mustNotStateQuality(field: string, name: string, of: NameOf = "person"): void {
  const word = qualityWord(name, of)
  if (word !== null)
    throw new Refusal(
      "name-invalid",
      `${field} contains “${word}”, which states the quality of a signature. Remove it; a name that is spelled like an acronym is written with one capital, such as “Ses”.`,
    )
}

/** Whether a name that was stored before may still be put into a certificate or a signature. */
export const isPlainName = (name: string): boolean =>
  forbiddenCharacter(name) === null && qualityWord(name, "person") === null
