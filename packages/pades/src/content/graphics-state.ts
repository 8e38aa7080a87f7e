// How a content stream leaves the stack of graphics states (ISO 32000-2, 8.4.2). `q` and `Q` must be balanced on a page;
// where they are not, whatever is drawn behind the page would be moved, scaled or cut off with it.

import { type Cursor, isRegular, looksAt, peek, skipWhite } from "../syntax/scan.ts"

export type StackEffect = {
  /** How many states it takes that it has not put there itself. */
  readonly taken: number
  /** How many it leaves behind. */
  readonly left: number
  /** How deep the stack gets above where it began. */
  readonly deepest: number
}

export const NO_EFFECT: StackEffect = { taken: 0, left: 0, deepest: 0 }

export function stackEffect(content: Uint8Array): StackEffect {
  const cursor: Cursor = { bytes: content, at: 0, end: content.length }
  let taken = 0
  let left = 0
  let deepest = 0
  for (skipWhite(cursor); cursor.at < cursor.end; skipWhite(cursor)) {
    const start = cursor.at
    skipToken(cursor)
    const length = cursor.at - start
    if (length === 1 && content[start] === 0x71) {
      left += 1
      deepest = Math.max(deepest, left - taken)
    } else if (length === 1 && content[start] === 0x51) {
      if (left > 0) left -= 1
      else taken += 1
    } else if (length === 2 && content[start] === 0x42 && content[start + 1] === 0x49) skipInlineImage(cursor)
  }
  return { taken, left, deepest }
}

/** One stream after the other, as the streams of a page follow each other. */
export function followedBy(first: StackEffect, second: StackEffect): StackEffect {
  const common = Math.min(first.left, second.taken)
  return {
    taken: first.taken + second.taken - common,
    left: first.left - common + second.left,
    deepest: Math.max(first.deepest, first.left - first.taken + second.deepest),
  }
}

function skipToken(cursor: Cursor): void {
  const octet = peek(cursor)
  if (octet === 0x28) skipString(cursor)
  else if (octet === 0x3c && cursor.bytes[cursor.at + 1] !== 0x3c) {
    const end = cursor.bytes.indexOf(0x3e, cursor.at)
    cursor.at = end < 0 ? cursor.end : end + 1
  } else {
    cursor.at += 1
    if (octet === 0x2f || isRegular(octet)) while (isRegular(peek(cursor))) cursor.at += 1
  }
}

function skipString(cursor: Cursor): void {
  for (let open = 0; cursor.at < cursor.end; cursor.at++) {
    const octet = cursor.bytes[cursor.at]
    if (octet === 0x5c) cursor.at += 1
    else if (octet === 0x28) open += 1
    else if (octet === 0x29) open -= 1
    if (open === 0) break
  }
  cursor.at = Math.min(cursor.at + 1, cursor.end)
}

// 8.9.7: the data of an inline image are any bytes. They end with `EI` between white space, behind which there is text.
function skipInlineImage(cursor: Cursor): void {
  const { bytes, end } = cursor
  while (cursor.at < end && !(looksAt(cursor, "ID") && isSpace(bytes[cursor.at + 2]))) skipNext(cursor)
  for (cursor.at += 2; cursor.at < end; cursor.at++) {
    if (!isSpace(bytes[cursor.at]) || bytes[cursor.at + 1] !== 0x45 || bytes[cursor.at + 2] !== 0x49) continue
    if (bytes.subarray(cursor.at + 3, cursor.at + 13).every(isText)) {
      cursor.at += 3
      return
    }
  }
}

function skipNext(cursor: Cursor): void {
  skipToken(cursor)
  skipWhite(cursor)
}

function isSpace(octet: number | undefined): boolean {
  return octet === 0x20 || octet === 0x0a || octet === 0x0d || octet === 0x09
}

function isText(octet: number): boolean {
  return isSpace(octet) || (octet >= 0x20 && octet < 0x7f)
}
