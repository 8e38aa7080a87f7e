import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { plantedText } from "../../scripts/stack/clamd.ts"
import { contractPdf } from "../service/pdf.ts"
import { until } from "../service/until.ts"
import { createJournal, type DocumentService, expectNothingLost, startDocumentService } from "./documents.ts"
import { faultsOf, isGood, startLoad } from "./load.ts"
import { type OwnStack, startOwnStack } from "./own-stack.ts"

/** A scanner that hangs is given 15 seconds of silence. */
const LONGEST_MS = 40_000
const OUTAGES = 3

describe("the malware scanner is away for a while", () => {
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
  const rows = async () => Number(await documents.service.sql("select count(*) from document"))
  const isReady = async () =>
    (await fetch(`${documents.service.url}/management/health/readiness`)).status === 200
  const infected = contractPdf(`A contract. ${plantedText}`).toString("base64")
  const uploadInfected = () =>
    documents.service.caller.post("/v2/documents", { title: "Planted", content: infected })

  it.each([
    ["is stopped", () => stack.take("clamd", "SIGTERM"), () => stack.restore()],
    ["hangs", async () => stack.signal("clamd", "SIGSTOP"), async () => stack.signal("clamd", "SIGCONT")],
  ])("it %s: uploads answer 503, reads go on, and nothing is taken unseen", async (_, goes, comes) => {
    const journal = createJournal(documents.service)
    expect((await journal.upload(3_000)).status).toBe(200)
    const before = await rows()
    await goes()
    try {
      const uploads = [3_000, 700_000].map((sizeBytes) => journal.upload(sizeBytes))
      const started = performance.now()
      for (const { status, headers } of await Promise.all([...uploads, uploadInfected()]))
        expect([status, Number(headers.get("retry-after")) > 0]).toEqual([503, true])
      expect(performance.now() - started).toBeLessThan(LONGEST_MS)
      expect((await journal.read()).status).toBe(200)
      // Reading and signing go on without it, so the process is still of use.
      expect(await isReady()).toBe(true)
      expect(await rows()).toBe(before)
    } finally {
      await comes()
    }
    expect((await journal.upload(3_000)).status).toBe(200)
    expect((await uploadInfected()).bytes.toString()).toContain("file.malware.detected")
    await expectNothingLost(documents, journal)
  })

  it("it dies again and again under load: what is malware is never taken, what is acknowledged is there", async () => {
    const journal = createJournal(documents.service)
    const before = await rows()
    const load = startLoad(
      {
        upload: () => journal.upload(3_000),
        infected: uploadInfected,
        "upload of several segments": () => journal.upload(700_000),
      },
      4,
    )
    const later = (what: string, since: number, isIt: (status: number) => boolean) =>
      until(what, () => load.answers.slice(since).filter((a) => isIt(a.status)).length >= 6)
    try {
      for (let outage = 0; outage < OUTAGES; outage += 1) {
        await later("the load runs", load.answers.length, (status) => status === 200)
        await stack.take("clamd", "SIGKILL")
        await later("the outage is felt", load.answers.length, (status) => status === 503)
        await stack.restore()
      }
      await later("the load runs again", load.answers.length, (status) => status === 200)
    } finally {
      await stack.restore()
      await load.stop()
    }
    const malware = load.answers.filter((a) => a.what === "infected")
    expect(malware.filter(isGood)).toEqual([])
    const refused = malware.filter((a) => a.status === 400)
    expect(refused.length).toBeGreaterThan(0)
    expect(faultsOf(load.answers).filter((a) => !refused.includes(a))).toEqual([])
    expect((await rows()) - before).toBe(journal.acknowledged.length)
    await expectNothingLost(documents, journal)
  })
})
