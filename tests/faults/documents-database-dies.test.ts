import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until } from "../service/until.ts"
import {
  createJournal,
  type DocumentService,
  expectNothingLost,
  seeded,
  startDocumentService,
} from "./documents.ts"
import { holdTable, untilWaiting } from "./held-table.ts"
import { faultsOf, isGood, note, startLoad } from "./load.ts"
import { type OwnStack, startOwnStack } from "./own-stack.ts"

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
const KILLS = 3

describe("PostgreSQL is killed with SIGKILL while documents come", () => {
  let stack: OwnStack
  let documents: DocumentService
  beforeAll(async () => {
    stack = await startOwnStack()
    documents = await startDocumentService({ stack })
  })
  afterAll(async () => {
    await documents?.close()
    await stack?.close()
  })
  const rows = () => documents.service.sql("select count(*) from document")

  it("between put and commit: 503, and the sweep finds what nobody owns", async () => {
    const { service } = documents
    const journal = createJournal(service)
    const before = await rows()
    await holdTable(service, "document")
    const uploads = [3_000, 3_000, 700_000].map((sizeBytes) =>
      note("upload", () => journal.upload(sizeBytes)),
    )
    // Each is looked at, scanned and stored: what is missing is its row.
    await untilWaiting(service, "document", uploads.length)
    expect(await service.sql("select count(*) from loose_blob")).toBe(String(uploads.length))
    await stack.take("postgres", "SIGKILL")
    const answers = await Promise.all(uploads)
    expect(answers.map((a) => [a.status, Number(a.retryAfter) > 0])).toEqual(uploads.map(() => [503, true]))
    await stack.restore()
    expect(await service.sql("select count(*) from loose_blob")).toBe(String(uploads.length))
    expect(await rows()).toBe(before)
    await expectNothingLost(documents, journal)
    expect(await rows()).toBe(before)
  })

  it("and started again while the object is on its way: acknowledged and there, or neither", async () => {
    const { service, proxy } = documents
    const journal = createJournal(service)
    const before = Number(await rows())
    const seen = proxy.seen().length
    await proxy.misbehave({ fault: "slow", method: "PUT", bytesPerSecond: 100_000 })
    const uploads = [1, 2, 3].map(() => note("upload", () => journal.upload(700_000)))
    await until("they are on their way", () => proxy.seen().slice(seen).length >= uploads.length)
    await stack.take("postgres", "SIGKILL")
    await stack.restore()
    await proxy.misbehave(null)
    const answers = await Promise.all(uploads)
    expect(faultsOf(answers)).toEqual([])
    expect(Number(await rows()) - before).toBe(answers.filter(isGood).length)
    await expectNothingLost(documents, journal)
  })

  it(`at random moments under uploads and reads, with FAULT_SEED=${SEED}`, async () => {
    const random = seeded(SEED)
    const journal = createJournal(documents.service)
    await journal.upload(3_000)
    const load = startLoad(
      {
        "upload of some kB": () => journal.upload(3_000),
        read: () => journal.read(),
        "upload of several segments": () => journal.upload(700_000),
        "read of a range": () => journal.readRange(),
      },
      4,
    )
    const later = (what: string, since: number, count: number) =>
      until(what, () => load.answers.slice(since).filter(isGood).length >= count)
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await later("the load runs", load.answers.length, 6)
        await pause(random() * 200)
        await stack.take("postgres", "SIGKILL")
        await stack.restore()
      }
      await later("the load runs again", load.answers.length, 6)
    } finally {
      await stack.restore()
      await load.stop()
    }
    expect(faultsOf(load.answers)).toEqual([])
    expect(load.answers.filter((a) => a.status === 503).length).toBeGreaterThan(0)
    expect(Math.max(...load.answers.map((a) => a.ms))).toBeLessThan(20_000)
    await expectNothingLost(documents, journal)
  })
})
