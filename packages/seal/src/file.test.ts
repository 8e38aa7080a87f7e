import { randomBytes } from "node:crypto"
import {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { SealBroken } from "./broken.ts"
import { openSealedFile, readSealedFile, type SealedFile } from "./file.ts"
import { type Layout, layoutOf } from "./layout.ts"
import { SEGMENT_BYTES } from "./stream.ts"
import { collect, sealed } from "./testing/pieces.ts"
import { newKey } from "./wrap.ts"

const SMALL = layoutOf(64)
const folder = mkdtempSync(join(tmpdir(), "paraph-seal-"))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
async function written(plain: Uint8Array, layout?: Layout): Promise<SealedFile> {
  const [key, path] = [newKey(), join(folder, `${count++}`)]
  writeFileSync(path, await sealed(key, "acme documents/1", plain, layout))
  return { path, key, context: "acme documents/1", sizeBytes: plain.length }
}

const someRanges = fc.nat(1_500).chain((size) => {
  const range = fc
    .tuple(fc.nat(size), fc.nat(size))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  return fc.tuple(fc.constant(size), fc.array(range, { minLength: 1, maxLength: 25 }))
})

describe("a sealed file", () => {
  it("is read at any places, in any order, as a slice of the plain bytes is", async () => {
    await fc.assert(
      fc.asyncProperty(someRanges, async ([size, ranges]) => {
        const plain = randomBytes(size)
        const file = await written(plain, SMALL)
        const opened = openSealedFile(file, SMALL)
        expect(opened.length).toBe(size)
        for (const [start, end] of ranges)
          expect(Buffer.compare(opened.read(start, end), plain.subarray(start, end))).toBe(0)
        opened.close()
      }),
      { numRuns: 200 },
    )
  })

  it("is streamed, whole or in part, as a slice of the plain bytes is", async () => {
    await fc.assert(
      fc.asyncProperty(someRanges, async ([size, ranges]) => {
        const plain = randomBytes(size)
        const file = await written(plain, SMALL)
        expect((await collect(readSealedFile(file, undefined, undefined, SMALL))).equals(plain)).toBe(true)
        for (const [start, end] of ranges.slice(0, 3)) {
          const part = await collect(readSealedFile(file, start, end, SMALL))
          expect(part.equals(plain.subarray(start, end))).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })

  it.each([0, 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 10 * SEGMENT_BYTES + 77])(
    "of %i bytes is read at its real size, on both ways",
    async (size) => {
      const plain = randomBytes(size)
      const file = await written(plain)
      expect((await collect(readSealedFile(file))).equals(plain)).toBe(true)
      const opened = openSealedFile(file)
      for (let start = 0; start < size; start += 600_000)
        expect(
          Buffer.compare(opened.read(start, start + 700_000), plain.subarray(start, start + 700_000)),
        ).toBe(0)
      expect(Buffer.compare(opened.read(0, size), plain)).toBe(0)
      opened.close()
    },
  )

  it("is cut off where it ends, and has nothing before it begins", async () => {
    const plain = randomBytes(100)
    const opened = openSealedFile(await written(plain, SMALL), SMALL)
    expect(Buffer.compare(opened.read(90, 1_000), plain.subarray(90))).toBe(0)
    expect(opened.read(100, 101)).toHaveLength(0)
    expect(opened.read(50, 50)).toHaveLength(0)
    expect(() => opened.read(-1, 5)).toThrow(RangeError)
    opened.close()
  })

  it("gives out memory of the reader's own", async () => {
    const plain = randomBytes(100)
    const opened = openSealedFile(await written(plain, SMALL), SMALL)
    opened.read(0, 10).fill(0)
    expect(Buffer.compare(opened.read(0, 10), plain.subarray(0, 10))).toBe(0)
    expect(opened.read(0, 10).buffer.byteLength).toBe(10)
    opened.close()
  })

  it("reads no other segments than the asked ones", async () => {
    const plain = randomBytes(64 * 5)
    const file = await written(plain, SMALL)
    const object = await sealed(file.key, file.context, plain, SMALL)
    // All but the third and the last are broken; whoever touched one of them would throw.
    writeFileSync(
      file.path,
      object.map((byte, at) => (at < 33 || (at >= 193 && at < 273) || at >= 353 ? byte : byte ^ 1)),
    )
    const opened = openSealedFile(file, SMALL)
    expect(Buffer.compare(opened.read(128, 192), plain.subarray(128, 192))).toBe(0)
    expect(() => opened.read(127, 192)).toThrow(SealBroken)
    expect(() => opened.read(128, 193)).toThrow(SealBroken)
    expect(Buffer.compare(opened.read(128, 192), plain.subarray(128, 192))).toBe(0)
    opened.close()
    const part = await collect(readSealedFile(file, 128, 192, SMALL))
    expect(part.equals(plain.subarray(128, 192))).toBe(true)
  })

  it("keeps the eight segments that were used last, and no more", async () => {
    const plain = randomBytes(64 * 9)
    const file = await written(plain, SMALL)
    const opened = openSealedFile(file, SMALL)
    const segment = (index: number) => opened.read(64 * index, 64 * index + 64)
    for (const index of [0, 1, 2, 3, 4, 5, 6, 7, 0, 8]) segment(index)
    // Nothing can be read from the file any more: what still comes was kept.
    truncateSync(file.path, 0)
    for (const index of [0, 2, 3, 4, 5, 6, 7, 8])
      expect(Buffer.compare(segment(index), plain.subarray(64 * index, 64 * index + 64))).toBe(0)
    expect(() => segment(1)).toThrow("shorter")
    opened.close()
  })
})

describe("refused is", () => {
  it("a file with a byte too few or too many, at opening", async () => {
    const plain = randomBytes(200)
    const file = await written(plain, SMALL)
    const object = await sealed(file.key, file.context, plain, SMALL)
    for (const bytes of [object.subarray(0, -1), Buffer.concat([object, Buffer.of(0)]), Buffer.alloc(0)]) {
      writeFileSync(file.path, bytes)
      expect(() => openSealedFile(file, SMALL)).toThrow(SealBroken)
      await expect(collect(readSealedFile(file, 0, 1, SMALL))).rejects.toThrow(SealBroken)
    }
  })

  it("a file with another key or another name, at opening", async () => {
    const file = await written(randomBytes(200), SMALL)
    expect(() => openSealedFile({ ...file, key: newKey() }, SMALL)).toThrow("another key")
    await expect(collect(readSealedFile({ ...file, key: newKey() }, 0, 1, SMALL))).rejects.toThrow(
      "another key",
    )
    const renamed = { ...file, context: "acme documents/2" }
    expect(() => openSealedFile(renamed, SMALL)).toThrow(SealBroken)
    await expect(collect(readSealedFile(renamed, 0, 1, SMALL))).rejects.toThrow(SealBroken)
  })

  it("a range that is not in the file", async () => {
    const file = await written(randomBytes(200), SMALL)
    await expect(collect(readSealedFile(file, 0, 201, SMALL))).rejects.toThrow(RangeError)
    await expect(collect(readSealedFile(file, 5, 4, SMALL))).rejects.toThrow(RangeError)
  })

  it("a folder, a link, and a file that is closed", async () => {
    const file = await written(randomBytes(200), SMALL)
    expect(() => openSealedFile({ ...file, path: folder }, SMALL)).toThrow(TypeError)
    const link = `${file.path}-link`
    symlinkSync(file.path, link)
    expect(() => openSealedFile({ ...file, path: link }, SMALL)).toThrow("ELOOP")
    await expect(collect(readSealedFile({ ...file, path: link }, 0, 1, SMALL))).rejects.toThrow("ELOOP")
    const opened = openSealedFile(file, SMALL)
    opened.close()
    opened.close()
    expect(() => opened.read(0, 1)).toThrow("closed")
  })

  it("a file that becomes shorter while it is streamed", async () => {
    const file = await written(randomBytes(64 * 6), SMALL)
    const pieces = readSealedFile(file, undefined, undefined, SMALL)
    await pieces.next()
    truncateSync(file.path, 100)
    await expect(collect(pieces)).rejects.toThrow(SealBroken)
  })
})

it.runIf(process.platform === "linux")("leaves no descriptor open, however a reader ends", async () => {
  const file = await written(randomBytes(64 * 6), SMALL)
  const wrong = { ...file, key: newKey() }
  for await (const _ of readSealedFile(file, undefined, undefined, SMALL)) break
  await expect(collect(readSealedFile(wrong, 0, 1, SMALL))).rejects.toThrow()
  expect(() => openSealedFile(wrong, SMALL)).toThrow()
  openSealedFile(file, SMALL).close()
  await collect(readSealedFile(file, undefined, undefined, SMALL))
  expect(openPaths()).not.toContain(file.path)
  const opened = openSealedFile(file, SMALL)
  expect(openPaths()).toContain(file.path)
  opened.close()
})

function openPaths(): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)]
    } catch {
      return []
    }
  })
}
