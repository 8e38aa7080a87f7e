/** A square of so many modules, and the dark ones of it as the path of an SVG. */
export type QrCode = { readonly size: number; readonly path: string }

/** Level L, versions 1 to 20 (ISO/IEC 18004, table 9): on a screen nothing is torn off. */
const CHECK_BYTES = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]

/**
 * The text as a QR code (ISO/IEC 18004): byte mode, level L, always mask 0. A secret is random, so one mask is as good as
 * another. Drawn here, because a secret goes to no other service and the page needs no library for one picture.
 */
export function qrCode(text: string): QrCode {
  const bytes = Buffer.from(text)
  const version = versionFor(bytes.length)
  const grid = emptyGrid(version)
  drawPatterns(grid, version)
  drawBits(grid, interleaved(version, framed(version, bytes)))
  return { size: grid.size, path: pathOf(grid) }
}

type Grid = {
  readonly size: number
  readonly dark: boolean[][]
  /** Modules that are not data. */
  readonly fixed: boolean[][]
}

const emptyGrid = (version: number): Grid => {
  const size = version * 4 + 17
  const square = () => Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  return { size, dark: square(), fixed: square() }
}

const checkBytes = (version: number): number => CHECK_BYTES[version - 1] ?? 0
const blockCount = (version: number): number => BLOCKS[version - 1] ?? 0
const alignments = (version: number): number => (version === 1 ? 0 : Math.floor(version / 7) + 2)

/** What is left of the square when the patterns are in it. */
function codewords(version: number): number {
  const n = alignments(version)
  const whole = (16 * version + 128) * version + 64
  const aligned = version === 1 ? 0 : (25 * n - 10) * n - 55
  return Math.floor((whole - aligned - (version >= 7 ? 36 : 0)) / 8)
}
const dataBytes = (version: number): number => codewords(version) - checkBytes(version) * blockCount(version)
/** Mode and length come before the bytes (7.4.1, table 3). */
const headBits = (version: number): number => (version < 10 ? 12 : 20)

function versionFor(length: number): number {
  const version = CHECK_BYTES.findIndex((_, at) => headBits(at + 1) + length * 8 <= dataBytes(at + 1) * 8) + 1
  if (version === 0) throw new Error("The text is too long for a QR code.")
  return version
}

/** 7.4.9: mode, length, bytes, an end of up to four bits, then two bytes by turns. */
function framed(version: number, bytes: Uint8Array): readonly number[] {
  const room = dataBytes(version) * 8
  const length = bytes.length.toString(2).padStart(headBits(version) - 4, "0")
  const content = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("")
  const bits = `0100${length}${content}0000`.slice(0, room)
  const words = (bits.padEnd(Math.ceil(bits.length / 8) * 8, "0").match(/.{8}/g) ?? []).map((word) =>
    Number.parseInt(word, 2),
  )
  const used = words.length
  while (words.length < room / 8) words.push((words.length - used) % 2 === 0 ? 0xec : 0x11)
  return words
}

/** 7.5 and 7.6: blocks, the longer ones last, each with its check bytes, and then one byte of each by turns. */
function interleaved(version: number, data: readonly number[]): readonly number[] {
  const count = blockCount(version)
  const short = Math.floor(data.length / count)
  const longOnes = data.length % count
  const divisor = generator(checkBytes(version))
  let at = 0
  const blocks = Array.from({ length: count }, (_, index) => {
    const words = data.slice(at, at + short + (index >= count - longOnes ? 1 : 0))
    at += words.length
    return { words, check: remainder(words, divisor) }
  })
  const byTurns = (lists: readonly (readonly number[])[]) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, index) =>
      lists.flatMap((list) => list[index] ?? []),
    ).flat()
  return [...byTurns(blocks.map(({ words }) => words)), ...byTurns(blocks.map(({ check }) => check))]
}

/** In GF(2⁸) with x⁸ + x⁴ + x³ + x² + 1 (annex A). */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    if ((other >> bit) & 1) product ^= one
  }
  return product
}

