import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { imageBombs } from "../testing/image-bombs.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { createPdfRooms } from "./rooms.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-bombs-"))
const rooms = createPdfRooms({ folder, cpuSeconds: 2, wallMs: 120_000 })
afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

/** What a caller is answered: a picture, or one of the refusals that say so. */
const ANSWERED = /^(done|too-complex|cannot-render|damaged)$/

const answer = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "done",
    (error: { readonly code?: string; readonly message: string }) => error.code ?? error.message,
  )

describe("pictures that unpack to hundreds of megabytes", () => {
  it.each(Object.entries(imageBombs()))(
    "%s: is drawn or refused within the limits of the process",
    async (name, bomb) => {
      expect(bomb.length).toBeLessThan(200_000)
      const file = await sealedFileOf(bomb, folder)
      const described = await answer(rooms.describe(file))
      const drawn = await answer(rooms.renderPage(file, { page: 0, widthPx: 600, format: "webp" }))
      process.stdout.write(`${name}: ${bomb.length} bytes, ${described}, ${drawn}\n`)
      expect([described, drawn]).toEqual([expect.stringMatching(ANSWERED), expect.stringMatching(ANSWERED)])
    },
  )
})
