// Changes one value of a DER encoding and fits the lengths around it again, so that the change reaches the reader of that
// value. Values inside octet and bit strings (extensions, keys) are met too. The reading here is lax, and our own: what
// judges a reader must not be made of it.

import type { Random } from "./random.ts"

export type Lax = {
  readonly tag: number
  /** Of a primitive value, or of one whose inside is not DER. */
  readonly content: Uint8Array
  readonly children?: readonly Lax[]
  /** Octets of a bit string before its children: the count of unused bits. */
  readonly prefix?: Uint8Array
}

const MAX_DEPTH = 40

export function mutateDer(bytes: Uint8Array, pool: readonly Uint8Array[], random: Random): Uint8Array {
  const root = readLax(bytes)
  if (root === undefined) return bytes
  const nodes = paths(root)
  const path = random.pick(nodes)
  const donor = readLax(random.pick(pool)) ?? root
  const changed = changeAt(root, path, (node) => random.pick(CHANGES)(node, random, donor))
  return writeLax(changed[0] ?? root, random.chance(0.1) ? random : undefined)
}

/** One value, or nothing where the bytes are not one. With `plain`, what strings hold is left alone. */
export function readLax(bytes: Uint8Array, plain = false): Lax | undefined {
  const read = readOne(bytes, 0, 0, plain)
  return read !== undefined && read.end === bytes.length ? read.node : undefined
}

function readOne(
  bytes: Uint8Array,
  start: number,
  depth: number,
  plain: boolean,
): { node: Lax; end: number } | undefined {
  const tag = bytes[start]
  let length = bytes[start + 1]
  if (tag === undefined || length === undefined || depth > MAX_DEPTH || (tag & 0x1f) === 0x1f)
    return undefined
  let at = start + 2
  if (length > 0x80) {
    const count = length & 0x7f
    if (count > 4) return undefined
    length = 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + i] ?? 0)
    at += count
  }
  const end = at + length
  if (end > bytes.length) return undefined
  const content = bytes.subarray(at, end)
  return { node: inside(tag, content, depth, plain), end }
}

function inside(tag: number, content: Uint8Array, depth: number, plain: boolean): Lax {
  const constructed = (tag & 0x20) !== 0
  if (!constructed && (plain || (tag !== 0x03 && tag !== 0x04))) return { tag, content }
  const prefix = content.subarray(0, tag === 0x03 ? 1 : 0)
  const children = readAll(content.subarray(prefix.length), depth, plain)
  // An octet string that happens to begin like a value is one only if it is that value and nothing more.
  if (children === undefined || (!constructed && children.length !== 1)) return { tag, content }
  return { tag, content, children, prefix }
}

function readAll(bytes: Uint8Array, depth: number, plain: boolean): readonly Lax[] | undefined {
  const children: Lax[] = []
  for (let at = 0; at < bytes.length; ) {
    const read = readOne(bytes, at, depth + 1, plain)
    if (read === undefined) return undefined
    children.push(read.node)
    at = read.end
  }
  return children
}

/** With the fewest octets of length; with `random`, sometimes as BER would allow. */
export function writeLax(node: Lax, random?: Random): Uint8Array {
  const content =
    node.children === undefined
      ? node.content
      : Buffer.concat([
          node.prefix ?? new Uint8Array(),
          ...node.children.map((child) => writeLax(child, random)),
        ])
  if (random?.chance(0.1) === true && (node.tag & 0x20) !== 0)
    return Buffer.concat([Uint8Array.of(node.tag, 0x80), content, Uint8Array.of(0, 0)])
  return Buffer.concat([Uint8Array.of(node.tag, ...lengthOctets(content.length, random)), content])
}

function lengthOctets(length: number, random: Random | undefined): readonly number[] {
  const size: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest % 256)
  if (random?.chance(0.1) === true) return [0x80 | (size.length + 1), 0, ...size]
  return length < 0x80 ? [length] : [0x80 | size.length, ...size]
}

type Path = readonly number[]

function paths(node: Lax, path: Path = []): readonly Path[] {
  const own: Path[] = [path]
  for (const [i, child] of (node.children ?? []).entries()) own.push(...paths(child, [...path, i]))
  return own
}

