// Turns the Basic Encoding Rules that CMS allows (RFC 5652, 1: "generated using BER") into DER, as far as signers in the
// field use them: indefinite lengths, lengths with more octets than needed, and octet strings in parts. Any other freedom of
// BER stays refused by `readDer`.

import { DerError, type DerLimits, type DerNode, readDer, TAG } from "./der.ts"

// The largest mark of the corpora we know has 28,000 values, for it holds a revocation list. A value takes up to 400 octets
// of memory, however small it is.
export const BER_LIMITS: DerLimits = { maxDepth: 32, maxNodes: 100_000 }
const MAX_BYTES = 16 * 1024 * 1024
const CONSTRUCTED_OCTET_STRING = 0x24

export type BerOptions = {
  /** Zero octets may follow, as in the /Contents of a PDF signature (ISO 32000-2, 12.8.1). */
  readonly zeroPadded?: boolean
}

/** Reads exactly one value. `encoding` is "BER" if it was not DER; the node is DER in any case. */
export function readBer(
  bytes: Uint8Array,
  options: BerOptions = {},
): { readonly node: DerNode; readonly encoding: "DER" | "BER" } {
  if (bytes.length > MAX_BYTES) throw new DerError("value is too large")
  const chunks: Uint8Array[] = []
  const { end, same } = readValue(bytes, 0, bytes.length, { values: 0, depth: 1, chunks }, false)
  const rest = bytes.subarray(end)
  if (options.zeroPadded === true ? rest.some((octet) => octet !== 0) : rest.length > 0)
    throw new DerError("bytes after the value")
  const der = same ? bytes.subarray(0, end) : new Uint8Array(Buffer.concat(chunks))
  return { node: readDer(der, BER_LIMITS), encoding: same ? "DER" : "BER" }
}

/** What goes into the DER, in its order; nothing is copied before all of it is known, so a deep nest costs no more. */
type Writing = { values: number; depth: number; readonly chunks: Uint8Array[] }

/** Where the value ends, how long it is in DER, and whether the bytes that stand there are that DER. */
type Written = { readonly end: number; readonly length: number; readonly same: boolean }

/** `bare` is for the parts of an octet string, of which only the contents are written. */
function readValue(bytes: Uint8Array, start: number, limit: number, to: Writing, bare: boolean): Written {
  to.values += 1
  if (to.values > BER_LIMITS.maxNodes) throw new DerError("too many values")
  if (to.depth > BER_LIMITS.maxDepth) throw new DerError("nested too deeply")
  const tag = bytes[start]
  if (tag === undefined || start + 2 > limit) throw new DerError("value cut short")
  if ((tag & 0x1f) === 0x1f) throw new DerError("tag number above 30")
  if (tag === 0) throw new DerError("end-of-contents octets")
  // X.690, 8.7.3: the parts of an octet string are octet strings.
  if (bare && tag !== TAG.octetString && tag !== CONSTRUCTED_OCTET_STRING)
    throw new DerError("octet string with a part that is none")
  const { length, at, isMinimal } = readLength(bytes, start + 1, limit)
  const end = length === undefined ? undefined : at + length
  if (end !== undefined && end > limit) throw new DerError("length beyond the enclosing value")
  if ((tag & 0x20) !== 0) return readConstructed(bytes, { start, at, end, limit, isMinimal }, to, bare)

  if (end === undefined) throw new DerError("indefinite length of a primitive value")
  if (bare || isMinimal) {
    const from = bare ? at : start
    append(to.chunks, bytes, from, end)
    return { end, length: end - from, same: !bare }
  }
  const header = writeHeader(tag, end - at)
  to.chunks.push(header)
  append(to.chunks, bytes, at, end)
  return { end, length: header.length + end - at, same: false }
}

// What follows the last chunk in the input makes it longer: a chunk takes more memory than most values.
function append(chunks: Uint8Array[], bytes: Uint8Array, from: number, end: number): void {
  const last = chunks.at(-1)
  const lastEnd = last?.buffer === bytes.buffer ? last.byteOffset - bytes.byteOffset + last.length : undefined
  if (last !== undefined && lastEnd === from && last.length > 0)
    chunks[chunks.length - 1] = bytes.subarray(from - last.length, end)
  else chunks.push(bytes.subarray(from, end))
}

type Place = {
  readonly start: number
  readonly at: number
  readonly end: number | undefined
  readonly limit: number
  readonly isMinimal: boolean
}

function readConstructed(bytes: Uint8Array, place: Place, to: Writing, bare: boolean): Written {
  const tag = bytes[place.start] ?? 0
  const isOctets = tag === CONSTRUCTED_OCTET_STRING
  const header = to.chunks.push(new Uint8Array()) - 1
  to.depth += 1
  const inside = readParts(bytes, place, to, isOctets)
  to.depth -= 1
  if (bare) return { ...inside, same: false }
  if (inside.same && !isOctets && place.end !== undefined && place.isMinimal) {
    // What was DER stays as it was, byte for byte, and is one chunk again.
    to.chunks.splice(header, to.chunks.length, bytes.subarray(place.start, inside.end))
    return { end: inside.end, length: inside.end - place.start, same: true }
  }
  const written = writeHeader(isOctets ? TAG.octetString : tag, inside.length)
  to.chunks[header] = written
  return { end: inside.end, length: written.length + inside.length, same: false }
}

function readParts(bytes: Uint8Array, { at, end, limit }: Place, to: Writing, bare: boolean): Written {
  let next = at
  let length = 0
  let same = true
  while (next < (end ?? limit)) {
    if (end === undefined && bytes[next] === 0 && bytes[next + 1] === 0)
      return { end: next + 2, length, same }
    const part = readValue(bytes, next, end ?? limit, to, bare)
    next = part.end
    length += part.length
    same &&= part.same
  }
  if (end === undefined) throw new DerError("end of contents is missing")
  return { end, length, same }
}

/** X.690, 8.1.3.5: BER may use more octets than the length needs; DER may not (10.1). */
function readLength(bytes: Uint8Array, at: number, limit: number): Length {
  const first = bytes[at] ?? 0
  if (first < 0x80) return { length: first, at: at + 1, isMinimal: true }
  if (first === 0x80) return { at: at + 1, isMinimal: false }
  const count = first & 0x7f
  if (count > 4 || at + 1 + count > limit) throw new DerError("length cut short or too long")
  let length = 0
  for (let i = 1; i <= count; i++) length = length * 256 + (bytes[at + i] ?? 0)
  return { length, at: at + 1 + count, isMinimal: length >= (count === 1 ? 0x80 : 256 ** (count - 1)) }
}

type Length = { readonly length?: number; readonly at: number; readonly isMinimal: boolean }

function writeHeader(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length)
  const size: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest % 256)
  return Uint8Array.of(tag, 0x80 | size.length, ...size)
}
