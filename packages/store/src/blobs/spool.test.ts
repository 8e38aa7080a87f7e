import { execFile, spawn } from "node:child_process"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { crc32 } from "node:zlib"
import { openSealedFile, readSealedFile } from "@paraph/seal/file"
import { SEGMENT_BYTES, sealedSize } from "@paraph/seal/stream"
import { newKey } from "@paraph/seal/wrap"
import fc from "fast-check"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { collect } from "../testing/sealed-files.ts"
import { openSpool, type Spool } from "./spool.ts"

const root = mkdtempSync(join(tmpdir(), "paraph-spool-"))
afterAll(() => rmSync(root, { recursive: true }))

let place: string
let spool: Spool
beforeEach(async () => {
  place = join(root, randomUUID())
  spool = await openSpool(place)
})
afterEach(() => spool.close())

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]) {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const filesIn = (folder: string) => readdirSync(folder)

describe("bytes that are taken in", () => {
  const around = fc
    .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -2, max: 2 }))
    .map(([segments, more]) => Math.max(0, segments * SEGMENT_BYTES + more))
  const size = fc.oneof(around, fc.integer({ min: 0, max: 3_000_000 }))
  // Empty pieces among them, as some sources give; never only those.
  const sizes = fc
    .array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 5 })
    .chain((some) => fc.integer({ min: 3_000, max: 400_000 }).map((one) => [...some, one]))

  it("have the size, the SHA-256 and the CRC-32 that they have, however they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(size, sizes, async (sizeBytes, cutting) => {
        const bytes = randomBytes(sizeBytes)
        const key = newKey()
        const taken = await spool.take(key, "context", inPieces(bytes, cutting))
        const stored = readFileSync(taken.sealed.path)
        expect(taken).toEqual({
          sizeBytes,
          sha256: createHash("sha256").update(bytes).digest("hex"),
          sealed: { path: taken.sealed.path, sizeBytes: sealedSize(sizeBytes), crc32: crc32(stored) },
        })
        expect(stored.length).toBe(sealedSize(sizeBytes))
        const file = { path: taken.sealed.path, key, context: "context", sizeBytes }
        expect((await collect(readSealedFile(file))).equals(bytes)).toBe(true)
        await spool.remove(file.path)
      }),
      { numRuns: 60 },
    )
    expect(filesIn(spool.folder)).toEqual([])
  })

  it("are nowhere on the disk as they are, in no file of the spool", async () => {
    const bytes = Buffer.alloc(1_000_000, "a canary in the coal mine ")
    const { sealed } = await spool.take(newKey(), "context", inPieces(bytes, [70_001]))
    expect(filesIn(spool.folder).map((name) => join(spool.folder, name))).toEqual([sealed.path])
    const stored = readFileSync(sealed.path)
    expect(stored.length).toBeGreaterThan(bytes.length)
    for (const part of ["canary", "coal", "mine a"]) expect(stored.includes(part)).toBe(false)
  })

  it("are for the user of the process alone", async () => {
    const { sealed } = await spool.take(newKey(), "context", inPieces(randomBytes(10), [10]))
    expect(statSync(sealed.path).mode & 0o777).toBe(0o600)
    expect(statSync(spool.folder).mode & 0o777).toBe(0o700)
  })

  it("whose source fails leave no file, and the source's error", async () => {
    const broken = async function* () {
      yield randomBytes(3 << 20)
      throw new Error("the line went dead")
    }
    await expect(spool.take(newKey(), "context", broken())).rejects.toThrow("the line went dead")
    await expect(spool.bring(broken())).rejects.toThrow("the line went dead")
    expect(filesIn(spool.folder)).toEqual([])
  })

  it("end with the system's own error where the disk takes no more, leave no file, and let go of their source", async () => {
    const program = fileURLToPath(new URL("../testing/fills-its-disk.ts", import.meta.url))
    const limited = ["-c", 'ulimit -f 1000; exec "$0" "$@"', process.execPath, program, join(place, "full")]
    const { stdout } = await promisify(execFile)("sh", limited)
    expect(JSON.parse(stdout)).toEqual({ code: "EFBIG", left: true, files: [] })
  })

  it("are let go where not even a file can be made", async () => {
    await spool.close()
    let left = false
    const source = async function* () {
      try {
        for (;;) yield randomBytes(10)
      } finally {
        left = true
      }
    }
    await expect(spool.take(newKey(), "context", source())).rejects.toMatchObject({ code: "ENOENT" })
    expect(left).toBe(true)
  })
})

it("bytes that are sealed already are written as they come, also in a great many pieces", async () => {
  const key = newKey()
  const { sealed, sizeBytes } = await spool.take(key, "context", inPieces(randomBytes(700_000), [9_999]))
  const path = await spool.bring(inPieces(readFileSync(sealed.path), [7, 1, 30]))
  expect(readFileSync(path).equals(readFileSync(sealed.path))).toBe(true)
  openSealedFile({ path, key, context: "context", sizeBytes }).close()
})

describe("the folder", () => {
  it("of a process that is gone is removed when another begins, and that of a living one is not", async () => {
    const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" })
    await once(gone, "exit")
    const living = spawn("sleep", ["600"], { stdio: "ignore" })
    try {
      const of = (pid?: number) => {
        const folder = join(place, `${pid}-${randomUUID()}`)
        mkdirSync(folder)
        writeFileSync(join(folder, randomUUID()), "noise")
        return folder
      }
      // The number of this process, from the life of another that had it before: as in a container that starts again.
      const [dead, before, alive] = [of(gone.pid), of(process.pid), of(living.pid)]
      writeFileSync(join(place, "notes"), "of somebody else")
      const next = await openSpool(place)
      expect([dead, before, alive, spool.folder, next.folder].map(existsSync)).toEqual([
        false,
        false,
        true,
        true,
        true,
      ])
      expect(readFileSync(join(place, "notes"), "utf8")).toBe("of somebody else")
      await next.close()
    } finally {
      living.kill("SIGKILL")
    }
  })

  it("goes with all that is in it when the spool is closed, and no other", async () => {
    const other = await openSpool(place)
    await spool.take(newKey(), "context", inPieces(randomBytes(10), [10]))
    await spool.close()
    expect(readdirSync(place).map((name) => join(place, name))).toEqual([other.folder])
    await other.close()
    expect(readdirSync(place)).toEqual([])
  })

  it.each([0o770, 0o707, 0o777, 0o1777])("is not made where others may write (%o)", async (mode) => {
    chmodSync(place, mode)
    await expect(openSpool(place)).rejects.toThrow("writable by no other")
    chmodSync(place, 0o700)
  })

  it("is not made in what belongs to another user, also not behind a link of our own", async () => {
    // Only root can give a folder away; for anybody else the root of the system is somebody else's.
    const theirs = process.getuid?.() === 0 ? join(root, "theirs") : "/"
    if (theirs !== "/") {
      mkdirSync(theirs, { mode: 0o700 })
      chownSync(theirs, 4_321, 4_321)
    }
    symlinkSync(theirs, join(root, "link"))
    for (const path of [theirs, join(root, "link")])
      await expect(openSpool(path)).rejects.toThrow("must belong to the user")
  })
})
