// The Distinguished Encoding Rules (X.690, clause 10), read strictly and within limits.
// A signature is over bytes, so whatever has two encodings is refused rather than understood.

/** The bytes are not the DER that the standard asks for. */
export class DerError extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "DerError"
  }
}

export type DerNode = {
  /** The identifier octet: class, constructed bit and number. */
  readonly tag: number
  /** The whole encoding, header included; a view into the input. */
  readonly bytes: Uint8Array
  readonly content: Uint8Array
  /** Empty for a primitive encoding. */
  readonly children: readonly DerNode[]
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  enumerated: 0x0a,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

export type DerLimits = { readonly maxDepth: number; readonly maxNodes: number }

// A certificate has some 100 nodes and is 10 deep, a CMS with timestamps some 500; a CRL needs more and says so.
const DEFAULT_LIMITS: DerLimits = { maxDepth: 32, maxNodes: 20_000 }
const MAX_INTEGER_BYTES = 4096
const MAX_OID_BYTES = 64

/** Reads exactly one value; bytes after it are refused, because nobody would have signed them. */
export function readDer(bytes: Uint8Array, limits: DerLimits = DEFAULT_LIMITS): DerNode {
  const state = { nodes: 0, limits }
  const node = readNode(bytes, 0, bytes.length, 1, state)
  if (node.bytes.length !== bytes.length) throw new DerError("bytes after the value")
  return node
}

function readNode(
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
  state: { nodes: number; readonly limits: DerLimits },
): DerNode {
  state.nodes += 1
  if (state.nodes > state.limits.maxNodes) throw new DerError("too many values")
  if (depth > state.limits.maxDepth) throw new DerError("nested too deeply")

  const tag = bytes[start]
  if (tag === undefined || start + 2 > end) throw new DerError("value cut short")
  // Neither X.509 nor CMS uses a tag number above 30.
  if ((tag & 0x1f) === 0x1f) throw new DerError("tag number above 30")
  const { length, headerEnd } = readLength(bytes, start + 1, end)
  const contentEnd = headerEnd + length
  if (contentEnd > end) throw new DerError("length beyond the enclosing value")

  const isConstructed = (tag & 0x20) !== 0
  const children = isConstructed ? readChildren(bytes, headerEnd, contentEnd, depth + 1, state) : NONE
  const content = bytes.subarray(headerEnd, contentEnd)
  checkUniversal(tag, content)
  return { tag, bytes: bytes.subarray(start, contentEnd), content, children }
}

const NONE: readonly DerNode[] = []

function readChildren(
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
  state: { nodes: number; readonly limits: DerLimits },
): readonly DerNode[] {
  const children: DerNode[] = []
  for (let at = start; at < end; ) {
    const child = readNode(bytes, at, end, depth, state)
    children.push(child)
    at += child.bytes.length
  }
  return children
}

/** Where one value lies, found without looking inside: for lists too long to build a node for each of their values. */
export function scanValue(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly tag: number; readonly contentStart: number; readonly end: number } {
  const tag = bytes[start]
  if (tag === undefined || start + 2 > end) throw new DerError("value cut short")
  if ((tag & 0x1f) === 0x1f) throw new DerError("tag number above 30")
  const { length, headerEnd } = readLength(bytes, start + 1, end)
  if (headerEnd + length > end) throw new DerError("length beyond the enclosing value")
  return { tag, contentStart: headerEnd, end: headerEnd + length }
}

function readLength(bytes: Uint8Array, at: number, end: number): { length: number; headerEnd: number } {
  const first = bytes[at] ?? 0
  if (first < 0x80) return { length: first, headerEnd: at + 1 }
  if (first === 0x80) throw new DerError("indefinite length")
  const count = first & 0x7f
  if (count > 4 || at + 1 + count > end) throw new DerError("length cut short or too long")
  let length = 0
  for (let i = 1; i <= count; i++) length = length * 256 + (bytes[at + i] ?? 0)
  if (length < 0x80 || length < 256 ** (count - 1)) throw new DerError("length not minimal")
  return { length, headerEnd: at + 1 + count }
}

// X.690, 8 and 11: the form and the content that DER allows for the universal types we meet.
function checkUniversal(tag: number, content: Uint8Array): void {
  if ((tag & 0xc0) !== 0) return
  const number = tag & 0x1f
  const constructed = (tag & 0x20) !== 0
  const mustBeConstructed = number === 0x10 || number === 0x11 || number === 0x08 || number === 0x0b
  if (number === 0) throw new DerError("end-of-contents octets")
  if (constructed !== mustBeConstructed) throw new DerError("wrong form for a universal type")

  const [first = 0] = content
  if (tag === TAG.boolean && (content.length !== 1 || (first !== 0 && first !== 0xff)))
    throw new DerError("boolean that is neither 00 nor FF")
  if (tag === TAG.null && content.length !== 0) throw new DerError("null with content")
  if (tag === TAG.integer) checkInteger(content, "integer")
  if (tag === TAG.bitString) {
    const last = content[content.length - 1] ?? 0
    if (content.length === 0 || first > 7 || (content.length === 1 && first !== 0))
      throw new DerError("bit string with a wrong count of unused bits")
    if (content.length > 1 && (last & ((1 << first) - 1)) !== 0) throw new DerError("unused bits not zero")
  }
}

// X.690, 8.3.2: the first nine bits are neither all zero nor all one.
function checkInteger(content: Uint8Array, what: string): void {
  const [first = 0, second = 0] = content
  if (content.length === 0) throw new DerError(`${what} without content`)
  if (content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw new DerError(`${what} not minimal`)
}

/** The value if it has the tag; `what` names it in the error. */
export function expectTag(node: DerNode | undefined, tag: number, what: string): DerNode {
  if (node === undefined) throw new DerError(`${what} is missing`)
  if (node.tag !== tag) throw new DerError(`${what} has tag ${node.tag.toString(16)}`)
  return node
}

/** Also of a value whose implicit tag hid from the reader that it is a boolean. */
export function readBoolean(node: DerNode | undefined, what: string): boolean {
  const [first, ...rest] = expectTag(node, TAG.boolean, what).content
  if (rest.length > 0 || (first !== 0 && first !== 0xff)) throw new DerError(`${what} is not a boolean`)
  return first === 0xff
}

/** Also of a value whose implicit tag hid from the reader that it is an integer. */
export function readInteger(node: DerNode | undefined, what: string): bigint {
  const { content } = expectTag(node, TAG.integer, what)
  checkInteger(content, what)
  if (content.length > MAX_INTEGER_BYTES) throw new DerError(`${what} is too large`)
  const value = BigInt(`0x${Buffer.from(content).toString("hex")}`)
  return BigInt.asIntN(content.length * 8, value)
}

export function readOid(node: DerNode | undefined, what: string): string {
  const { content } = expectTag(node, TAG.oid, what)
  const last = content[content.length - 1]
  if (last === undefined || last >= 0x80 || content.length > MAX_OID_BYTES)
    throw new DerError(`${what} is not an object identifier`)
  const arcs: bigint[] = []
  let arc = 0n
  let fresh = true
  for (const octet of content) {
    if (fresh && octet === 0x80) throw new DerError(`${what} is not minimal`)
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    fresh = octet < 0x80
    if (!fresh) continue
    if (arcs.length === 0) {
      const root = arc < 40n ? 0n : arc < 80n ? 1n : 2n
      arcs.push(root, arc - root * 40n)
    } else arcs.push(arc)
    arc = 0n
  }
  return arcs.join(".")
}

/** RFC 5280, 4.1.2.5: UTCTime and GeneralizedTime in Zulu with seconds and without fractions. */
export function readTime(node: DerNode | undefined, what: string): Date {
  if (node === undefined) throw new DerError(`${what} is missing`)
  const text = Buffer.from(node.content).toString("latin1")
  const pattern =
    node.tag === TAG.utcTime
      ? /^(\d{2})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
      : node.tag === TAG.generalizedTime
        ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
        : undefined
  const match = pattern?.exec(text)
  if (!match) throw new DerError(`${what} is not a time`)
  const [given = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  const year = node.tag === TAG.generalizedTime ? given : given < 50 ? 2000 + given : 1900 + given
  const time = new Date(0)
  time.setUTCFullYear(year, month - 1, day)
  time.setUTCHours(hour, minute, second)
  // Date.UTC turns 31 April into 1 May; a time that does not read back was never a time.
  if (
    time.getUTCMonth() !== month - 1 ||
    time.getUTCDate() !== day ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  )
    throw new DerError(`${what} is not a time`)
  return time
}

/** The octets of a bit string whose bits fill whole octets, as keys and signatures do. */
export function readBits(node: DerNode | undefined, what: string): Uint8Array {
  const { content } = expectTag(node, TAG.bitString, what)
  if (content[0] !== 0) throw new DerError(`${what} does not fill its octets`)
  return content.subarray(1)
}

/**
 * The value of a signature, of certificate, CRL or OCSP. One that does not fill its octets is of no algorithm: it is
 * empty here, so that it verifies nowhere and what carries it can still be read, and blamed.
 */
export function readSignatureBits(node: DerNode | undefined, what: string): Uint8Array {
  const { content } = expectTag(node, TAG.bitString, what)
  return content[0] === 0 ? content.subarray(1) : new Uint8Array()
}
