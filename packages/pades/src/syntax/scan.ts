// The lowest level of PDF syntax (ISO 32000-2, 7.2): white space, delimiters, comments, digits and keywords.

import { PdfRefused } from "../refused.ts"

/** A place in bytes that moves forward; `end` is the first byte that does not belong to the text being read. */
export type Cursor = {
  readonly bytes: Uint8Array
  at: number
  readonly end: number
  /** Where `bytes` begin in the file, unless they were decoded from a stream. */
  readonly origin?: number | undefined
  /** Decrypts the strings of the object that is being read. */
  decrypt?: Decrypt | undefined
}

export type Decrypt = (octets: Uint8Array) => Uint8Array

/** The place as a person finds it: in the file, or in the decoded stream. */
export function placeOf({ origin = 0 }: Cursor, at: number): number {
  return origin + at
}

export function corrupt(detail: string): PdfRefused {
  return new PdfRefused("corrupt", detail)
}

const WHITE = 1
const DELIMITER = 2
const KIND = new Uint8Array(256)
for (const octet of [0, 9, 10, 12, 13, 32]) KIND[octet] = WHITE
for (const character of "()<>[]{}/%") KIND[character.charCodeAt(0)] = DELIMITER

export function isWhite(octet: number | undefined): boolean {
  return octet !== undefined && KIND[octet] === WHITE
}

export function isRegular(octet: number | undefined): boolean {
  return octet !== undefined && KIND[octet] === 0
}

export function isDigit(octet: number | undefined): boolean {
  return octet !== undefined && octet >= 0x30 && octet <= 0x39
}

/** The byte at the cursor, or nothing at the end of the text. */
export function peek(cursor: Cursor): number | undefined {
  return cursor.at < cursor.end ? cursor.bytes[cursor.at] : undefined
}

/** Skips white space and comments. */
export function skipWhite(cursor: Cursor): void {
  for (;;) {
    const octet = peek(cursor)
    if (octet === 0x25) {
      while (cursor.at < cursor.end && cursor.bytes[cursor.at] !== 10 && cursor.bytes[cursor.at] !== 13)
        cursor.at += 1
    } else if (isWhite(octet)) cursor.at += 1
    else return
  }
}

/** The run of regular characters at the cursor. */
export function readWord(cursor: Cursor, maxLength: number): string {
  const start = cursor.at
  while (isRegular(peek(cursor))) {
    cursor.at += 1
    if (cursor.at - start > maxLength) throw corrupt(`A word at ${placeOf(cursor, start)} is too long.`)
  }
  let word = ""
  for (let at = start; at < cursor.at; at++) word += String.fromCharCode(cursor.bytes[at] ?? 0)
  return word
}

/** An unsigned whole number of at most ten digits, as offsets, lengths and object numbers are. */
export function readCount(cursor: Cursor, what: string): number {
  const start = cursor.at
  let value = 0
  for (let octet = peek(cursor); octet !== undefined && isDigit(octet); octet = peek(cursor)) {
    value = value * 10 + octet - 0x30
    cursor.at += 1
  }
  if (cursor.at === start || cursor.at - start > 10)
    throw corrupt(`${what} is not a number at ${placeOf(cursor, start)}.`)
  return value
}

export function looksAt(cursor: Cursor, text: string): boolean {
  if (cursor.at + text.length > cursor.end) return false
  for (let i = 0; i < text.length; i++) if (cursor.bytes[cursor.at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Takes the keyword, or refuses; a keyword ends where a regular character does not follow. */
export function expectKeyword(cursor: Cursor, keyword: string): void {
  const start = cursor.at
  if (looksAt(cursor, keyword)) cursor.at += keyword.length
  if (cursor.at === start || isRegular(peek(cursor)))
    throw corrupt(`"${keyword}" is missing at ${placeOf(cursor, start)}.`)
}