function changeAt(node: Lax, [first, ...rest]: Path, change: (node: Lax) => readonly Lax[]): readonly Lax[] {
  if (first === undefined) return change(node)
  const children = node.children?.flatMap((child, i) =>
    i === first ? changeAt(child, rest, change) : [child],
  )
  return [children === undefined ? node : { ...node, children }]
}

type Change = (node: Lax, random: Random, donor: Lax) => readonly Lax[]

const TAGS = [
  ...[
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x1e, 0x24, 0x30, 0x31, 0x00,
    0x09,
  ],
  ...[0x80, 0x81, 0x82, 0x85, 0x86, 0x87, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0x1f, 0xbf],
]

const CONTENTS = [
  ...[
    "",
    "00",
    "ff",
    "01",
    "7f",
    "80",
    "ffff",
    "0000",
    "0080",
    "00ff",
    "ff7f",
    "8000",
    "2a",
    "2b0601",
    "550406",
    "80ff",
  ],
  ...[
    "00".repeat(20),
    "ff".repeat(33),
    "01".repeat(300),
    "7f".repeat(5000),
    "81".repeat(70),
    "0102ffffffffffffff7f",
  ],
  ...[
    "20260230000000Z",
    "991231235959Z",
    "00000101000000Z",
    "20261115045900.5Z",
    "20261115240000Z",
    "99991231235959Z",
  ].map((text) => Buffer.from(text).toString("hex")),
].map((hex) => new Uint8Array(Buffer.from(hex, "hex")))

const CHANGES: readonly Change[] = [
  () => [],
  (node) => [node, node],
  (node, random) => [{ ...node, tag: random.pick(TAGS) }],
  (node, random) => [leaf(node.tag, random.pick(CONTENTS))],
  (node, random) => [leaf(node.tag, nudge(node.children ? writeLax(node) : node.content, random))],
  (node, random) => [leaf(node.tag, nudge(node.content, random))],
  (_, random, donor) => [nodeAt(donor, random.pick(paths(donor)))],
  (node, random, donor) => [node, nodeAt(donor, random.pick(paths(donor)))],
  (node, random, donor) => [nodeAt(donor, random.pick(paths(donor))), node],
  (node, random) => [leaf(random.pick(TAGS), random.pick(CONTENTS)), node],
  (node, random) => [node, leaf(random.pick(TAGS), random.pick(CONTENTS))],
  (node, random) => [
    wrap(node, random.pick([0x30, 0x31, 0xa0, 0x04]), 1 + random.below(random.pick([2, 45]))),
  ],
  (node, random) => {
    const children = node.children ?? []
    return [children.length < 2 ? node : { ...node, children: swapped(children, random) }]
  },
  (node, random) =>
    random.chance(0.2) ? Array.from({ length: random.pick([20, 300]) }, () => node) : [node],
]

function leaf(tag: number, content: Uint8Array): Lax {
  return { tag, content }
}

function nudge(content: Uint8Array, random: Random): Uint8Array {
  const copy = new Uint8Array(content)
  if (copy.length === 0) return Uint8Array.of(random.below(256))
  const at = random.below(copy.length)
  copy[at] = random.chance(0.5) ? (copy[at] ?? 0) ^ (1 << random.below(8)) : random.below(256)
  return random.chance(0.2) ? copy.subarray(0, at) : copy
}

function nodeAt(node: Lax, [first, ...rest]: Path): Lax {
  const child = first === undefined ? undefined : node.children?.[first]
  return child === undefined ? node : nodeAt(child, rest)
}

function wrap(node: Lax, tag: number, times: number): Lax {
  return times === 0 ? node : wrap({ tag, content: new Uint8Array(), children: [node] }, tag, times - 1)
}

function swapped(children: readonly Lax[], random: Random): readonly Lax[] {
  const copy = [...children]
  const [from, to] = [random.below(copy.length), random.below(copy.length)]
  const [a, b] = [copy[from], copy[to]]
  if (a === undefined || b === undefined) return children
  copy[from] = b
  copy[to] = a
  return copy
}

/** The encoding without one of its values, or with one of them empty; those that save most come first. */
export function* smallerDer(bytes: Uint8Array): Generator<Uint8Array> {
  const root = readLax(bytes)
  if (root === undefined) return
  for (const path of paths(root)) {
    for (const change of [() => [], ({ tag }: Lax) => [leaf(tag, new Uint8Array())]]) {
      const [changed] = changeAt(root, path, change)
      if (changed !== undefined) yield writeLax(changed)
    }
  }
}
