import type { Rule } from "@paraph/store/testing/s3-proxy"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until } from "../service/until.ts"
import {
  createJournal,
  type DocumentService,
  expectNothingLost,
  type Journal,
  startDocumentService,
} from "./documents.ts"
import { faultsOf, isGood, type Load, type Noted, startLoad } from "./load.ts"

/** A store that hangs is given 15 seconds of silence, and a look of 3; then the caller hears of it. */
const LONGEST_MS = 40_000

type Case = {
  readonly rule: Rule
  /** What uploads and reads come to while it lasts: all go well, none does, or some. */
  readonly uploads: "kept" | "refused" | "either"
  readonly reads: "given" | "refused" | "either"
}

const CASES: readonly Case[] = [
  { rule: { fault: "refuse" }, uploads: "refused", reads: "refused" },
  { rule: { fault: "unavailable" }, uploads: "refused", reads: "refused" },
  { rule: { fault: "hang" }, uploads: "refused", reads: "refused" },
  { rule: { fault: "slow", bytesPerSecond: 1_000_000 }, uploads: "kept", reads: "given" },
  { rule: { fault: "swallow" }, uploads: "refused", reads: "refused" },
  { rule: { fault: "swallow", method: "PUT" }, uploads: "refused", reads: "given" },
  { rule: { fault: "swallow", method: "PUT", times: 1 }, uploads: "kept", reads: "given" },
  { rule: { fault: "cut-request", afterBytes: 1_000 }, uploads: "refused", reads: "given" },
  { rule: { fault: "corrupt-request" }, uploads: "refused", reads: "given" },
  { rule: { fault: "corrupt-request", times: 2 }, uploads: "kept", reads: "given" },
  { rule: { fault: "cut-response", afterBytes: 1_000 }, uploads: "kept", reads: "refused" },
  { rule: { fault: "cut-response", afterBytes: 300_000 }, uploads: "kept", reads: "given" },
  { rule: { fault: "stall-response", afterBytes: 300_000, times: 2 }, uploads: "kept", reads: "given" },
  { rule: { fault: "lose-answer" }, uploads: "refused", reads: "refused" },
  { rule: { fault: "lose-answer", method: "PUT" }, uploads: "kept", reads: "given" },
  { rule: { fault: "answer-500" }, uploads: "refused", reads: "refused" },
  { rule: { fault: "answer-500", method: "PUT" }, uploads: "kept", reads: "given" },
]

describe("S3 misbehaves under uploads and reads", () => {
  let documents: DocumentService
  beforeAll(async () => {
    documents = await startDocumentService()
  })
  afterAll(() => documents?.close())

  it.each(CASES.map((one) => [JSON.stringify(one.rule), one] as const))(
    "%s: 200 or 503 in good time, and nothing acknowledged is lost",
    async (_, { rule, uploads, reads }) => {
      const { service, proxy } = documents
      const journal = createJournal(service)
      for (const sizeBytes of [3_000, 700_000]) expect((await journal.upload(sizeBytes)).status).toBe(200)
      const load = startLoad(operations(journal), 5)
      let meanwhile: readonly Noted[] = []
      try {
        await everyKind(load, 0)
        await proxy.misbehave(rule)
        // Whatever began before the rule has ended when five more have.
        const since = load.answers.length + 5
        await everyKind(load, since)
        meanwhile = load.answers.slice(since)
        await proxy.misbehave(null)
        await everyKind(load, load.answers.length, isGood)
      } finally {
        await proxy.misbehave(null)
        await load.stop()
      }
      expect(faultsOf(load.answers.filter((a) => !isCutRead(a)))).toEqual([])
      expect(Math.max(...load.answers.map((a) => a.ms))).toBeLessThan(LONGEST_MS)
      const felt = proxy.seen().some(({ fault }) => fault === rule.fault)
      expect(felt || rule.fault === "refuse").toBe(true)
      expectOnly(meanwhile, /^upload/, uploads)
      expectOnly(meanwhile, /^read/, reads)
      await expectNothingLost(documents, journal)
    },
  )
})

const operations = (journal: Journal) => ({
  "upload of some kB": () => journal.upload(3_000),
  read: journal.read,
  "upload of several segments": () => journal.upload(700_000),
  "read of a range": journal.readRange,
  page: journal.drawPage,
})

const everyKind = (load: Load, since: number, counts: (a: Noted) => boolean = () => true) =>
  until("every operation is answered", () => {
    const kinds = new Set(load.answers.slice(since).filter(counts).map((a) => a.what))
    return kinds.size === Object.keys(operations({} as Journal)).length
  })

/** A download that broke in its middle, for all the client to see. */
const isCutRead = ({ what, status, detail }: Noted) =>
  what.startsWith("read") && status === 0 && detail.startsWith("terminated")

function expectOnly(answers: readonly Noted[], kind: RegExp, expected: string): void {
  const outcomes = new Set(answers.filter((a) => kind.test(a.what)).map((a) => (isGood(a) ? "good" : "bad")))
  if (expected !== "either")
    expect([kind, ...outcomes]).toEqual([kind, expected === "refused" ? "bad" : "good"])
}
