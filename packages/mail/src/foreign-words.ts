/**
 * The sender's words reach a mail only through here: they are somebody else's, and a mail of ours must not lend
 * them our voice, a line of their own in the header, or a link.
 */

/** One line, for a heading or a subject. */
export function oneLine(words: string): string {
  return withoutControls(words).replace(/\s+/gu, " ").trim()
}

/** The lines of a message, for a quotation. */
export function lines(words: string): readonly string[] {
  const parts = words.split(/\r\n|[\n\r\u0085\u2028\u2029]/u)
  return parts.map((part) => withoutControls(part).trimEnd())
}

/** Cuts between characters, never inside one. */
export function shortened(words: string, charactersMax: number): string {
  const characters = Array.from(words)
  if (characters.length <= charactersMax) return words
  return `${characters
    .slice(0, charactersMax - 1)
    .join("")
    .trimEnd()}…`
}

/**
 * Mail programs turn whatever looks like an address into a link. A zero-width non-joiner after the dot, the colon
 * or the at-sign keeps the look and ends the address; RFC 5892, appendix A.1 forbids it at that place in a host name, so
 * a program that links all the same leads nowhere.
 */
export function unlinked(words: string): string {
  return words.replace(/([.:@/\\\u3002\uFF0E\uFF61])(?=\S)/gu, "$1\u200C")
}

/** Control characters forge lines, bidirectional ones turn "gpj.exe" into "exe.jpg". Joiners stay: scripts and emoji need them. */
function withoutControls(words: string): string {
  return words
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, " ")
    .replace(/(?![\u200C\u200D])\p{Cf}/gu, "")
}
