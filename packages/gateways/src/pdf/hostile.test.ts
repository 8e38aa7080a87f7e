import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { PdfRefused } from "@paraph/pades/refused"
import { afterAll, describe, expect, it } from "vitest"
import { handMadePdf } from "../testing/hand-made-pdf.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { TENANT } from "../testing/tenant.ts"
import { createPdfRooms } from "./rooms.ts"

// biome-ignore lint/style/noProcessEnv: the corpora are found by it.
const corpora = process.env.PARAPH_CORPORA
const PAGE = { page: 0, widthPx: 600, format: "webp" } as const

const folder = mkdtempSync(join(tmpdir(), "paraph-hostile-"))
// Five seconds of the processor: how long an answer takes must not depend on what else the machine does.
const rooms = createPdfRooms({ folder, cpuSeconds: 5, wallMs: 120_000 })

afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

describe("documents made to do harm", () => {
  it("[R19] are ended when a page unpacks to half a gigabyte", async () => {
    const packed = deflateSync(deflateSync(Buffer.alloc(512_000_000, "0 0 m "), { level: 1 }), { level: 9 })
    const bomb = handMadePdf([{ dictionary: "/Filter [/FlateDecode /FlateDecode]", bytes: packed }])
    expect(bomb.length).toBeLessThan(1_000_000)
    const file = await sealedFileOf(bomb, folder)
    expect(await rooms.describe(file, TENANT)).toMatchObject({ pageCount: 1 })
    await expect(rooms.renderPage(file, TENANT, PAGE)).rejects.toMatchObject({ code: "too-complex" })
  })

  it.skipIf(corpora === undefined)(
    "of PARAPH_CORPORA/pdf101 are each described and drawn, or refused, within five seconds",
    async () => {
      const suite = join(corpora ?? "", "pdf101")
      const names = readdirSync(suite, { recursive: true, encoding: "utf8" }).filter((name) =>
        /\.pdf$/i.test(name),
      )
      expect(names).toHaveLength(203)
      const outcomes: Outcome[] = []
      const left = names.values()
      // Only as many at a time as there are places; each has its document in memory to seal it.
      const hand = async () => {
        for (const name of left) outcomes.push(await outcomeOf(name, readFileSync(join(suite, name))))
      }
      await Promise.all([hand(), hand()])
      process.stdout.write(summary(outcomes))
      const wrong = outcomes.filter((one) => [one.described, one.drawn].some((word) => !ANSWERS.test(word)))
      expect(wrong).toEqual([])
      expect(outcomes.filter(({ described }) => described === "done").length).toBeGreaterThan(150)
      expect(outcomes.filter(({ drawn }) => drawn === "done").length).toBeGreaterThan(150)
    },
    1_200_000,
  )
})

/** "done", or what there was to say instead. */
type Outcome = { readonly name: string; readonly described: string; readonly drawn: string }

/** A document that is told what is wrong with it has been read; one that had to be ended has not. */
const ANSWERS =
  /^(done|no page|corrupt: .*|encrypted: .*|locked: .*|xfa: .*|too-complex: The PDF asks for more.*)$/

async function outcomeOf(name: string, bytes: Uint8Array): Promise<Outcome> {
  const file = await sealedFileOf(bytes, folder)
  const described = await rooms.describe(file, TENANT).then(() => "done", reason)
  const drawn = await rooms
    .renderPage(file, TENANT, PAGE)
    .then((picture) => (picture ? "done" : "no page"), reason)
  return { name, described, drawn }
}

function reason(error: unknown): string {
  return error instanceof PdfRefused ? `${error.code}: ${error.message}` : String(error)
}

function summary(outcomes: readonly Outcome[]): string {
  const count = (words: readonly string[]) =>
    Object.entries(Object.groupBy(words, (word) => word))
      .map(([word, same]) => `  ${same?.length ?? 0}  ${word}\n`)
      .join("")
  const described = count(outcomes.map((one) => one.described))
  return `pdf101, described:\n${described}drawn:\n${count(outcomes.map((one) => one.drawn))}`
}
