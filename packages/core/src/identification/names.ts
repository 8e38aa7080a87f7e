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
    const said = words(stated, spell)
    return said.length > 0 && areAmong(said, words(known, spell))
  })

/** In their order. */
function areAmong(few: readonly string[], many: readonly string[]): boolean {
  let from = 0
  return few.every((word) => {
    const found = many.indexOf(word, from)
    from = found + 1
    return found >= 0
  })
}

/**
 * Whether two names, each in one piece, may be of one person: the same family name at the end, and no given name that the fuller
 * one does not have, in its order. A single word is a name only of whoever has no other.
 */
export const isSamePerson = (one: string, other: string): boolean =>
  SPELLINGS.some((spell) => {
    const [few = [], many = []] = [words(one, spell), words(other, spell)].toSorted(
      (a, b) => a.length - b.length,
    )
    if (few.length < 2) return few.length > 0 && few.join(" ") === many.join(" ")
    return few.at(-1) === many.at(-1) && areAmong(few, many)
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

/** Without its accents first: these letters may have one too, as in ǽ and ǿ. */
const plain: Spell = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/./gu, (letter) => LETTERS[letter] ?? letter)
const writtenOut: Spell = (text) => plain(text.replace(/./gu, (letter) => WRITTEN_OUT[letter] ?? letter))

const SPELLINGS: readonly Spell[] = [plain, writtenOut]

const words = (name: string, spell: Spell): readonly string[] =>
  spell(
    name
      .normalize("NFC")
      .toLowerCase()
      .replace(/['’ʼ`]/gu, ""),
  ).match(/[\p{L}\p{N}]+/gu) ?? []
