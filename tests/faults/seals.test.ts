import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { contractPdf } from "../service/pdf.ts"
import { sealersOf } from "../service/sealed.ts"
import { type SealingService, startSealing } from "../service/sealing.ts"
import { documentCount } from "../service/stored.ts"
import { toldBy } from "../service/stories.ts"
import { until } from "../service/until.ts"

// The named points at which a seal is made, in their order (core/src/seal/make-seal.ts).
const POINTS = ["intent-kept", "value-made", "value-kept", "stamp-kept", "blob-stored", "mark-applied"]

const content = contractPdf("An invoice.").toString("base64")

describe("whoever seals is killed, or away", { timeout: 300_000 }, () => {
  let service: SealingService
  beforeAll(async () => {
    service = await startSealing({ worker: false, env: { SEAL_WAIT_SECONDS: "2" } })
  }, 300_000)
  afterAll(() => service?.close())

  const seal = (key?: string) =>
    service.production.post("/v2/seal", { content }, key === undefined ? {} : { "idempotency-key": key })
  /** Until it is not 503 any more: what an integrator does. */
  const sealAgain = (key: string) =>
    until(
      "the seal is made",
      async () => {
        const answer = await seal(key)
        return answer.status === 200 && (answer.body.document_id as string)
      },
      120_000,
    )
  const expectOneSeal = async (id: string) => {
    const { bytes } = await service.production.get(`/v2/documents/${id}/content`)
    expect(sealersOf(bytes)).toHaveLength(1)
    const sealing = await service.sql(`select id from sealing where version_id = '${id}'`)
    expect(await toldBy(service, sealing, "seal.made", "documentId")).toEqual([id])
  }

  it.each(POINTS)(
    "the worker at %s: the next one finishes, under the same id, and seals once",
    async (point) => {
      const before = await documentCount(service)
      const doomed = await service.startWorker({ FAULT_POINT: point })
      const key = `killed at ${point}`
      const [first] = await Promise.all([seal(key), doomed.died])
      expect(await doomed.died).toBe("SIGKILL")
      const [promised = ""] = (
        await service.sql("select version_id from sealing order by created_at desc limit 1")
      ).split("\n")
      // Whoever died right behind the commit had done all of it, in time or not.
      if (first.status === 200) expect([point, first.body.document_id]).toEqual(["mark-applied", promised])
      else expect([first.status, first.headers.get("retry-after")]).toEqual([503, "10"])
      const heir = await service.startWorker()
      const id = await sealAgain(key)
      expect(id).toBe(promised)
      await expectOneSeal(id)
      // The upload has gone, and the sealed document is all there is.
      expect(await documentCount(service)).toBe(before + 1)
      await heir.kill()
    },
  )

  it("503 means that nothing was sealed, and nothing will be, where nobody can ask for it again", async () => {
    const before = await documentCount(service)
    const answer = await seal()
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"])
    expect(await documentCount(service)).toBe(before)
    const worker = await service.startWorker()
    await sealAgain("afterwards")
    expect(await documentCount(service)).toBe(before + 1)
    expect(await service.sql("select count(*) from sealing where state = 'cancelled'")).toBe("1")
    await worker.kill()
  })

  it("a batch whose worker dies goes on where it was: every document once", async () => {
    const ids: string[] = []
    for (let n = 0; n < 6; n += 1) {
      const { body } = await service.production.post("/v3/documents", { title: `Invoice ${n}`, content })
      ids.push(body.id)
    }
    const doomed = await service.startWorker({ FAULT_POINT: "value-kept" })
    const { status, body } = await service.production.post("/v3/seal-batches", { document_ids: ids })
    expect([status, body.total]).toEqual([200, 6])
    expect(await doomed.died).toBe("SIGKILL")
    await service.startWorker()
    const read = async () => (await service.production.get(`/v3/seal-batches/${body.id}`)).body
    await until("the batch is over", async () => (await read()).status === "COMPLETED", 240_000)
    const { documents, sealed, failed } = await read()
    expect([sealed, failed]).toEqual([6, 0])
    for (const one of documents) await expectOneSeal(one.sealed_document_id)
  })
})
