/** A telephone number as the whole world writes it: a plus sign and up to 15 digits (ITU-T E.164, 6.2.1). */
export type TelephoneNumber = `+${string}`

/**
 * Reads a number as people write it: with spaces, hyphens, dots, brackets and a bracketed zero that is dialled at home only.
 * Null where it does not say its country. Which one it means is not guessed: a code would go to a stranger who has that very number
 * elsewhere.
 */
export function readNumber(stated: string): TelephoneNumber | null {
  const digits = stated
    .trim()
    .replace(/\(\s*0\s*\)/, "")
    .replaceAll(/[\s()./-]/g, "")
    .replace(/^00/, "+")
  return /^\+[1-9]\d{7,14}$/.test(digits) ? (digits as TelephoneNumber) : null
}

/** ITU-T E.164, list of assigned country codes: 1 and 7 have one digit, these have two, all others three. */
const TWO_DIGITS = new Set(
  "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98".split(
    " ",
  ),
)

export function countryCodeOf(number: TelephoneNumber): string {
  const digits = number.slice(1)
  if (/^[17]/.test(digits)) return digits.slice(0, 1)
  return digits.slice(0, TWO_DIGITS.has(digits.slice(0, 2)) ? 2 : 3)
}

/** The number as far as its owner knows it again, and nobody else learns it; how many digits are hidden is not told either. */
export function shortenedNumber(number: TelephoneNumber): string {
  const country = countryCodeOf(number)
  const rest = number.slice(1 + country.length)
  const begin = rest.length >= 8 ? `${rest.slice(0, 2)} ` : ""
  return `+${country} ${begin}••• •• ${rest.slice(-2)}`
}

/**
 * Whether a list of prefixes allows a number. The longest one that fits decides; one with an exclamation mark before it refuses:
 * `+44`, `!+4470` is the United Kingdom without its numbers that cost what their owner likes. What no prefix fits is refused.
 */
export function isAllowed(prefixes: readonly string[], number: TelephoneNumber): boolean {
  let decides = ""
  let allowed = false
  for (const each of prefixes) {
    const prefix = each.replace("!", "")
    if (!number.startsWith(prefix) || prefix.length < decides.length) continue
    // The same prefix both ways: what is refused stays refused.
    allowed = !each.startsWith("!") && (prefix.length > decides.length || allowed)
    decides = prefix
  }
  return allowed
}

export const isPrefix = (text: string): boolean => /^!?\+[1-9]\d{0,14}$/.test(text)
