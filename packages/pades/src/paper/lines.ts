import { type Letter, trimmed, widthOf, words } from "../appearance/text.ts"

/**
 * Broken between words; a word that is wider than a line is broken anywhere. Never without a line. The space where a line is
 * broken stays at its end, unseen: whoever copies the text or has it read aloud gets two words and not one.
 */
export function breakLines(letters: readonly Letter[], ems: number): readonly (readonly Letter[])[] {
  const rows: Letter[][] = [[]]
  let used = 0
  const begin = () => {
    rows.push([])
    used = 0
  }
  for (const word of words(letters)) {
    const needed = widthOf(trimmed(word))
    if (used > 0 && used + needed > ems) begin()
    for (const letter of word) {
      if (needed > ems && used > 0 && used + letter.advance > ems) begin()
      rows.at(-1)?.push(letter)
      used += letter.advance
    }
  }
  return rows
}
