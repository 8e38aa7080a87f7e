/**
 * Letters that look like Latin ones, and the Latin letters that they look like: the part of the confusables of Unicode Technical
 * Standard 39 in which the words of `quality-words.ts` could be written. Compatibility letters (full-width, mathematical, circled)
 * are not listed: NFKD decomposes them.
 */
const TABLE: readonly (readonly [looks: string, like: string])[] = [
  // Cyrillic
  ["АВЕЅІЈКМНОРСТУХԚԜԀѴӀҮ", "ABESIJKMHOPCTYXQWDVIY"],
  ["аеорсухѕіјһԛԝѵӏԁүг", "aeopcyxsijhqwvldyr"],
  // Greek
  ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC"],
  ["αεινορυκτϲϳ", "aeivopuktcj"],
  // Armenian
  ["ՏՍՕԼ", "SUOL"],
  ["օսոհզցյ", "ounhqgj"],
  // Cherokee
  ["ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎽᏃᎥ", "ABCDEGHJKLMPRSTVWYZi"],
  // Lisu
  ["ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"],
  // Coptic
  ["ⲀⲂⲤⲈⲎⲒⲔⲘⲚⲞⲢⲦⲨⲬⲌ", "ABCEHIKMNOPTYXZ"],
  // Latin letters that NFKD leaves alone: small capitals, strokes, hooks.
  ["ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"],
  ["ɑɡıɩɛƐɋɊʠɇɆđĐøØłŁƶƵŧŦƨƧ", "agiieEqQqeEdDoOlLzZtTsS"],
  // Digits and signs that stand for a letter.
  ["01345$€|", "OIEASSEI"],
]

const LIKE: ReadonlyMap<string, string> = new Map(
  TABLE.flatMap(([looks, like]) => {
    const letters = [...like]
    return [...looks].map((letter, i) => [letter, letters[i] ?? ""] as const)
  }),
)

/** Compatibility letters as plain ones, and without accents. */
export const withoutAccents = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "")

/** The Latin letters that a reader takes the text for, in its own case; what looks like no Latin letter stays. */
export const readAsLatin = (text: string): string =>
  Array.from(withoutAccents(text), (letter) => LIKE.get(letter) ?? letter).join("")
