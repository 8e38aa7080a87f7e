// Decodes content streams as readers do (ISO 32000-2, 7.4). The streams of the structure have a decoder of their own
// (structure/filter.ts), which knows fewer filters and is stricter.

import { constants, inflateSync } from "node:zlib"
import { PdfRefused } from "../refused.ts"
import { type Pdf, readNumber } from "../structure/document.ts"
import { asCount, entry, isDict, isRef, type PdfDict, type PdfRef, type PdfValue } from "../syntax/value.ts"
import { nameIn, readEntry, readItems, readValue } from "./read-value.ts"

export type Decode = (data: Uint8Array, maxBytes: number, isCutOff: boolean) => Uint8Array

export const FILTERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["FlateDecode", decodeFlate],
  ["ASCII85Decode", decodeAscii85],
  ["ASCIIHexDecode", decodeAsciiHex],
  ["LZWDecode", decodeLzw],
  ["RunLengthDecode", decodeRunLength],
])

export type DecodeOptions = {
  /** What all streams together may still have, packed or unpacked: the larger of both is taken from it. */
  readonly budget: { left: number }
  /** Accepts deflated data without their end, which all readers draw as far as they go. */
  readonly allowsCutOff?: boolean
}

/** The decoded content, or what is wrong with it. A value that is null has none. */
export function decodeContent(pdf: Pdf, item: PdfValue, options: DecodeOptions): Uint8Array | string {
  try {
    return decode(pdf, item, options)
  } catch {
    return "cannot be decoded"
  }
}

function decode(
  pdf: Pdf,
  item: PdfValue,
  { budget, allowsCutOff = false }: DecodeOptions,
): Uint8Array | string {
  const object = isRef(item) ? readNumber(pdf, item.number) : undefined
  if (!isRef(item) || object?.streamAt === undefined || !isDict(object.value)) return "is not a stream"
  const dict = object.value
  const filters = readItems(pdf, dict, "Filter").map((name) => nameIn(readValue(pdf, name)) ?? "")
  // 7.4.10: the data below are decrypted.
  if (filters[0] === "Crypt") filters.shift()
  if (filters.some((name) => !FILTERS.has(name))) return "has a filter that readers do not know"
  if (filters.length > 0 && changesBytes(pdf, dict)) return "has a predictor or another order of codes"
  const length = asCount(readValue(pdf, entry(dict, "Length")), "The length of a stream")
  // Many pages may share a stream that is not compressed.
  if (length > budget.left) return "has too many bytes"
  let data = dataOf(pdf, item, dict, object.streamAt, length)
  for (const filter of filters)
    data = FILTERS.get(filter)?.(data, Math.max(1, budget.left), allowsCutOff) ?? data
  budget.left -= Math.max(length, data.length)
  return data
}

/** Tables 8 and 9: parameters for images. Content streams have no use for them, and this decoder does not apply them. */
function changesBytes(pdf: Pdf, dict: PdfDict): boolean {
  return readItems(pdf, dict, "DecodeParms").some((item) => {
    const parameters = readValue(pdf, item)
    if (!isDict(parameters)) return false
    return (
      (readEntry(pdf, parameters, "Predictor") ?? 1) !== 1 ||
      (readEntry(pdf, parameters, "EarlyChange") ?? 1) !== 1
    )
  })
}

function dataOf(pdf: Pdf, ref: PdfRef, dict: PdfDict, start: number, length: number): Uint8Array {
  const data = pdf.source.read(start, start + length)
  return pdf.encryption?.decryptStream(ref, dict, data) ?? data
}

const SPACE = /[\0\t\n\f\r ]/gu

function decodeFlate(data: Uint8Array, maxOutputLength: number, isCutOff: boolean): Uint8Array {
  const finishFlush = isCutOff ? constants.Z_SYNC_FLUSH : constants.Z_FINISH
  return inflateSync(data, { maxOutputLength, finishFlush })
}

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

/** 7.4.5. */
function decodeRunLength(data: Uint8Array, maxBytes: number): Uint8Array {
  const out: Uint8Array[] = []
  let length = 0
  for (let at = 0; at < data.length; ) {
    const code = data[at] ?? END_OF_RUNS
    if (code === END_OF_RUNS) break
    const isCopied = code < END_OF_RUNS
    const run = isCopied
      ? data.subarray(at + 1, at + 2 + code)
      : new Uint8Array(257 - code).fill(data[at + 1] ?? 0)
    out.push(run)
    length += run.length
    if (length > maxBytes) throw tooLarge()
    at += isCopied ? code + 2 : 2
  }
  return Buffer.concat(out)
}

const END_OF_RUNS = 128

const [LZW_CLEAR, LZW_END, MOST_LZW_CODES] = [256, 257, 4096]

/** 7.4.4.2, with codes that become longer one code early. */
function decodeLzw(data: Uint8Array, maxBytes: number): Uint8Array {
  const table: Uint8Array[] = Array.from({ length: 258 }, (_, octet) => Uint8Array.of(octet % 256))
  const out: Uint8Array[] = []
  let [length, bits, held, width] = [0, 0, 0, 9]
  let previous: Uint8Array | undefined
  for (const octet of data) {
    held = ((held << 8) | octet) & 0xfffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (held >> bits) & ((1 << width) - 1)
    if (code === LZW_END) break
    if (code === LZW_CLEAR) {
      table.length = 258
      ;[previous, width] = [undefined, 9]
      continue
    }
    const first = previous ?? Uint8Array.of()
    const known =
      table[code] ?? (code === table.length ? Buffer.concat([first, first.subarray(0, 1)]) : undefined)
    if (known === undefined || known.length === 0) throw unreadable()
    if (previous !== undefined && table.length < MOST_LZW_CODES)
      table.push(Buffer.concat([previous, known.subarray(0, 1)]))
    out.push(known)
    length += known.length
    if (length > maxBytes) throw tooLarge()
    previous = known
    const next = table.length + 1
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
  }
  return Buffer.concat(out)
}

const unreadable = () => new PdfRefused("corrupt", "A stream cannot be decoded.")
const tooLarge = () => new PdfRefused("too-complex", "A stream decodes to too many bytes.")
