/**
 * Whether two spellings are one name: case, accents, hyphens, apostrophes and spaces do not count, and an umlaut may be written
 * out (ICAO Doc 9303-3, 6, which machine-readable documents follow).
 */
export const isSameName = (one: string, other: string): boolean =>
  SPELLINGS.some((spell) => {
    const said = words(one, spell).join(" ")
    return said !== "" && said === words(other, spell).join(" ")
  })

/** All the given names that were stated are among those that are known, in their order: documents have more of them. */
export const hasGivenNames = (known: string, stated: string): boolean =>
  SPELLINGS.some((spell) => {
    const all = words(known, spell)
    const said = words(stated, spell)
    let from = 0
    const areThere = said.every((word) => {
      const found = all.indexOf(word, from)
      from = found + 1
      return found >= 0
    })
    return said.length > 0 && areThere
  })

/** Whether both end in the same word: where a name is one text, its family name is there. */
export const endInSameName = (one: string, other: string): boolean =>
  SPELLINGS.some((spell) => {
    const last = words(one, spell).at(-1)
    return last !== undefined && last === words(other, spell).at(-1)
  })

type Spell = (text: string) => string

const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" }
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
}

const plain: Spell = (text) =>
  text
    .replace(/./gu, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
const writtenOut: Spell = (text) => plain(text.replace(/./gu, (letter) => WRITTEN_OUT[letter] ?? letter))

const SPELLINGS: readonly Spell[] = [plain, writtenOut]

const words = (name: string, spell: Spell): readonly string[] =>
  spell(
    name
      .normalize("NFC")
      .toLowerCase()
      .replace(/['’ʼ`]/gu, ""),
  ).match(/[\p{L}\p{N}]+/gu) ?? []
