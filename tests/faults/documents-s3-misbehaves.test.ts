import type { Rule } from "@paraph/store/testing/s3-proxy"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  createJournal,
  type DocumentService,
  expectNothingLost,
  type Journal,
  startDocumentService,
} from "./documents.ts"
import { faultsOf, isGood, type Noted, note } from "./load.ts"

/** A store that hangs is given 15 seconds of silence, and a look of 3; then the caller hears of it. */
const LONGEST_MS = 40_000
/** Each has a segment that can be given out before the next one is there. */
const SEVERAL_SEGMENTS = 700_000

type Outcome = "go well" | "are refused"
type Case = readonly [rule: Rule, uploads: Outcome, reads: Outcome]

const CASES: readonly Case[] = [
  [{ fault: "refuse" }, "are refused", "are refused"],
  [{ fault: "unavailable" }, "are refused", "are refused"],
  [{ fault: "hang" }, "are refused", "are refused"],
  [{ fault: "slow", bytesPerSecond: 1_000_000 }, "go well", "go well"],
  // HEAD and GET are answered with nothing, and 200.
  [{ fault: "swallow" }, "are refused", "are refused"],
  [{ fault: "swallow", method: "PUT" }, "are refused", "go well"],
  [{ fault: "swallow", method: "PUT", times: 1 }, "go well", "go well"],
  [{ fault: "cut-request", afterBytes: 1_000 }, "are refused", "go well"],
  [{ fault: "corrupt-request" }, "are refused", "go well"],
  [{ fault: "corrupt-request", times: 2 }, "go well", "go well"],
  [{ fault: "cut-response", afterBytes: 1_000 }, "go well", "are refused"],
  // Each attempt brings the download further, so it ends.
  [{ fault: "cut-response", afterBytes: 100_000 }, "go well", "go well"],
  [{ fault: "stall-response", afterBytes: 100_000, times: 1 }, "go well", "go well"],
  [{ fault: "lose-answer" }, "are refused", "are refused"],
  [{ fault: "lose-answer", method: "PUT" }, "go well", "go well"],
  [{ fault: "answer-500" }, "are refused", "are refused"],
  [{ fault: "answer-500", method: "PUT" }, "go well", "go well"],
]

describe("S3 misbehaves under uploads and reads", () => {
  let documents: DocumentService
  beforeAll(async () => {
    documents = await startDocumentService()
  })
  afterAll(() => documents?.close())

  it.each(CASES.map(([rule, ...outcomes]) => [JSON.stringify(rule), ...outcomes, rule] as const))(
    "%s: uploads %s, reads %s, and nothing acknowledged is lost",
    async (_, uploads, reads, rule) => {
      const { service, proxy } = documents
      const journal = createJournal(service)
      for (const sizeBytes of [SEVERAL_SEGMENTS, 3_000, 3_000])
        expect((await journal.upload(sizeBytes)).status).toBe(200)
      // One round is under way when it begins, one is all within it, and one comes after it.
      const surprised = round(documents, journal, 1)
      await proxy.misbehave(rule)
      const within = await round(documents, journal, 2)
      const first = await surprised
      const seen = proxy.seen()
      await proxy.misbehave(null)
      const last = await round(documents, journal, 2)

      const all = [...first, ...within, ...last]
      expect(faultsOf(all)).toEqual([])
      expect(Math.max(...all.map((a) => a.ms))).toBeLessThan(LONGEST_MS)
      expect(last.filter((a) => !isGood(a))).toEqual([])
      expect({ uploads: outcomes(within, "upload"), reads: outcomes(within, "read") }).toEqual({
        uploads: [uploads],
        reads: [reads],
      })
      if (rule.fault !== "refuse") expect(seen.some(({ fault }) => fault === rule.fault)).toBe(true)
      await expectNothingLost(documents, journal)
    },
  )

  /** A download whose first segments are with the client already, and whose others are on their way. */
  const begin = async (accept: string) => {
    const { service, proxy } = documents
    const journal = createJournal(service)
    expect((await journal.upload(SEVERAL_SEGMENTS)).status).toBe(200)
    const [document] = journal.acknowledged
    await proxy.misbehave({ fault: "slow", bytesPerSecond: 250_000 })
    const headers = { authorization: `Bearer ${service.caller.token}`, accept }
    const answer = await fetch(`${service.url}/v2/documents/${document?.id}/content`, { headers })
    expect(answer.status).toBe(200)
    await proxy.misbehave({ fault: "refuse" })
    return { answer, pdf: document?.pdf }
  }

  it.each(["application/pdf", "application/json"])(
    "a download as %s that loses S3 in its middle is seen to be broken",
    async (accept) => {
      const { answer } = await begin(accept)
      try {
        await expect(answer.arrayBuffer()).rejects.toThrow("terminated")
      } finally {
        await documents.proxy.misbehave(null)
      }
    },
  )

  it("a download that loses S3 for a moment goes on at the byte it had reached", async () => {
    const { answer, pdf } = await begin("application/pdf")
    await documents.proxy.misbehave(null)
    expect(Buffer.from(await answer.arrayBuffer()).equals(pdf ?? Buffer.alloc(0))).toBe(true)
  })
})

/** Some of each kind at once. The page is of a document that was not drawn before. */
function round({ service }: DocumentService, journal: Journal, nth: number): Promise<readonly Noted[]> {
  const [large, ...others] = journal.acknowledged
  return Promise.all([
    note("upload of some kB", () => journal.upload(3_000)),
    note("upload of several segments", () => journal.upload(SEVERAL_SEGMENTS)),
    note("read", () => journal.read(large)),
    note("read of a range", () => journal.readRange(large)),
    note("page", () => service.caller.get(`/v2/documents/${others[nth - 1]?.id}/pages/0`)),
  ])
}

const outcomes = (answers: readonly Noted[], kind: string): readonly Outcome[] => [
  ...new Set(
    answers.filter((a) => a.what.startsWith(kind)).map((a) => (isGood(a) ? "go well" : "are refused")),
  ),
]
