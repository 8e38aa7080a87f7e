import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { SealBroken } from "./broken.ts"
import { openSealedFile, readSealedFile } from "./file.ts"
import {
  HEADER_BYTES,
  type Layout,
  layoutOf,
  segmentAt,
  segmentCount,
  TAG_BYTES,
  VERSION_2,
} from "./layout.ts"
import { openRange, sealedRange } from "./range.ts"
import { open } from "./stream.ts"
import { inPieces, sealed } from "./testing/pieces.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-seal-"))
afterAll(() => rmSync(folder, { recursive: true }))

const SEED = 20_261_115
// Small segments show the same as large ones, hundreds of times as fast; a part is done at the real size all the same.
const SMALL_MUTATIONS = 9_940
const REAL_MUTATIONS = 60

it("[R35] 10,000 of 10,000 mutations are noticed, and no wrong byte has come out before", async () => {
  const random = randomFrom(SEED)
  const seen = new Map<string, number>()
  let noticed = 0
  const run = async (mutations: number, world: World) => {
    for (let turn = 0; turn < mutations; turn += 1) {
      const { name, mutant } = mutation(turn, world, random)
      await mustBeNoticed(mutant, world.layout, random, `${name}, turn ${turn}, seed ${SEED}`)
      seen.set(name, (seen.get(name) ?? 0) + 1)
      noticed += 1
    }
  }
  const small = [0, 1, 63, 64, 65, 128, 150, 192, 256, 300]
  await run(SMALL_MUTATIONS, await worldOf(layoutOf(64), small, random))
  const one = VERSION_2.segmentBytes
  await run(REAL_MUTATIONS, await worldOf(VERSION_2, [one, 2 * one, 2 * one + 9], random))
  expect(noticed).toBe(10_000)
  for (const name of Object.keys(MUTATIONS)) expect(seen.get(name), name).toBeGreaterThan(500)
}, 120_000)

/** One object as it should be: its own key, its own name, and whose it is. */
type Sealed = {
  readonly plain: Buffer
  readonly key: Buffer
  readonly context: string
  readonly object: Buffer
}
type World = { readonly layout: Layout; readonly objects: readonly Sealed[] }
/** What a reader is given: the bytes of the store, and the key and name of its row; `plain` is what was put in. */
type Mutant = Sealed
type Random = (below: number) => number

/** Documents of one business. Half of them have the same plain bytes as another. */
async function worldOf(layout: Layout, sizes: readonly number[], random: Random): Promise<World> {
  const objects: Sealed[] = []
  for (const size of sizes) {
    const plain = bytesFrom(random, size)
    for (const bytes of [plain, plain, bytesFrom(random, size)]) {
      const [key, context] = [bytesFrom(random, 32), `acme documents/${objects.length}`]
      objects.push({ plain: bytes, key, context, object: await sealed(key, context, bytes, layout) })
    }
  }
  return { layout, objects }
}

/** Takes the kinds in turn; where one cannot be done to the drawn object, or changes nothing, another is drawn. */
function mutation(turn: number, { layout, objects }: World, random: Random) {
  const [name, mutate] = at(Object.entries(MUTATIONS), turn % Object.keys(MUTATIONS).length)
  for (;;) {
    const victim = at(objects, random(objects.length))
    const other = at(objects, random(objects.length))
    const [mine, theirs] = [partsOf(victim, layout), partsOf(other, layout)]
    const foreign = theirs.segments
    const mutant = { ...victim, ...mutate({ victim, other, random, foreign, ...mine }) }
    const same = mutant.object.equals(victim.object) && mutant.key.equals(victim.key)
    if (other !== victim && !(same && mutant.context === victim.context)) return { name, mutant }
  }
}

type Given = {
  readonly victim: Sealed
  readonly other: Sealed
  readonly header: Buffer
  readonly segments: readonly Buffer[]
  readonly foreign: readonly Buffer[]
  readonly random: Random
}

const MUTATIONS: Readonly<Record<string, (given: Given) => Partial<Sealed>>> = {
  "a bit anywhere": ({ victim, random }) => ({
    object: flipped(victim.object, random(victim.object.length), random),
  }),
  "a bit of a tag": ({ header, segments, random }) => {
    const index = random(segments.length)
    const segment = at(segments, index)
    const place = segment.length - 1 - random(TAG_BYTES)
    return put(header, segments.with(index, flipped(segment, place, random)))
  },
  "a cut anywhere": ({ victim, random }) => ({
    object: victim.object.subarray(0, random(victim.object.length)),
  }),
  "a cut at a border, so that another segment is last": ({ header, segments, random }) =>
    put(header, segments.slice(0, random(segments.length))),
  "bytes left out within": ({ victim: { object }, random }) => {
    const start = random(object.length)
    return { object: Buffer.concat([object.subarray(0, start), object.subarray(start + 1 + random(100))]) }
  },
  "two segments swapped": ({ header, segments, random }) => {
    const [one, two] = [random(segments.length), random(segments.length)]
    return put(header, segments.with(one, at(segments, two)).with(two, at(segments, one)))
  },
  "a segment twice": ({ header, segments, random }) => {
    const index = random(segments.length)
    return put(header, segments.toSpliced(random(segments.length + 1), 0, at(segments, index)))
  },
  "a segment in the place of another": ({ header, segments, random }) =>
    put(header, segments.with(random(segments.length), at(segments, random(segments.length)))),
  "a segment left out": ({ header, segments, random }) =>
    put(header, segments.toSpliced(random(segments.length), 1)),
  "the last segment before the others": ({ header, segments }) =>
    put(header, [...segments.slice(-1), ...segments.slice(0, -1)]),
  "a tail": ({ victim, random }) => ({
    object: Buffer.concat([victim.object, bytesFrom(random, 1 + random(100))]),
  }),
  "an empty segment behind": ({ header, segments }) => put(header, [...segments, Buffer.alloc(TAG_BYTES)]),
  "the header of another object": ({ other, segments }) =>
    put(other.object.subarray(0, HEADER_BYTES), segments),
  "another version": ({ victim, random }) => {
    const object = Buffer.from(victim.object)
    object[0] = random(256)
    return { object }
  },
  "the object of another document": ({ other }) => ({ object: other.object }),
  "the key of another document": ({ other }) => ({ key: other.key }),
  "the object and the key of another document": ({ other }) => ({ object: other.object, key: other.key }),
  "the name of another document": ({ other }) => ({ context: other.context }),
  "a segment of another document": ({ header, segments, foreign, random }) => {
    const index = random(segments.length)
    return put(header, segments.with(index, at(foreign, Math.min(index, foreign.length - 1))))
  },
}

