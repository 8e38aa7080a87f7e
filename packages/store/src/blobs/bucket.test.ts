import { randomBytes, randomUUID } from "node:crypto"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { crc32 } from "node:zlib"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createOwnBucket } from "../testing/own-bucket.ts"
import { collect, createSealedFiles, newName } from "../testing/sealed-files.ts"
import { type Bucket, type Listed, type Mark, NameTaken, ObjectMissing, RangeOutside } from "./bucket.ts"
import { createFolderBucket } from "./folder-bucket.ts"
import { createS3Bucket } from "./s3-bucket.ts"

const files = createSealedFiles()
afterAll(() => files.close())

const MAX_BYTES = 112_500_000

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** What somebody still holds; how much the process has taken says more about when garbage was collected last. */
const heldBytes = (): number => {
  collectGarbage()
  // V8 frees the bytes of dead buffers beside the program: only a second collection waits for what the first began.
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

type Kind = {
  readonly kind: string
  readonly start: () => Promise<{ bucket: Bucket; close: () => Promise<void> }>
}

const kinds: readonly Kind[] = [
  {
    kind: "S3",
    start: async () => {
      const own = await createOwnBucket()
      const bucket = createS3Bucket(own.settings)
      const close = async () => {
        bucket.close()
        await own.close()
      }
      return { bucket, close }
    },
  },
  {
    kind: "a folder",
    start: async () => ({
      bucket: createFolderBucket(join(files.folder, "bucket")),
      close: async () => undefined,
    }),
  },
]

describe.each(kinds)("a bucket that is $kind", ({ start }) => {
  let bucket: Bucket
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ bucket, close } = await start())
  })
  afterAll(() => close())

  const put = async (bytes: Uint8Array): Promise<string> => {
    const name = newName()
    await bucket.put(name, files.of(bytes))
    return name
  }
  const list = async (after?: string): Promise<Listed[]> => {
    const all: Listed[] = []
    for await (const one of bucket.list(after)) all.push(one)
    return all
  }

  it.each([0, 1, 65_536, (3 << 20) + 12_345])("gives back %i bytes as they were put", async (size) => {
    const bytes = randomBytes(size)
    expect((await collect(bucket.get(await put(bytes)))).equals(bytes)).toBe(true)
  })

  it("[R38] keeps marks of what was erased, each once, apart from its objects", async () => {
    const marks = [
      { about: "signature-request", id: randomUUID() },
      { about: "object", id: randomUUID() },
    ] as const
    for (const mark of [...marks, ...marks]) await bucket.markErased(mark)
    const listed: Mark[] = []
    for await (const mark of bucket.listErased()) listed.push(mark)
    expect(new Set(listed)).toEqual(new Set(marks))
    expect(listed).toHaveLength(2)
    expect((await list()).filter(({ name }) => name.includes(marks[1].id))).toEqual([])
  })

  it.each(["../../etc", "", "a/b", "ab\u0000"])("takes no mark of %j", async (id) => {
    await expect(bucket.markErased({ about: "object", id })).rejects.toThrow("no mark")
  })

  it("gives any range of an object, and no range beyond its end", async () => {
    const bytes = randomBytes(300_000)
    const name = await put(bytes)
    const ends = fc.tuple(fc.nat(300_000), fc.nat(300_000)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)])
    await fc.assert(
      fc.asyncProperty(ends, async ([from = 0, to = 0]) => {
        const got = await collect(bucket.get(name, { start: from, end: to }))
        expect(got.equals(bytes.subarray(from, to))).toBe(true)
      }),
      { numRuns: 60, examples: [[[0, 300_000]], [[299_999, 300_000]], [[0, 1]], [[300_000, 300_000]]] },
    )
    for (const range of [
      { start: 299_999, end: 300_001 },
      { start: 300_000, end: 300_001 },
    ])
      await expect(collect(bucket.get(name, range))).rejects.toThrow(RangeOutside)
    for (const range of [
      { start: 2, end: 1 },
      { start: -1, end: 1 },
      { start: 0.5, end: 1 },
    ])
      await expect(collect(bucket.get(name, range))).rejects.toThrow("no range")
  })

  it("writes a name once: whoever comes later, alone or twenty at a time, is refused and changes nothing", async () => {
    const bytes = randomBytes(200_000)
    const name = await put(bytes)
    const others = Array.from({ length: 20 }, () => bucket.put(name, files.of(randomBytes(200_000))))
    for (const result of await Promise.allSettled(others))
      expect(result.status === "rejected" && result.reason).toBeInstanceOf(NameTaken)
    expect((await collect(bucket.get(name))).equals(bytes)).toBe(true)
  })

  it("refuses a file whose checksum or size is not what was said, and stores nothing", async () => {
    const file = files.of(randomBytes(100_000))
    const name = newName()
    await expect(bucket.put(name, { ...file, crc32: file.crc32 ^ 1 })).rejects.toThrow()
    await expect(bucket.put(name, { ...file, sizeBytes: 99_999 })).rejects.toThrow("another size")
    await expect(bucket.put(name, { ...file, path: `${file.path}.gone` })).rejects.toThrow("ENOENT")
    await expect(collect(bucket.get(name))).rejects.toThrow(ObjectMissing)
  })

  it("removes an object, and does not mind that it is gone already", async () => {
    const name = await put(randomBytes(10))
    await bucket.remove(name)
    await bucket.remove(name)
    await bucket.remove(newName())
    await expect(collect(bucket.get(name))).rejects.toThrow(ObjectMissing)
    expect((await list()).map((one) => one.name)).not.toContain(name)
  })

  it("lists every object in the order of names, from any name on", async () => {
    const sizes = new Map<string, number>()
    for (let size = 1; size <= 40; size += 1) sizes.set(await put(randomBytes(size)), size)
    const all = await list()
    const names = all.map((one) => one.name)
    expect(names).toEqual([...names].sort())
    expect(new Set(names).size).toBe(names.length)
    for (const [name, size] of sizes) {
      const listed = all.find((one) => one.name === name)
      expect(listed?.sizeBytes).toBe(size)
      expect(Math.abs(Date.now() - (listed?.modifiedAt.getTime() ?? 0))).toBeLessThan(60_000)
    }
    for (const index of [0, 17, names.length - 1])
      expect((await list(names[index])).map((one) => one.name)).toEqual(names.slice(index + 1))
    // A name that is not there has a place in the order too.
    expect((await list("documents/80")).map((one) => one.name)).toEqual(
      names.filter((n) => n > "documents/80"),
    )
  })

  it("refuses names that would mean something to a path or an address", async () => {
    const file = files.of(randomBytes(10))
    for (const name of [
      "documents/../../etc/passwd",
      "documents/ab/../cd",
      "other/ab",
      "documents/",
      "documents/ab?x",
    ]) {
      await expect(bucket.put(name, file)).rejects.toThrow("no name")
      await expect(bucket.remove(name)).rejects.toThrow("no name")
      await expect(collect(bucket.get(name))).rejects.toThrow("no name")
    }
  })

  it("says that it is there", () => bucket.health())

  it("moves the largest document through, and holds little of it", { timeout: 300_000 }, async () => {
    const file = await files.large(MAX_BYTES)
    const name = newName()
    const before = heldBytes()
    let peak = before
    let looks = 0
    // Again a moment after the last look: it takes longer than a piece on its way.
    const look = () => {
      peak = Math.max(peak, heldBytes())
      looks++
      watch.refresh()
    }
    const watch = setTimeout(look, 10)
    let [sizeBytes, sum] = [0, 0]
    try {
      await bucket.put(name, file)
      for await (const piece of bucket.get(name)) {
        sizeBytes += piece.length
        sum = crc32(piece, sum)
      }
    } finally {
      clearTimeout(watch)
    }
    expect({ sizeBytes, sum }).toEqual({ sizeBytes: MAX_BYTES, sum: file.crc32 })
    expect(looks).toBeGreaterThan(10)
    // Some pieces on their way, fewer or more as the disk is busy.
    expect(peak - before).toBeLessThan(MAX_BYTES / 10)
  })
})
