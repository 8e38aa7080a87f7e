import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"

/**
 * NIST SP 800-63B, 3.1.1.2: length, and not what everybody guesses first; no rules about kinds of characters.
 * Answers the password in the one spelling that is hashed.
 */
export function mustBeGood(
  password: string,
  person: { readonly email: string; readonly name: string },
): string {
  const spelled = password.normalize("NFC")
  const length = [...spelled].length
  if (length < LIMITS.passwordCharactersLeast || length > LIMITS.passwordCharactersMost)
    throw weak(
      `A password has ${LIMITS.passwordCharactersLeast} to ${LIMITS.passwordCharactersMost} characters.`,
    )
  if (isGuessedFirst(spelled.toLowerCase(), person))
    throw weak("This password is one of those that are guessed first.")
  return spelled
}

/** What is left when the person's own words and the usual ones are taken out has to be long enough to be guessed at. */
function isGuessedFirst(password: string, { email, name }: { email: string; name: string }): boolean {
  const words = [
    email.toLowerCase(),
    ...email.toLowerCase().split(/[@.]/),
    ...name.toLowerCase().split(/\s+/),
    ...USUAL,
  ]
  const rest = words
    .filter((word) => word.length > 3)
    .reduce((left, word) => left.replaceAll(word, ""), password)
  return new Set(rest).size < 5
}

const USUAL = [
  "password",
  "passwort",
  "motdepasse",
  "parola",
  "paraph",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "qwerty",
  "qwertz",
  "azerty",
  "asdfghjkl",
  "abcdefghijkl",
  "abcdef",
  "1234567890",
  "0123456789",
  "123456789",
  "12345678",
  "123456",
  "1234",
  "letmein",
  "welcome",
  "iloveyou",
  "dragon",
  "monkey",
  "football",
  "sunshine",
  "princess",
  "superman",
  "trustno1",
  "admin",
]

const weak = (detail: string) => new Refusal("password-weak", detail)
