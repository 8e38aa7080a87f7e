// Our logs, read by the Go checksum database's own packages.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CAN_JUDGE, judge } from "./judge.ts"
import { type WrittenLog, writeLog } from "./log-folder.ts"

const entryOf = (i: number) => Buffer.from(`entry ${i} ${"x".repeat(i % 50)}`)

describe.runIf(CAN_JUDGE)("a log, for golang.org/x/mod/sumdb", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "paraph-tlog-"))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each([1, 2, 255, 256, 257, 513, 70_000])(
    "of %i entries has our root, and all its records",
    async (size) => {
      const at = join(folder, String(size))
      const { key, root } = await writeLog(
        at,
        Array.from({ length: size }, (_, i) => entryOf(i)),
      )
      const older = [1, Math.ceil(size / 3), Math.ceil(size / 2), size].map(String)
      expect(await judge(at, key, ...older)).toBe(`size ${size} root ${root} records ${size} trees 4`)
    },
  )

  describe("that somebody has changed", () => {
    let at: string
    let written: WrittenLog
    beforeAll(async () => {
      at = join(folder, "changed")
      written = await writeLog(
        at,
        Array.from({ length: 600 }, (_, i) => entryOf(i)),
      )
    })

    it.each(["checkpoint", "tile/0/000", "tile/1/000.p/2", "tile/0/002.p/88", "tile/entries/001"])(
      "in %s is wrong for it too",
      async (path) => {
        const whole = await readFile(join(at, path))
        const changed = Buffer.from(whole)
        changed[20] = (changed[20] ?? 0) ^ 1
        await writeFile(join(at, path), changed)
        expect(await judge(at, written.key)).not.toMatch(/^size /)
        await writeFile(join(at, path), whole)
        expect(await judge(at, written.key)).toMatch(/^size 600 /)
      },
    )
  })
})
