/**
 * Which characters a name may hold. A name is one line of visible text: it ends up in visible signatures, certificates, emails
 * and reports, where a line break, a bidirectional control or an invisible character changes what the reader sees (ADR 0080).
 */

/** Real names have up to four in a row, such as pointed Hebrew or Tibetan stacks; more of them paint over other lines. */
const MARKS_IN_A_ROW = 4

/** Canonical combining class 9 in the scripts that write joiners. JavaScript has no property escape for the class. */
const VIRAMAS = "\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca"

/**
 * RFC 5892, appendix A.1 and A.2: joiners after a virama, and the non-joiner between two Arabic letters, as in Persian names.
 * Bengali also writes the joiner before the virama (র‍্যাচেল).
 */
const JOINER = [
  `(?<=\\p{L}\\p{M}*[${VIRAMAS}])[\\u200c\\u200d]`,
  `(?<=\\p{L})\\u200d(?=[${VIRAMAS}])`,
  "(?<=(?=\\p{L})\\p{Script=Arabic}\\p{M}*)\\u200c(?=(?=\\p{L})\\p{Script=Arabic})",
].join("|")

/** Symbols that belong to names of companies: © ® ™ ℠ °, and the enclosed ideographs such as ㈱. */
const SYMBOL = "(?![\\u00a9\\u00ae\\u2122\\u2120\\u00b0\\u3200-\\u33ff])[\\p{So}\\u{1f3fb}-\\u{1f3ff}]"

/** In the order in which they are reported: the most specific description first. */
const FORBIDDEN = [
  ["line break", "[\\n\\v\\f\\r\\u0085\\u2028\\u2029]"],
  ["control character", "\\p{Cc}"],
  ["bidirectional control", "\\p{Bidi_Control}"],
  ["tag character", "[\\u{e0000}-\\u{e007f}]"],
  ["variation selector", "\\p{Variation_Selector}"],
  ["invisible character", `(?!${JOINER})[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]`],
  ["private-use character", "\\p{Co}"],
  ["lone surrogate", "\\p{Cs}"],
  ["unassigned character", "\\p{Cn}"],
  ["symbol", SYMBOL],
  ["enclosing mark", "\\p{Me}"],
  ["combining mark without a letter", "(?<=^|\\p{Z})\\p{M}+"],
  [`sequence of more than ${MARKS_IN_A_ROW} combining marks`, `(?<=\\p{M}{${MARKS_IN_A_ROW}})\\p{M}`],
] as const

const PATTERNS = FORBIDDEN.map(([what, pattern]) => [what, new RegExp(pattern, "u")] as const)
const ANY = new RegExp(FORBIDDEN.map(([, pattern]) => `(?:${pattern})`).join("|"), "gu")

/** Such as { what: "line break", codePoint: "U+000A" }. */
export type ForbiddenCharacter = { readonly what: string; readonly codePoint: string }

/** The first kind of forbidden character that the text holds; null where it holds none. */
export function forbiddenCharacter(text: string): ForbiddenCharacter | null {
  for (const [what, pattern] of PATTERNS) {
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) return { what, codePoint: codePointOf(found) }
  }
  return null
}

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** Composes by NFC, trims, and writes every run of spaces as one space. Line breaks inside the text stay, to be refused. */
export const normalizedName = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/^[\p{Zs}\t\r\n]+|[\p{Zs}\t\r\n]+$/gu, "")
    .replace(/\p{Zs}+/gu, " ")

/**
 * A name that could not be refused, such as a claim of an identity provider or a row from before the rules, on one line and
 * without forbidden characters. It may be empty.
 */
export function displayName(name: string): string {
  let shown = name
  // Removing a character can join what it kept apart, so the result is cleaned until nothing changes. Each round but the first is shorter.
  for (;;) {
    const next = normalizedName(shown.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replace(ANY, ""))
    if (next === shown) return shown
    shown = next
  }
}