/** (x − 1)(x − α)…, without its first coefficient, which is 1. */
function generator(degree: number): readonly number[] {
  let product = [...Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let index = 0; index < degree; index++) {
    product = product.map((value, at) => times(value, root) ^ (product[at + 1] ?? 0))
    root = times(root, 2)
  }
  return product
}

function remainder(words: readonly number[], divisor: readonly number[]): readonly number[] {
  let rest = divisor.map(() => 0)
  for (const word of words) {
    const factor = word ^ (rest[0] ?? 0)
    rest = divisor.map((value, at) => (rest[at + 1] ?? 0) ^ times(value, factor))
  }
  return rest
}

function drawPatterns(grid: Grid, version: number): void {
  const { size } = grid
  for (let at = 0; at < size; at++) {
    put(grid, 6, at, at % 2 === 0)
    put(grid, at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(grid, x, y, 4)
  const places = alignmentPlaces(version)
  const last = places.length - 1
  for (const [i, x] of places.entries())
    for (const [j, y] of places.entries()) {
      const isCorner = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0)
      if (!isCorner) drawRings(grid, x, y, 2)
    }
  drawFormat(grid)
  if (version >= 7) drawVersion(grid, version)
}

function put({ size, dark, fixed }: Grid, x: number, y: number, isDark: boolean): void {
  const [row, marks] = [dark[y], fixed[y]]
  if (x < 0 || x >= size || row === undefined || marks === undefined) return
  row[x] = isDark
  marks[x] = true
}

/** Around a finder pattern there is one light ring more. */
function drawRings(grid: Grid, x: number, y: number, reach: number): void {
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy))
      put(grid, x + dx, y + dy, reach === 4 ? ring !== 2 && ring !== 4 : ring !== 1)
    }
}

/** Annex E. */
function alignmentPlaces(version: number): readonly number[] {
  const count = alignments(version)
  if (count === 0) return []
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const last = version * 4 + 10
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - step * (count - 2 - index))]
}

/** 7.9: level L is 01, mask 0 is 000; with its check bits, twice. */
function drawFormat(grid: Grid): void {
  const { size } = grid
  const data = 0b01000
  const bits = ((data << 10) | check(data, 10, 0x537)) ^ 0x5412
  const isSet = (at: number) => ((bits >> at) & 1) === 1
  for (let at = 0; at < 6; at++) put(grid, 8, at, isSet(at))
  put(grid, 8, 7, isSet(6))
  put(grid, 8, 8, isSet(7))
  put(grid, 7, 8, isSet(8))
  for (let at = 9; at < 15; at++) put(grid, 14 - at, 8, isSet(at))
  for (let at = 0; at < 8; at++) put(grid, size - 1 - at, 8, isSet(at))
  for (let at = 8; at < 15; at++) put(grid, 8, size - 15 + at, isSet(at))
  put(grid, 8, size - 8, true)
}

/** 7.10. */
function drawVersion(grid: Grid, version: number): void {
  const bits = (version << 12) | check(version, 12, 0x1f25)
  for (let at = 0; at < 18; at++) {
    const isDark = ((bits >> at) & 1) === 1
    const [far, near] = [grid.size - 11 + (at % 3), Math.floor(at / 3)]
    put(grid, far, near, isDark)
    put(grid, near, far, isDark)
  }
}

function check(data: number, bits: number, divisor: number): number {
  let rest = data
  for (let at = 0; at < bits; at++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * divisor)
  return rest
}

/** 7.7.3: pairs of columns from the right, up and down by turns, around all that is fixed; 7.8.2: mask 0. */
function drawBits({ size, dark, fixed }: Grid, words: readonly number[]): void {
  let bit = 0
  for (let pair = 0, right = size - 1; right >= 1; right -= 2, pair++) {
    if (right === 6) right = 5
    for (let down = 0; down < size; down++)
      for (const x of [right, right - 1]) {
        const y = pair % 2 === 0 ? size - 1 - down : down
        const row = dark[y]
        if (row === undefined || fixed[y]?.[x] === true) continue
        const isSet = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
        row[x] = isSet !== ((x + y) % 2 === 0)
        bit += 1
      }
  }
}

const pathOf = ({ dark }: Grid): string =>
  dark.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join("")
