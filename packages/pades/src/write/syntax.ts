// PDF objects written out (ISO 32000-2, 7.3).

import type { PdfDict, PdfRef } from "../syntax/value.ts"

export function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1")
}

export function writeRef({ number, generation }: Pick<PdfRef, "number" | "generation">): string {
  return `${number} ${generation} R`
}

/** An array of numbers, to a ten-thousandth of a point and never with an exponent (7.3.3). */
export function writeNumbers(values: readonly number[]): string {
  return `[${values.map(writeNumber).join(" ")}]`
}

export function writeNumber(value: number): string {
  const text = value.toFixed(4).replace(/\.?0+$/, "")
  return text === "-0" ? "0" : text
}

/** 7.9.2.2: ASCII as it is, everything else as UTF-16BE with its mark. */
export function writeTextString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, "\\$&")})`
  return `<feff${Buffer.from(text, "utf16le").swap16().toString("hex")}>`
}

/** 7.9.4, in UTC; a year has four digits. */
export function writeDate(at: Date): string {
  const year = at.getUTCFullYear()
  if (!(year >= 0 && year <= 9999)) throw new RangeError("A date of a PDF lies in the years 0 to 9999.")
  return `(D:${at.toISOString().replace(/[-:T]|\.\d+Z$/g, "")}Z)`
}

/** The dictionary with some values put in or replaced; every other entry keeps its bytes. */
export function amendDict(dict: PdfDict, changes: Readonly<Record<string, string>>): Uint8Array {
  const parts: Uint8Array[] = [latin1("<<")]
  for (const [key, { start, end }] of dict.entries) {
    if (!Object.hasOwn(changes, key)) parts.push(latin1("\n"), dict.bytes.subarray(start, end))
  }
  for (const [key, value] of Object.entries(changes)) parts.push(latin1(`\n/${key} ${value}`))
  parts.push(latin1("\n>>"))
  return Buffer.concat(parts)
}

/** The array with one more item, its other bytes kept. */
export function appendItem(array: { bytes: Uint8Array; start: number; end: number }, item: string): string {
  const inner = Buffer.from(array.bytes.subarray(array.start + 1, array.end - 1)).toString("latin1")
  // A line feed in front: the array may end with a comment.
  return inner.trim() === "" ? `[${item}]` : `[${inner}\n${item}]`
}