/** However it is read: it throws before it ends, and what came out before is what was put in. */
async function mustBeNoticed(mutant: Mutant, layout: Layout, random: Random, how: string): Promise<void> {
  const { plain, key, context, object } = mutant
  const size = plain.length
  await mustBreak(
    open(key, context, inPieces(object, [random(99) + 1, 65_536]), layout),
    plain,
    `open: ${how}`,
  )

  const path = join(folder, "mutant")
  writeFileSync(path, object)
  const file = { path, key, context, sizeBytes: size }
  await mustBreak(readSealedFile(file, undefined, undefined, layout), plain, `readSealedFile: ${how}`)
  mustBreakAtRandom(() => openSealedFile(file, layout), plain, random, `openSealedFile: ${how}`)

  const ends = [random(size + 1), random(size + 1)].sort((a, b) => a - b)
  const [start, end] = [at(ends, 0), at(ends, 1)]
  const { from, to } = sealedRange(size, start, end, layout)
  const pieces = inPieces(object.subarray(from, to))
  await mayBreak(openRange(key, context, size, start, end, pieces, layout), plain.subarray(start, end), how)
  const all = openRange(key, context, size, 0, size, inPieces(object), layout)
  await mustBreak(all, plain, `openRange: ${how}`)
}

/** A reader that stays open may give true bytes from before and behind the damage, and never all of them. */
function mustBreakAtRandom(
  opening: () => ReturnType<typeof openSealedFile>,
  plain: Buffer,
  random: Random,
  how: string,
): void {
  const opened = refused(opening)
  if (opened === null) return
  for (let turn = 0; turn < 4; turn += 1) {
    const start = random(plain.length)
    const bytes = refused(() => opened.read(start, start + 1 + random(100)))
    if (bytes !== null && Buffer.compare(bytes, plain.subarray(start, start + bytes.length)) !== 0)
      expect.unreachable(how)
  }
  if (refused(() => opened.read(0, plain.length)) !== null) expect.unreachable(how)
  opened.close()
}

async function mustBreak(pieces: AsyncIterable<Uint8Array>, plain: Buffer, how: string): Promise<void> {
  if ((await given(pieces, plain, how)) !== "broken") expect.unreachable(how)
}

async function mayBreak(pieces: AsyncIterable<Uint8Array>, plain: Buffer, how: string): Promise<void> {
  const outcome = await given(pieces, plain, how)
  if (outcome !== "broken" && outcome !== plain.length) expect.unreachable(how)
}

/** How many bytes came, all of them true, or that it broke. Any other error is a fault of ours. */
async function given(
  pieces: AsyncIterable<Uint8Array>,
  plain: Buffer,
  how: string,
): Promise<number | "broken"> {
  let bytes = 0
  try {
    for await (const piece of pieces) {
      if (Buffer.compare(piece, plain.subarray(bytes, bytes + piece.length)) !== 0) expect.unreachable(how)
      bytes += piece.length
    }
    return bytes
  } catch (error) {
    if (error instanceof SealBroken) return "broken"
    throw error
  }
}

function refused<T>(act: () => T): T | null {
  try {
    return act()
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

function partsOf(victim: Sealed, layout: Layout) {
  const size = victim.plain.length
  return {
    header: victim.object.subarray(0, HEADER_BYTES),
    segments: Array.from({ length: segmentCount(layout, size) }, (_, index) => {
      const { from, to } = segmentAt(layout, size, index)
      return victim.object.subarray(from, to)
    }),
  }
}

const put = (header: Buffer, segments: readonly Buffer[]) => ({
  object: Buffer.concat([header, ...segments]),
})

function flipped(bytes: Buffer, place: number, random: Random): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(place) ^ (1 << random(8)), place)
  return changed
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError("The list has no such item.")
  return item
}

/** A small generator with a seed (mulberry32), so that a failure can be repeated. */
function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function bytesFrom(random: Random, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let place = 0; place < size; place += 1) bytes[place] = random(256)
  return bytes
}
