// Changes to a text that a person or a program wrote: an address, a header, a line of a file. Its pieces change places, look like
// others, are spelt otherwise, and get between them what readers of texts stumble over.

import type { Random } from "./random.ts"

/** What a reader may take for something else: ends of lines, what is not seen, look-alikes, escapes, and figures that are none. */
const ODD = [
  ..."\0 \r\n \n \r \t \u000b \u0085 \u00a0 \u00ad \u061c \u200b \u200c \u200d \u202e \u2028 \u2029 \u2066 \u3000 \ufeff \ufffd".split(
    " ",
  ),
  " ",
  "  ",
  ..."é e\u0301 ß ẞ ı İ ſ Ⅷ ﬁ 😀 👩\u200d👩\u200d👧 אב ｡ 。 ． ／ ： ＠ ％ ０ １ ℀ ⅓ \ud7ff \uffff".split(
    " ",
  ),
  ..."< > \" ' ` & ; , = + * | ^ ~ ! ? # % $ @ : / \\ // :// .. ../ . - _ ( ) [ ] { } $& $1 {{a}} {id} \\n \\u0000".split(
    " ",
  ),
  ..."%00 %0a %0d%0a %20 %22 %25 %2e%2e%2f %2F %40 %5c %C0%AF %E2%80%8B %FF %u0041 &amp; &lt; &#0; &#x202e; &#10;".split(
    " ",
  ),
  ..."__proto__ constructor toString hasOwnProperty null undefined true false NaN Infinity -Infinity".split(
    " ",
  ),
  ..."0 -0 00 1 -1 +1 01 1.5 1e3 1e400 0x10 0b1 1_000 9007199254740993 99999999999999999999 2147483648 4294967296".split(
    " ",
  ),
]

type Change = (text: string, words: readonly string[], random: Random) => string

/** Octets are letters here (Latin-1), so that no change touches what it does not mean to. */
const CHANGES: readonly Change[] = [
  (text, words, random) => insert(text, odd(words, random), random),
  (text, words, random) => insert(text, odd(words, random), random),
  (text, words, random) => replace(text, RUN, random, () => odd(words, random)),
  (text, words, random) => replace(text, PIECE, random, () => odd(words, random)),
  (text, words, random) => replace(text, MARK, random, () => odd(words, random)),
  // A piece goes, comes twice, or changes places with another.
  (text, _, random) => replace(text, PIECE, random, () => ""),
  (text, _, random) => replace(text, PIECE, random, (piece) => piece + piece),
  (text, _, random) => replace(text, PIECE, random, () => anyOf(text, PIECE, random)),
  (text, _, random) => replace(text, LINE, random, (line) => line + line),
  (text, _, random) => replace(text, LINE, random, () => anyOf(text, LINE, random)),
  // The same letter, written otherwise.
  (text, _, random) => replace(text, RUN, random, swappedCase),
  (text, _, random) => replace(text, /./gs, random, percented),
  (text, _, random) => replace(text, /[!-~]/g, random, fullWidth),
  (text, _, random) => replace(text, /%[0-9A-Fa-f]{2}/g, random, (code) => letterOf(code.slice(1))),
  (text, _, random) => replace(text, /\d+/g, random, (number) => `0${number}`),
  (text, _, random) =>
    replace(text, /\d+/g, random, (number) => String(Number(number) + random.pick([1, -1]))),
  (text, _, random) => replace(text, /./gs, random, (one) => one.repeat(random.pick([2, 3, 16, 64, 300]))),
  (text, _, random) =>
    replace(text, /\r?\n/g, random, () => random.pick(["\n", "\r\n", "\r", "\n\n", "\n "])),
]

const RUN = /[A-Za-z0-9\x80-\xff]+/g
const PIECE = /[^\s.,;:/?&=@"'<>()+|-]+[\s.,;:/?&=@"'<>()+|-]?/g
// Anchored, or a long text without an end of line would be gone through from every letter.
const LINE = /^[^\n]*\n/gm
const MARK = /[^A-Za-z0-9\x80-\xff]/g

/** `words` are those of the target; half of what is put in is one of them. */
export function mutateWords(bytes: Uint8Array, words: readonly string[], random: Random): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
  return Buffer.from(random.pick(CHANGES)(text, words, random), "latin1")
}

/** The same for a text whose letters are letters. */
export function mutateText(text: string, words: readonly string[], random: Random): string {
  return Buffer.from(mutateWords(Buffer.from(text), words, random)).toString()
}

function odd(words: readonly string[], random: Random): string {
  const word = words.length > 0 && random.chance(0.5) ? random.pick(words) : random.pick(ODD)
  return Buffer.from(word).toString("latin1")
}

function insert(text: string, word: string, random: Random): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + word + text.slice(at)
}

/** The first that is found from some place on: to find all of them first would take longer than most readers do. */
function found(text: string, pattern: RegExp, random: Random): RegExpExecArray | null {
  pattern.lastIndex = random.below(text.length + 1)
  const next = pattern.exec(text)
  if (next !== null) return next
  pattern.lastIndex = 0
  return pattern.exec(text)
}

function replace(text: string, pattern: RegExp, random: Random, change: (found: string) => string): string {
  const match = found(text, pattern, random)
  if (match === null) return text
  const { index, 0: piece } = match
  return text.slice(0, index) + change(piece) + text.slice(index + piece.length)
}

function anyOf(text: string, pattern: RegExp, random: Random): string {
  return found(text, pattern, random)?.[0] ?? ""
}

const swappedCase = (run: string): string =>
  run === run.toLowerCase() ? run.replace(/[a-z]/g, (one) => one.toUpperCase()) : run.toLowerCase()

const percented = (one: string): string => `%${one.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`

const letterOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))

/** Unicode, U+FF01 to U+FF5E: what a reader that normalises takes for ASCII. */
const fullWidth = (one: string): string =>
  Buffer.from(String.fromCharCode(one.charCodeAt(0) + 0xfee0)).toString("latin1")
