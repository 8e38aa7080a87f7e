import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import type { EstimateGuesses } from "./ports.ts"

type Person = { readonly email: string; readonly name: string }

/**
 * NIST SP 800-63B, 3.1.1.2: length, and not what everybody guesses first; no rules about kinds of characters.
 * Answers the password in the one spelling that is hashed.
 */
export async function mustBeGood(
  { estimateGuesses }: { readonly estimateGuesses: EstimateGuesses },
  password: string,
  person: Person,
): Promise<string> {
  const spelled = password.normalize("NFC")
  const characters = [...spelled]
  if (characters.length < LIMITS.passwordCharactersLeast || characters.length > LIMITS.passwordCharactersMost)
    throw weak(
      `A password has ${LIMITS.passwordCharactersLeast} to ${LIMITS.passwordCharactersMost} characters.`,
    )
  if (isGuessedFirst(spelled.toLowerCase(), person)) throw tooEasy()
  const estimated = characters.slice(0, LIMITS.passwordCharactersEstimated).join("")
  if (
    (await estimateGuesses(person.email.toLowerCase(), estimated, wordsOf(person))) <
    LIMITS.passwordGuessesLog10
  )
    throw tooEasy()
  return spelled
}

const tooEasy = () =>
  weak("This password is too easy to guess. Take several words that do not belong together.")

/** What others know of the person, and the product. */
function wordsOf({ email, name }: Person): readonly string[] {
  const words = `${email} ${name}`.toLowerCase().split(/[\s@.+_-]+/)
  const whole = [email, name, name.replaceAll(/\s/g, "")].map((each) => each.toLowerCase())
  const known = [...new Set([...words, ...whole, "paraph"])].filter((word) => word.length > 2)
  return known.map((word) => word.slice(0, LIMITS.passwordCharactersEstimated)).slice(0, 40)
}

/** What is left when the person's own words and the usual ones are taken out has to be long enough to be guessed at. */
function isGuessedFirst(password: string, { email, name }: Person): boolean {
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
