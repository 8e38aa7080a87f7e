// The byte range of a signature and the hole in it (ISO 32000-2, 12.8.1, table 255). A signature says nothing about
// bytes outside its range, so the one gap must be exactly the string that holds the signature itself.

import { type Pdf, resolve } from "../structure/document.ts"
import { entry, isArray, type PdfDict, type PdfString, type PdfValue, storedBytes } from "../syntax/value.ts"

export type ByteRange = readonly [start: number, length: number, start2: number, length2: number]
export type ContentsHole = { readonly start: number; readonly end: number }

export type SignatureFault =
  /** The dictionary of the signature cannot be read. */
  | "unreadable"
  | "no-byte-range"
  /** Not four whole numbers. */
  | "byte-range-malformed"
  | "byte-range-overlaps"
  | "byte-range-outside-file"
  | "no-contents"
  /** The gap is not the hexadecimal string of /Contents with its brackets. */
  | "gap-is-not-contents"
  /** No ASN.1 value, or one that is cut short. */
  | "contents-malformed"
  /** Something else than zeros stands behind the ASN.1 value. */
  | "contents-padding"

export type CheckedByteRange = {
  readonly byteRange: ByteRange | undefined
  readonly contents: Uint8Array | undefined
  readonly hole: ContentsHole | undefined
  readonly fault: SignatureFault | undefined
  /** The range is what it has to be, whatever the contents are. */
  readonly isSound: boolean
}

export function checkByteRange(pdf: Pdf, signature: PdfDict): CheckedByteRange {
  const value = resolve(pdf, entry(signature, "ByteRange"))
  const string = entry(signature, "Contents")
  const byteRange = numbers(value)
  const { contents, malformed } = isString(string) ? readContents(string) : NO_CONTENTS
  const hole = isString(string) ? holeOf(string) : undefined
  const isGiven = value !== null && isString(string)
  const missing = value === null ? "no-byte-range" : "no-contents"
  const fault = isGiven ? faultOf(pdf, byteRange, hole) : missing
  return { byteRange, contents, hole, fault: fault ?? malformed, isSound: fault === undefined }
}

const NO_CONTENTS = { contents: undefined, malformed: undefined }

function faultOf(
  { source }: Pdf,
  byteRange: ByteRange | undefined,
  hole: ContentsHole | undefined,
): SignatureFault | undefined {
  if (byteRange === undefined) return "byte-range-malformed"
  const [start, length, start2, length2] = byteRange
  if (start2 + length2 > source.length) return "byte-range-outside-file"
  if (start + length >= start2) return "byte-range-overlaps"
  return hole?.start === start + length && hole.end === start2 ? undefined : "gap-is-not-contents"
}

function numbers(value: PdfValue): ByteRange | undefined {
  const items = isArray(value) ? value.items : []
  const [start, length, start2, length2, ...more] = items.map((item) =>
    typeof item === "number" && Number.isSafeInteger(item) && item >= 0 ? item : undefined,
  )
  if (start === undefined || length === undefined || start2 === undefined || length2 === undefined)
    return undefined
  return more.length === 0 ? [start, length, start2, length2] : undefined
}

function isString(value: PdfValue): value is PdfString {
  return typeof value === "object" && value?.type === "string"
}

// A string in an object stream has no place in the file, and a literal one can be written in many ways.
function holeOf({ bytes, start, end, origin }: PdfString): ContentsHole | undefined {
  if (origin === undefined || bytes[start] !== 0x3c) return undefined
  return { start: origin + start, end: origin + end }
}

type Contents = {
  readonly contents: Uint8Array | undefined
  readonly malformed: SignatureFault | undefined
}

// 7.6.2: the contents are never encrypted. The hole is as large as its maker guessed; zeros fill the rest.
function readContents(string: PdfString): Contents {
  const padded = storedBytes(string)
  const length = valueLength(padded)
  if (length === undefined) return { contents: undefined, malformed: "contents-malformed" }
  const clean = padded.subarray(length).every((octet) => octet === 0)
  return { contents: padded.subarray(0, length), malformed: clean ? undefined : "contents-padding" }
}

/** X.690, 8.1.3: the length of the first value with its header. RFC 5652 allows BER, so it may be indefinite. */
function valueLength(bytes: Uint8Array): number | undefined {
  // How many values of indefinite length are open; what has a definite length is stepped over as a whole.
  let open = 0
  let at = 0
  do {
    const tag = bytes[at]
    const first = bytes[at + 1]
    if (tag === undefined || first === undefined || (tag === 0 && (first !== 0 || open === 0)))
      return undefined
    if (tag === 0) open -= 1
    else if (first === 0x80) open += 1
    const count = first > 0x80 ? first & 0x7f : 0
    // No tag of CMS needs more than one octet, and an indefinite length is of a constructed value.
    if ((tag & 0x1f) === 0x1f || count > 4 || (first === 0x80 && (tag & 0x20) === 0)) return undefined
    let length = first < 0x80 ? first : 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0)
    at += 2 + count + length
  } while (open > 0)
  return at <= bytes.length ? at : undefined
}
