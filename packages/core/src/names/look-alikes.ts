/**
 * Letters that look like Latin ones, and the Latin letters that they look like: the part of the confusables of Unicode Technical
 * Standard 39 in which the words of `quality-words.ts` could be written. Compatibility letters (full-width, mathematical, circled)
 * are not listed: NFKD decomposes them.
 */
const TABLE: readonly (readonly [looks: string, like: string])[] = [
  // Cyrillic
  ["АВЕЅІЈКМНОРСТУХԚԜԀѴӀҮ", "ABESIJKMHOPCTYXQWDVIY"],
  ["аеорсухѕіјһԛԝѵӏԁүг", "aeopcyxsijhqwvldyr"],
  ["ЭЄє", "EEe"],
  // Greek
  ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC"],
  ["αεινορυκτϲϳ", "aeivopuktcj"],
  // Armenian
  ["ՏՍՕԼ", "SUOL"],
  ["օսոհզցյ", "ounhqgj"],
  // Cherokee
  ["ᎪᏴᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎽᏃᎥ", "ABDEGHJKLMPRSTVWYZi"],
  // Like a C, and like a Q whose tail is short: no word of a quality has a C that could be taken for a Q.
  ["Ꮯ", "Q"],
  // Lisu
  ["ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"],
  // Coptic
  ["ⲀⲂⲤⲈⲎⲒⲔⲘⲚⲞⲢⲦⲨⲬⲌ", "ABCEHIKMNOPTYXZ"],
  // Latin letters that NFKD leaves alone: small capitals, strokes, hooks.
  ["ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"],
  ["ɑɡıɩɛƐɋɊʠɇɆđĐøØłŁƶƵŧŦƨƧƎꝖꝘ", "agiieEqQqeEdDoOlLzZtTsSEQQ"],
  // Digits and signs that stand for a letter.
  ["01345$€|", "OIEASSEI"],
]

const LIKE: ReadonlyMap<string, string> = new Map(
  TABLE.flatMap(([looks, like]) => {
    const letters = [...like]
    return [...looks].map((letter, i) => [letter, letters[i] ?? ""] as const)
  }),
)

/** An O with an ogonek looks like a Q, and without the ogonek like an O. */
const WITH_TAIL: ReadonlyMap<string, string> = new Map([
  ["Ǫ", "Q"],
  ["ǫ", "q"],
])

/** Compatibility letters as plain ones, and without accents. */
export const withoutAccents = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[Ǫǫ]/gu, (letter) => WITH_TAIL.get(letter) ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")

/** The Latin letters that a reader takes the text for, in its own case; what looks like no Latin letter stays. */
export const readAsLatin = (text: string): string =>
  Array.from(withoutAccents(text), (letter) => LIKE.get(letter) ?? letter).join("")
