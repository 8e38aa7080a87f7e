/** 3GPP TS 23.038, 6.2.1: the letters of a text message of which 160 fit into one; these count once … */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
/** … and these twice (6.2.1.1). */
const EXTENDED = "\f^{}\\[~]|€"

const SEPTETS: ReadonlyMap<string, number> = new Map([
  ...Array.from(BASIC, (letter) => [letter, 1] as const),
  ...Array.from(EXTENDED, (letter) => [letter, 2] as const),
])

/** How long a message is in septets; null where it holds a letter that is not among them, and would be sent at more than twice the cost. */
export function septetsOf(text: string): number | null {
  let count = 0
  for (const letter of text) {
    const septets = SEPTETS.get(letter)
    if (septets === undefined) return null
    count += septets
  }
  return count
}

/** One message alone holds 160 septets; of several, each gives seven to what binds them together (3GPP TS 23.040, 9.2.3.24.1). */
export const segmentsOf = (septets: number): number => (septets <= 160 ? 1 : Math.ceil(septets / 153))

/**
 * The words in these letters: an accent that is not among them is left out, and so is a letter that has no likeness there. Words of
 * another script come out empty.
 */
export function inGsmLetters(words: string): string {
  const likeness = words
    .replaceAll(/[‘’‚′]/gu, "'")
    .replaceAll(/[“”„«»]/gu, '"')
    .replaceAll(/[‐-―]/gu, "-")
  return Array.from(likeness.normalize("NFC"), letterFor).join("").replaceAll(/\s+/g, " ").trim()
}

function letterFor(letter: string): string {
  if (SEPTETS.has(letter)) return letter
  const alike = ALIKE[letter]
  if (alike !== undefined) return alike
  return Array.from(letter.normalize("NFKD").replaceAll(/\p{M}/gu, ""))
    .filter((each) => SEPTETS.has(each))
    .join("")
}

/** What Unicode does not take apart. */
const ALIKE: Readonly<Record<string, string>> = {
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  þ: "th",
  Þ: "Th",
  ı: "i",
  œ: "oe",
  Œ: "OE",
  ẞ: "SS",
  "\u00A0": " ",
  "\t": " ",
}
