// Whether a form field says to people what it says to programs (/V against its appearance). Form software formats numbers,
// so 1000 may be shown as 1,000.00; nothing else may differ but spaces.

export function saysTheSame(value: string, shown: string): boolean {
  const [said, seen] = [plain(value), plain(shown)]
  return said === seen || (said !== "" && seen !== "" && isSameNumber(said, seen))
}

/** NFKC: a ligature and its letters, a full-width digit and a digit are one to a reader. */
const plain = (text: string): string => text.normalize("NFKC").replace(/[\s\p{Cc}\p{Cf}]+/gu, "")

function isSameNumber(said: string, seen: string): boolean {
  const numbers = [said, seen].map(readings)
  return (numbers[0] ?? []).some((number) => numbers[1]?.includes(number))
}

/** What a text can mean as a number: a point or a comma ends its whole part, or only groups its digits. */
function readings(text: string): number[] {
  const bare = text.replace(/['’_]/g, "").replace(/^\p{Sc}|\p{Sc}$/gu, "")
  const forms = [
    /^[+-]?\d+$/,
    /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/,
    /^[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/,
  ]
  const points = [bare, bare.replaceAll(",", ""), bare.replaceAll(".", "").replace(",", ".")]
  return forms.flatMap((form, i) => (form.test(bare) ? [Number(points[i])] : []))
}
