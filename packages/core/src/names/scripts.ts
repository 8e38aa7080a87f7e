import { readAsLatin } from "./look-alikes.ts"

/** What a reader of a name is warned of. The name is not refused: some real names are written so. */
export type NameWarning = "mixed-scripts"

/** The scripts of living languages (Unicode Annex 31, tables 5 and 7), and those whose letters imitate Latin ones. */
const SCRIPTS = [
  ...["Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew", "Arabic", "Syriac", "Thaana"],
  ...["Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam"],
  ...["Sinhala", "Thai", "Lao", "Tibetan", "Myanmar", "Khmer", "Ethiopic", "Mongolian", "Tifinagh", "Nko"],
  ...["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"],
  ...["Cherokee", "Canadian_Aboriginal", "Coptic", "Lisu", "Vai"],
] as const

/** Unicode Technical Standard 39, 5.2, "highly restrictive": how Japanese, Chinese and Korean are written. */
const COMBINATIONS: readonly (readonly string[])[] = [
  ...SCRIPTS.map((script) => [script]),
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
]

/** By Script_Extensions, since some letters belong to several scripts, and some to all of them. */
const letterOf = (scripts: readonly string[]): string =>
  [...scripts, "Common", "Inherited"].map((script) => `\\p{scx=${script}}`).join("")

/** One class, not two alternatives: a digit would match both, and the time to refuse a word of digits would double with each. */
const WRITTEN_IN = COMBINATIONS.map((scripts) => new RegExp(`^[${letterOf(scripts)}\\P{L}]*$`, "u"))
const OF_NO_LISTED_SCRIPT = new RegExp(`^(?:(?![${letterOf(SCRIPTS)}])\\p{L}|\\P{L})*$`, "u")
const LATIN = /\p{scx=Latin}/u

/**
 * "mixed-scripts" where one word has letters of several scripts, or where a whole word of another script looks like a Latin one
 * beside Latin words: the usual ways to imitate somebody else's name.
 */
export function nameWarning(name: string): NameWarning | null {
  const words = name.split(/\s+/u)
  const isMixed = words.some((word) => !isOfOneScript(word))
  const isImitation = words.some(looksLatin) && words.some((word) => LATIN.test(word))
  return isMixed || isImitation ? "mixed-scripts" : null
}

const isOfOneScript = (word: string): boolean =>
  WRITTEN_IN.some((pattern) => pattern.test(word)) || OF_NO_LISTED_SCRIPT.test(word)

const looksLatin = (word: string): boolean =>
  !LATIN.test(word) && /\p{L}/u.test(word) && /^[A-Za-z\P{L}]+$/u.test(readAsLatin(word))
