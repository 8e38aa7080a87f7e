// Changes to bytes that a reader is likely to stumble over. Which kind of file it is decides whether the change is made
// blindly or so that what stands around it still fits: a parser that refuses at the first length is tested no further.

import { mutateDer } from "./mutate-der.ts"
import { mutateJson } from "./mutate-json.ts"
import { refitPdf } from "./mutate-pdf.ts"
import { mutateWords } from "./mutate-words.ts"
import type { Random } from "./random.ts"
import type { Target } from "./target.ts"

export type Pool = readonly Uint8Array[]

const MAX_BYTES = 262_144
/** What people and programs write is shorter, and slow readers are found all the same. */
const MAX_WRITTEN = 32_768

type Mutated = Pick<Target, "kind" | "words">

export function mutate(target: Mutated, input: Uint8Array, pool: Pool, random: Random): Uint8Array {
  let bytes = input
  for (let left = 1 + random.below(random.chance(0.2) ? 8 : 3); left > 0; left--)
    bytes = step(target, bytes, pool, random)
  const most = isWritten(target) ? MAX_WRITTEN : MAX_BYTES
  const bounded = bytes.length > most ? bytes.subarray(0, most) : bytes
  return target.kind === "pdf" && random.chance(0.75) ? refitPdf(bounded, random) : bounded
}

function step({ kind, words = [] }: Mutated, bytes: Uint8Array, pool: Pool, random: Random): Uint8Array {
  if (kind === "der" && random.chance(0.75)) return mutateDer(bytes, pool, random)
  if (kind === "json" && random.chance(0.85)) {
    const changed = mutateJson(bytes, pool, words, random)
    if (changed !== null) return changed
  }
  if (isWritten({ kind }) && random.chance(0.75)) return mutateWords(bytes, words, random)
  const isText = kind === "pdf" || kind === "text"
  if (isText && random.chance(0.6)) return random.pick(TEXT_STEPS)(bytes, pool, random)
  return random.pick(BYTE_STEPS)(bytes, pool, random)
}

const isWritten = ({ kind }: Mutated): boolean => kind === "words" || kind === "json"

type Step = (bytes: Uint8Array, pool: Pool, random: Random) => Uint8Array

const EDGES = [0, 1, 0x7f, 0x80, 0x81, 0x84, 0xff, 0x0a, 0x0d, 0x20, 0x30]

const BYTE_STEPS: readonly Step[] = [
  (bytes, _, random) => put(bytes, random, (octet) => octet ^ (1 << random.below(8))),
  (bytes, _, random) => put(bytes, random, () => random.pick(EDGES)),
  (bytes, _, random) => put(bytes, random, () => random.below(256)),
  (bytes, _, random) => put(bytes, random, (octet) => octet + random.pick([-1, 1])),
  // A chunk goes, is repeated, moves, or is taken from another seed.
  (bytes, _, random) => splice(bytes, chunk(bytes, random), new Uint8Array()),
  (bytes, _, random) => insert(bytes, random, part(bytes, random)),
  (bytes, _, random) => splice(bytes, chunk(bytes, random), part(bytes, random)),
  (bytes, pool, random) => insert(bytes, random, part(random.pick(pool), random)),
  (bytes, pool, random) => splice(bytes, chunk(bytes, random), part(random.pick(pool), random)),
  (bytes, pool, random) => {
    const other = random.pick(pool)
    const at = random.below(bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), other.subarray(Math.min(at, other.length))])
  },
  (bytes, _, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, _, random) => {
    const repeated = part(bytes, random)
    return insert(bytes, random, Buffer.concat(Array.from({ length: 2 + random.below(60) }, () => repeated)))
  },
]

const NUMBERS = [
  ..."0 1 2 3 7 8 9 10 15 255 256 1023 65535 65536 1000000 1000001 99999999 2147483647 2147483648".split(" "),
  ..."4294967295 4294967296 9007199254740993 9999999999 99999999999 -1 -0 +1 0.5 .5 -.002 1e9 007".split(" "),
]

