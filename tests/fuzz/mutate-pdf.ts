// Fits a changed PDF together again: the offsets of classic cross-reference sections, /Prev, startxref, the lengths of
// streams and byte ranges. Without it every insertion ends in "object is not where the section says", and nothing behind is
// ever tested. Each is left as it is now and then, for that is a case too.

import type { Random } from "./random.ts"

export function refitPdf(bytes: Uint8Array, random: Random): Uint8Array {
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
  if (random.chance(0.8)) text = refitLengths(text)
  text = refitSections(text)
  if (random.chance(0.8)) text = refitByteRanges(text)
  return new Uint8Array(Buffer.from(text, "latin1"))
}

// Dictionaries of streams do not nest in our seeds beyond what this pattern bears; others keep their length.
const STREAM = /(\/Length )\d+(?! \d+ R)([\s\S]{0,400}?stream\r?\n)([\s\S]*?)(\r?\n?endstream)/g

function refitLengths(text: string): string {
  return text.replace(STREAM, (_, key: string, between: string, data: string, end: string) =>
    between.includes("endobj") ? `${_}` : `${key}${data.length}${between}${data}${end}`,
  )
}

const PARTS = /(\d{1,10}) (\d{1,5}) obj\b|(?:^|[\r\n])xref\b[\s\S]*?startxref\s+\d+/g

/** Writes each section anew from the objects that stand before it; its trailer stays, but for /Prev. */
function refitSections(text: string): string {
  let out = ""
  let from = 0
  let previous: number | undefined
  let objects = new Map<number, { readonly offset: number; readonly generation: string }>()
  for (const match of text.matchAll(PARTS)) {
    out += text.slice(from, match.index)
    from = match.index
    if (match[1] !== undefined) {
      objects.set(Number(match[1]), { offset: out.length, generation: match[2] ?? "0" })
      continue
    }
    const trailer = /trailer[\s\S]*?(?=startxref)/.exec(match[0])?.[0]
    if (trailer === undefined) continue
    const lead = match[0].startsWith("xref") ? "" : "\n"
    const offset = out.length + lead.length
    const linked = previous === undefined ? trailer : trailer.replace(/\/Prev \d+/, `/Prev ${previous}`)
    out += `${lead}xref\n${table(objects)}${linked}startxref\n${offset}`
    from = match.index + match[0].length
    previous = offset
    objects = new Map()
  }
  return out + text.slice(from)
}

function table(
  objects: ReadonlyMap<number, { readonly offset: number; readonly generation: string }>,
): string {
  const lines = objects.has(0) ? "" : "0 1\n0000000000 65535 f \n"
  const runs = [...objects.entries()]
    .sort(([a], [b]) => a - b)
    .map(
      ([number, { offset, generation }]) =>
        `${number} 1\n${String(offset).padStart(10, "0")} ${generation.padStart(5, "0")} n \n`,
    )
  return lines + runs.join("")
}

const SIGNED = /\/ByteRange ?\[[^\]]*\]/g

/** From the /Contents that stands nearest behind, or else before, to the end of its revision. */
function refitByteRanges(text: string): string {
  return text.replace(SIGNED, (found, at: number) => {
    const behind = text.indexOf("/Contents", at)
    const near = behind >= 0 && behind - at < 2000 ? behind : text.lastIndexOf("/Contents", at)
    const start = near < 0 ? -1 : text.indexOf("<", near)
    const end = start < 0 ? -1 : text.indexOf(">", start) + 1
    const eof = text.indexOf("%%EOF", at)
    if (start < 0 || end <= 0 || eof < end) return found
    const last = eof + "%%EOF".length + (text[eof + 5] === "\n" ? 1 : 0)
    const filled = `/ByteRange [0 ${start} ${end} ${last - end}]`
    // Longer numbers would move everything again.
    return filled.length > found.length ? found : `${filled.slice(0, -1).padEnd(found.length - 1)}]`
  })
}
