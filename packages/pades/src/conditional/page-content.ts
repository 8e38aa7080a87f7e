// The content streams of the pages (ISO 32000-2, 7.8.2). Readers show a page without those that they cannot decode, each in its
// own way, so all of them must decode.

import { inflateSync } from "node:zlib"
import { pages } from "../content/page.ts"
import { PdfRefused } from "../refused.ts"
import { type Pdf, readNumber } from "../structure/document.ts"
import { newBudget } from "../syntax/limits.ts"
import { asCount, entry, isDict, isRef, type PdfDict, type PdfRef, type PdfValue } from "../syntax/value.ts"
import type { Findings } from "./finding.ts"
import { nameIn, readItems, readValue } from "./read-value.ts"

/** All pages together; a renderer within its budget draws less. */
const MAX_DECODED_BYTES = 200_000_000

/** How a filter is decoded; undefined where PDFium alone tells whether it can be. */
const FILTERS = new Map<string, ((data: Uint8Array, maxOutputLength: number) => Uint8Array) | undefined>([
  ["FlateDecode", (data, maxOutputLength) => inflateSync(data, { maxOutputLength })],
  ["ASCII85Decode", decodeAscii85],
  ["ASCIIHexDecode", decodeAsciiHex],
  ["LZWDecode", undefined],
  ["RunLengthDecode", undefined],
])

export function checkPageContents(opened: Pdf, findings: Findings): void {
  // Reading contents must not use up what the other checks may spend.
  const pdf = { ...opened, budget: newBudget(opened.source.length) }
  const seen = new Set<number>()
  let left = MAX_DECODED_BYTES
  let index = 0
  for (const { lineage } of pages(opened)) {
    index += 1
    const [page = pdf.catalog] = lineage
    for (const item of readContents(pdf, page)) {
      if (isRef(item) && seen.has(item.number)) continue
      if (isRef(item)) seen.add(item.number)
      const decoded = decodedLength(pdf, item, left)
      if (typeof decoded === "number") left -= decoded
      else
        findings.report(
          "page-not-renderable",
          isRef(item) ? item.number : 0,
          `The content of page ${index} ${decoded}`,
        )
    }
  }
}

/** What cannot be read strictly is active content of the kind "unclear" already. */
function readContents(pdf: Pdf, page: PdfDict): readonly PdfValue[] {
  try {
    return readItems(pdf, page, "Contents")
  } catch {
    return []
  }
}

/** The length, or what is wrong. */
function decodedLength(pdf: Pdf, item: PdfValue, maxBytes: number): number | string {
  try {
    return decodeContent(pdf, item, maxBytes)
  } catch {
    return "cannot be decoded"
  }
}

function decodeContent(pdf: Pdf, item: PdfValue, maxBytes: number): number | string {
  if (readValue(pdf, item) === null) return 0
  const object = isRef(item) ? readNumber(pdf, item.number) : undefined
  if (!isRef(item) || object?.streamAt === undefined || !isDict(object.value)) return "is not a stream"
  const dict = object.value
  const filters = readItems(pdf, dict, "Filter").map((name) => nameIn(readValue(pdf, name)) ?? "")
  // 7.4.10: the data below are decrypted.
  if (filters[0] === "Crypt") filters.shift()
  if (filters.some((name) => !FILTERS.has(name))) return "has a filter that readers do not know"
  const length = asCount(readValue(pdf, entry(dict, "Length")), "The length of a stream")
  if (filters.length === 0) return length
  let data = dataOf(pdf, item, dict, object.streamAt, length)
  for (const filter of filters) {
    const decode = FILTERS.get(filter)
    if (decode === undefined) return data.length
    data = decode(data, Math.max(1, maxBytes))
  }
  return data.length
}

function dataOf(pdf: Pdf, ref: PdfRef, dict: PdfDict, start: number, length: number): Uint8Array {
  const data = pdf.source.read(start, start + length)
  return pdf.encryption?.decryptStream(ref, dict, data) ?? data
}

const SPACE = /[\0\t\n\f\r ]/gu

/** 7.4.2. */
function decodeAsciiHex(data: Uint8Array): Uint8Array {
  const [digits = ""] = Buffer.from(data).toString("latin1").replace(SPACE, "").split(">")
  if (!/^[0-9a-f]*$/i.test(digits)) throw unreadable()
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex")
}

/** 7.4.3: five characters are four octets, and "z" is four zeros. */
function decodeAscii85(data: Uint8Array): Uint8Array {
  const [text = ""] = Buffer.from(data).toString("latin1").replace(SPACE, "").split("~>")
  const out: number[] = []
  let [group, count] = [0, 0]
  for (const character of text) {
    if (character === "z" && count === 0) {
      out.push(0, 0, 0, 0)
      continue
    }
    const digit = character.charCodeAt(0) - FIRST_ASCII85
    if (digit < 0 || digit > 84) throw unreadable()
    group = group * 85 + digit
    count += 1
    if (count < 5) continue
    out.push(...octets(group))
    ;[group, count] = [0, 0]
  }
  for (let missing = count; missing > 0 && missing < 5; missing++) group = group * 85 + 84
  return Uint8Array.from(count === 0 ? out : [...out, ...octets(group).slice(0, count - 1)])
}

const FIRST_ASCII85 = 33

const octets = (group: number): readonly number[] =>
  [24, 16, 8, 0].map((shift) => Math.floor(group / 2 ** shift) % 256)

const unreadable = () => new PdfRefused("corrupt", "A stream cannot be decoded.")