const WORDS = (
  "<< >> [ ] ( ) < > {} % /  null true false obj endobj stream\n endstream xref\n trailer startxref %%EOF R #00 #2F \\ \\777 " +
  "/Type /Catalog /Pages /Page /Kids /Count /Parent /MediaBox /CropBox /Rotate /UserUnit /Annots /AcroForm /Fields " +
  "/FT /Sig /Tx /V /T /TU /Kids /Ff /SigFlags /Perms /DocMDP /ByteRange /Contents /SubFilter /Filter /FlateDecode " +
  "/DecodeParms /Predictor /Columns /Colors /BitsPerComponent /ASCIIHexDecode /Crypt /Length /Prev /XRefStm /Size /Root " +
  "/Encrypt /ID /Index /W /N /First /Extends /ObjStm /XRef /Info /Metadata /DSS /VRI /Certs /CRLs /OCSPs /Lock /SV /XFA " +
  "/Reference /TransformMethod /TransformParams /P /Action /All /Include /Exclude /FieldMDP /UR3 /Widget /Rect /AP /DA"
).split(" ")

const TEXT_STEPS: readonly Step[] = [
  (bytes, _, random) => replaceMatch(bytes, /\d+/g, random, () => random.pick(NUMBERS)),
  (bytes, _, random) => replaceMatch(bytes, /\d+/g, random, (found) => nearby(found, random)),
  // References to other objects, to oneself, to none.
  (bytes, _, random) => replaceMatch(bytes, /\b\d{1,6} \d{1,3} R/g, random, () => `${random.below(14)} 0 R`),
  (bytes, _, random) => replaceMatch(bytes, /\/[A-Za-z0-9]+/g, random, () => random.pick(WORDS)),
  (bytes, _, random) => insert(bytes, random, Buffer.from(` ${random.pick(WORDS)} `, "latin1")),
  (bytes, _, random) =>
    replaceMatch(bytes, /\/[A-Za-z]+ /g, random, (key) => `${key}${random.pick(NUMBERS)} ${key}`),
  // One key's value in place of another's.
  (bytes, _, random) => {
    const values = [...latin1(bytes).matchAll(VALUE)]
    const value = values.length === 0 ? "null" : random.pick(values)[0]
    return replaceMatch(bytes, VALUE, random, () => value)
  },
  (bytes, _, random) =>
    replaceMatch(bytes, /<<|\[/g, random, (open) => open.repeat(1 + random.below(random.pick([3, 200])))),
  (bytes, _, random) => replaceMatch(bytes, /[ \r\n]+/g, random, () => random.pick(WHITES)),
]

const VALUE = /(?<=\/\w{1,20} ?)(?:\d{1,6} \d{1,3} R|\[[^\]]*\]|\([^)]*\)|<[^>]*>|\d+)/g

const WHITES = ["", " ", "\n", "\r", "\r\n", "\0", "\t", "\f", "  ", " % \n", "%\r", " %"]

function nearby(found: string, random: Random): string {
  const number = Number(found.slice(0, 15))
  return String(random.pick([number + 1, number - 1, number * 2, number + random.below(40) - 20, -number]))
}

function replaceMatch(
  bytes: Uint8Array,
  pattern: RegExp,
  random: Random,
  replace: (found: string) => string,
): Uint8Array {
  const matches = [...latin1(bytes).matchAll(pattern)]
  if (matches.length === 0) return bytes
  const { index, 0: found } = random.pick(matches)
  return splice(bytes, { start: index, end: index + found.length }, Buffer.from(replace(found), "latin1"))
}

type Range = { readonly start: number; readonly end: number }

function chunk(bytes: Uint8Array, random: Random): Range {
  const start = random.below(bytes.length + 1)
  const length = random.below(random.pick([2, 5, 20, 100, 1000]))
  return { start, end: Math.min(bytes.length, start + 1 + length) }
}

function part(bytes: Uint8Array, random: Random): Uint8Array {
  const { start, end } = chunk(bytes, random)
  return bytes.subarray(start, end)
}

function put(bytes: Uint8Array, random: Random, change: (octet: number) => number): Uint8Array {
  if (bytes.length === 0) return bytes
  const copy = new Uint8Array(bytes)
  const at = random.below(bytes.length)
  copy[at] = change(copy[at] ?? 0)
  return copy
}

function insert(bytes: Uint8Array, random: Random, more: Uint8Array): Uint8Array {
  const at = random.below(bytes.length + 1)
  return splice(bytes, { start: at, end: at }, more)
}

function splice(bytes: Uint8Array, { start, end }: Range, more: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), more, bytes.subarray(end)])
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
}
