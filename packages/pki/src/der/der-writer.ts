// The Distinguished Encoding Rules (X.690, clause 10), written: each value has one encoding.

import { DerError, TAG } from "./der.ts"

export function writeTagged(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, content) => sum + content.length, 0)
  const size: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest % 256)
  const header = length < 0x80 ? [tag, length] : [tag, 0x80 | size.length, ...size]
  return new Uint8Array(Buffer.concat([Uint8Array.from(header), ...contents]))
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return writeTagged(TAG.sequence, ...parts)
}

/** X.690, 11.6: the components of a SET OF stand in the ascending order of their encodings. */
export function setOf(...parts: readonly Uint8Array[]): Uint8Array {
  return writeTagged(TAG.set, ...[...parts].sort(Buffer.compare))
}

export function boolean(value: boolean): Uint8Array {
  return writeTagged(TAG.boolean, Uint8Array.of(value ? 0xff : 0))
}

export function integer(value: bigint | number): Uint8Array {
  const number = BigInt(value)
  let size = 1
  while (BigInt.asIntN(size * 8, number) !== number) size += 1
  const hex = BigInt.asUintN(size * 8, number)
    .toString(16)
    .padStart(size * 2, "0")
  return writeTagged(TAG.integer, Buffer.from(hex, "hex"))
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Uint8Array {
  return writeTagged(TAG.bitString, Uint8Array.of(unusedBits), bytes)
}

export function octetString(bytes: Uint8Array): Uint8Array {
  return writeTagged(TAG.octetString, bytes)
}

export function nullValue(): Uint8Array {
  return writeTagged(TAG.null)
}

export function oid(dotted: string): Uint8Array {
  const [root = 0n, second = 0n, ...rest] = dotted.split(".").map(BigInt)
  const octets: number[] = []
  for (const arc of [root * 40n + second, ...rest]) {
    const groups = [Number(arc & 0x7fn)]
    for (let left = arc >> 7n; left > 0n; left >>= 7n) groups.unshift(Number(left & 0x7fn) | 0x80)
    octets.push(...groups)
  }
  return writeTagged(TAG.oid, Uint8Array.from(octets))
}

export function utf8String(text: string): Uint8Array {
  return writeTagged(TAG.utf8String, Buffer.from(text, "utf8"))
}

export function printableString(text: string): Uint8Array {
  if (!/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text)) throw new DerError("not a PrintableString")
  return writeTagged(TAG.printableString, Buffer.from(text, "latin1"))
}

/** RFC 5280, 4.1.2.5: UTCTime through the year 2049, GeneralizedTime from 2050. */
export function time(at: Date): Uint8Array {
  const digits = `${at.toISOString().replace(/[-:T]|\.\d+Z$/g, "")}Z`
  const year = at.getUTCFullYear()
  return year >= 1950 && year < 2050
    ? writeTagged(TAG.utcTime, Buffer.from(digits.slice(2), "latin1"))
    : writeTagged(TAG.generalizedTime, Buffer.from(digits, "latin1"))
}

/** A context tag around a whole value: `[number] EXPLICIT`. */
export function explicit(number: number, inner: Uint8Array): Uint8Array {
  return writeTagged(0xa0 | number, inner)
}

/** A context tag in place of the value's own: `[number] IMPLICIT`. */
export function implicit(number: number, inner: Uint8Array): Uint8Array {
  const constructed = (inner[0] ?? 0) & 0x20
  return retag(inner, 0x80 | constructed | number)
}

/** The same value with another identifier octet. */
export function retag(value: Uint8Array, tag: number): Uint8Array {
  const copy = new Uint8Array(value)
  copy[0] = tag
  return copy
}
