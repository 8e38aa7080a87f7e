import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { type ArchivedFile, archiveOf, type Listed } from "./archive.ts"

/** Node's own way to have the collector run at once, where the process was not started for it. */
setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const AT = new Date("2026-11-16T12:00:00Z")
const PIECE = 50_000

const fileOf = (path: string, bytes: ArchivedFile["bytes"]): ArchivedFile => ({
  path,
  at: AT,
  bytes,
  isPacked: true,
})
const listOf = (listed: readonly Listed[]): ArchivedFile =>
  fileOf("manifest.json", [Buffer.from(JSON.stringify(listed))])

/** Counts what was asked of it, and whether it was let go of. */
function source(files: number, pieces: number) {
  const seen = { bytes: 0, filesEnded: 0, ended: false }
  async function* piecesOf() {
    try {
      for (let n = 0; n < pieces; n += 1) {
        seen.bytes += PIECE
        yield Buffer.alloc(PIECE, n)
      }
    } finally {
      seen.filesEnded += 1
    }
  }
  async function* all() {
    try {
      for (let n = 0; n < files; n += 1) yield fileOf(`${n}.bin`, piecesOf())
    } finally {
      seen.ended = true
    }
  }
  return { seen, files: all() }
}

describe("an archive", () => {
  it("is written no further ahead than its reader is, however much there is", async () => {
    const { seen, files } = source(60, 20)
    let read = 0
    let ahead = 0
    for await (const piece of archiveOf(files, listOf)) {
      ahead = Math.max(ahead, seen.bytes - read)
      read += piece.length
    }
    expect(read).toBeGreaterThan(60 * 20 * PIECE)
    expect(ahead).toBeLessThan(1_000_000)
    expect(seen).toMatchObject({ filesEnded: 60, ended: true })
  })

  it("keeps of a file that is through only what the list says of it", async () => {
    const used = async () => {
      // What is through is closed a moment later, which on a busy machine is a longer one.
      for (let least = process.memoryUsage(); ; ) {
        await pause(50)
        collect()
        const now = process.memoryUsage()
        if (now.heapUsed + now.arrayBuffers > 0.99 * (least.heapUsed + least.arrayBuffers)) return now
        least = now
      }
    }
    let [first, last] = [process.memoryUsage(), process.memoryUsage()]
    async function* files() {
      for (let n = 0; n < 3000; n += 1) {
        if (n === 500) first = await used()
        const path = `requests/${randomUUID()}/documents/${randomUUID()}.pdf`
        yield { ...fileOf(path, [Buffer.from(`{"n":${n}}`)]), isPacked: n % 2 === 0 }
      }
      last = await used()
    }
    for await (const _ of archiveOf(files(), listOf));
    // With their streams it was 3000 for each, and 11,000 of buffers that their names were cut from.
    expect((last.heapUsed - first.heapUsed) / 2500).toBeLessThan(2000)
    expect((last.arrayBuffers - first.arrayBuffers) / 2500).toBeLessThan(1000)
  })

  it("lets go of what it reads when its reader goes", async () => {
    const { seen, files } = source(10, 1000)
    const archive = archiveOf(files, listOf)
    await new Promise((resolve) => archive.once("data", resolve))
    archive.destroy()
    await expect.poll(() => seen.ended).toBe(true)
    expect(seen.filesEnded).toBe(1)
  })

  it("breaks off where a file cannot be read, and is not ended as if it were whole", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("begun")
      throw new Error("The bucket is away.")
    }
    async function* files() {
      yield fileOf("broken.pdf", broken())
    }
    const reading = (async () => {
      for await (const _ of archiveOf(files(), listOf));
    })()
    await expect(reading).rejects.toThrow("The bucket is away.")
  })
})
