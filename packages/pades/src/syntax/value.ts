// PDF objects (ISO 32000-2, 7.3) as plain data. Dictionaries, arrays and strings remember where they stand, so that a
// new revision repeats untouched parts byte for byte instead of spelling them anew.

import { PdfRefused } from "../refused.ts"
import type { Decrypt } from "./scan.ts"

export type PdfName = { readonly type: "name"; readonly name: string }
/** `decrypt` is there in an encrypted file, but not in its object streams, which are encrypted as a whole. */
export type PdfString = { readonly type: "string"; readonly decrypt?: Decrypt | undefined } & Span
export type PdfRef = { readonly type: "ref"; readonly number: number; readonly generation: number }
export type PdfArray = { readonly type: "array"; readonly items: readonly PdfValue[] } & Span
export type PdfDict = { readonly type: "dict"; readonly entries: ReadonlyMap<string, PdfEntry> } & Span
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfArray | PdfDict

/** `start` is the place of the key, `valueStart` that of its value. */
export type PdfEntry = {
  readonly value: PdfValue
  readonly start: number
  readonly valueStart: number
  readonly end: number
}

export type Span = {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Where `bytes` begin in the file, unless they were decoded from a stream. */
  readonly origin?: number | undefined
}

/** An object with its number, as it stands in the file; `streamAt` is where the data of a stream begin. */
export type IndirectObject = { readonly ref: PdfRef; readonly value: PdfValue; readonly streamAt?: number }

export function entry(dict: PdfDict, key: string): PdfValue {
  return dict.entries.get(key)?.value ?? null
}

export function isRef(value: PdfValue): value is PdfRef {
  return typeof value === "object" && value?.type === "ref"
}

export function isDict(value: PdfValue): value is PdfDict {
  return typeof value === "object" && value?.type === "dict"
}

export function isArray(value: PdfValue): value is PdfArray {
  return typeof value === "object" && value?.type === "array"
}

export function isName(value: PdfValue, name: string): boolean {
  return typeof value === "object" && value?.type === "name" && value.name === name
}

/** A whole number that can count something: an offset, a length, a number of objects. */
export function asCount(value: PdfValue, what: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
  throw new PdfRefused("corrupt", `${what} is not a whole number.`)
}

/** 7.9.2.2: the characters of a text string, in UTF-16BE or UTF-8 with a mark, else in PDFDocEncoding. */
export function textOf(string: PdfString): string {
  const bytes = Buffer.from(stringBytes(string))
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return bytes
      .subarray(2, bytes.length - (bytes.length % 2))
      .swap16()
      .toString("utf16le")
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3).toString("utf8")
  return Array.from(bytes.toString("latin1"), (octet) => PDF_DOC.get(octet) ?? octet).join("")
}

// Annex D.2, table D.2: where PDFDocEncoding differs from Latin-1; 9F and AD are not defined.
const PDF_DOC = new Map(
  [
    [0x18, "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc"],
    [
      0x80,
      "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018",
    ],
    [
      0x90,
      "\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffd",
    ],
    [0xa0, "\u20ac"],
  ].flatMap(([first, characters]) =>
    [...String(characters)].map(
      (character, i) => [String.fromCharCode(Number(first) + i), character] as const,
    ),
  ),
)

/** The octets that a string means. */
export function stringBytes(string: PdfString): Uint8Array {
  const stored = storedBytes(string)
  return string.decrypt === undefined ? stored : string.decrypt(stored)
}

/** ISO 32000-2, 7.3.4: the octets of a literal or hexadecimal string, decoded only when somebody asks. */
export function storedBytes({ bytes, start, end }: Span): Uint8Array {
  const inner = Buffer.from(bytes.buffer, bytes.byteOffset + start + 1, end - start - 2)
  if (bytes[start] === 0x28) return literalBytes(inner)
  const digits = inner.toString("latin1").replace(/[\0\t\n\f\r ]/g, "")
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex")
}

const ESCAPES = new Map<number, number>([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
])

function literalBytes(inner: Uint8Array): Uint8Array {
  const out = new Uint8Array(inner.length)
  let length = 0
  for (let i = 0; i < inner.length; i++) {
    let octet = inner[i] ?? 0
    if (octet === 0x0d) {
      // Any end of line in a string is one line feed.
      if (inner[i + 1] === 0x0a) i += 1
      octet = 0x0a
    } else if (octet === 0x5c) {
      i += 1
      octet = inner[i] ?? 0
      if (octet === 0x0d || octet === 0x0a) {
        if (octet === 0x0d && inner[i + 1] === 0x0a) i += 1
        continue
      }
      if (isOctal(octet)) {
        let value = octet - 0x30
        for (let digits = 1; digits < 3 && isOctal(inner[i + 1]); digits++) {
          i += 1
          value = value * 8 + (inner[i] ?? 0) - 0x30
        }
        octet = value & 0xff
      } else octet = ESCAPES.get(octet) ?? octet
    }
    out[length] = octet
    length += 1
  }
  return out.subarray(0, length)
}

function isOctal(octet: number | undefined): boolean {
  return octet !== undefined && octet >= 0x30 && octet <= 0x37
}
