import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { textOf } from "../service/looks.ts"
import { contractPdf } from "../service/pdf.ts"
import { sealersOf } from "../service/sealed.ts"
import { type SealingService, startSealing, switchSealing } from "../service/sealing.ts"
import { until } from "../service/until.ts"

const position = { page: "0", x: 100, y: 100, width: 200, height: 80 }

describe("batches of seals", { timeout: 300_000 }, () => {
  let service: SealingService
  beforeAll(async () => {
    service = await startSealing()
  }, 300_000)
  afterAll(() => service?.close())

  const upload = async (pdf = contractPdf("An invoice.")) =>
    (await service.caller.post("/v3/documents", { title: "Invoice", content: pdf.toString("base64") })).body
      .id as string
  const order = (document_ids: readonly string[], more: object = {}) =>
    service.caller.post("/v3/seal-batches", { document_ids, ...more })
  const read = async (id: string) => (await service.caller.get(`/v3/seal-batches/${id}`)).body
  const over = (id: string) =>
    until("the batch is over", async () => (await read(id)).status !== "RUNNING", 240_000)

  it("seals documents that are here already, one by one, and says how far it is", async () => {
    const ids = [await upload(), await upload(contractPdf("Another.")), await upload()]
    const { status, body } = await order(ids, { visual_signature: { position } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 3, failed: 0, account_name: "default" })
    expect(body.documents.map((one: { document_id: string }) => one.document_id)).toEqual(ids)
    await over(body.id)
    const { documents, ...batch } = await read(body.id)
    expect(batch).toMatchObject({ status: "COMPLETED", waiting: 0, sealed: 3, failed: 0, cancelled: 0 })
    for (const { document_id, sealed_document_id, status: state } of documents) {
      expect(state).toBe("SEALED")
      const { body: document } = await service.caller.get(`/v3/documents/${sealed_document_id}`)
      expect(document).toMatchObject({ title: "Invoice", parent_id: document_id })
      const { bytes } = await service.caller.get(`/v3/documents/${sealed_document_id}/content`)
      expect(sealersOf(bytes)).toHaveLength(1)
      expect((await textOf(bytes))[0]).toContain("TEST – no legal effect")
      expect((await service.caller.get(`/v3/documents/${document_id}`)).status).toBe(200)
    }
    const { body: listed } = await service.caller.get("/v3/seal-batches")
    expect(listed).toMatchObject([{ id: body.id, status: "COMPLETED", sealed: 3 }])
    expect(listed[0].documents).toBeUndefined()
  })

  it("one that cannot be sealed, or is gone, is a line of the result, and the others are sealed", async () => {
    const [good, doomed] = [await upload(), await upload()]
    const ids = [doomed, good]
    const worker = service.worker
    await worker.kill()
    const { body } = await order(ids)
    expect((await service.caller.delete(`/v3/documents/${doomed}`)).status).toBe(204)
    await service.startWorker()
    await over(body.id)
    expect(await read(body.id)).toMatchObject({
      status: "COMPLETED",
      sealed: 1,
      failed: 1,
      documents: [
        { document_id: doomed, title: null, status: "FAILED", message: "The document is gone." },
        { document_id: good, title: "Invoice", status: "SEALED" },
      ],
    })
  })

  it("is cancelled where it stands: what is sealed stays, the rest is left alone", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => upload()))
    const { body } = await order(ids)
    await until("one is sealed", async () => (await read(body.id)).sealed > 0)
    const { body: cancelled } = await service.caller.post(`/v3/seal-batches/${body.id}/cancel`, {})
    expect(cancelled.status).toBe("CANCELLED")
    expect(cancelled.sealed + cancelled.cancelled).toBe(12)
    // What is under way just now finds that it is not wanted.
    await until("no job is left", async () => (await service.sql(jobs)) === "0")
    expect(await read(body.id)).toMatchObject({ sealed: cancelled.sealed, cancelled: cancelled.cancelled })
    const again = await service.caller.post(`/v3/seal-batches/${body.id}/cancel`, {})
    expect(again.body.status).toBe("CANCELLED")
  })
  const jobs = "select count(*) from jobs.job where name = 'seal-batch' and state < 'completed'"

  it("takes all of the documents or none: each must be there, the caller's to change, named once, 1,000 at most", async () => {
    const mine = await upload()
    const others = (
      await service.production.post("/v3/documents", {
        title: "Another's",
        content: contractPdf().toString("base64"),
      })
    ).body.id
    const many = Array.from(
      { length: 1001 },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    )
    expect((await order([mine, others])).status).toBe(404)
    expect((await order([mine, many[0] ?? ""])).status).toBe(404)
    expect((await order([mine, mine])).status).toBe(400)
    expect((await order([])).status).toBe(400)
    expect((await order(many)).status).toBe(400)
    expect((await order([mine], { account_name: "main" })).status).toBe(400)
    expect((await order([mine], { visual_signature: { position: { ...position, page: "7" } } })).status).toBe(
      400,
    )
    expect(await service.sql(`select count(*) from sealing where base_id = '${mine}'`)).toBe("0")
  })

  it("is seen by whoever ordered it, with that kind of key, and by nobody else", async () => {
    const { body } = await order([await upload()])
    const path = `/v3/seal-batches/${body.id}`
    await service.paraph("admin", "create-user", "--business", service.business, "--username", "colleague")
    const key = await service.paraph("admin", "create-key", "--user", "colleague", "--kind", "demo")
    const colleague = await createApi(service.url, "colleague", key["api-key"] ?? "")
    for (const api of [colleague, service.production]) {
      expect((await api.get(path)).status).toBe(404)
      expect((await api.post(`${path}/cancel`, {})).status).toBe(404)
      expect((await api.get("/v3/seal-batches")).body).toEqual([])
    }
    await over(body.id)
  })

  it("of a document that is deleted no title is kept, for repeated requests neither", async () => {
    const ids = [await upload(), await upload()]
    const headers = { "idempotency-key": "batch with a title" }
    const send = () => service.caller.post("/v3/seal-batches", { document_ids: ids }, headers)
    const { body } = await send()
    await over(body.id)
    expect((await send()).body).toEqual(body)
    expect((await service.caller.delete(`/v3/documents/${ids[0]}`)).status).toBe(204)
    const kept = `select count(answer) from idempotency_key where result = 'seal-batches/${body.id}'`
    expect(await service.sql(kept)).toBe("0")
    expect((await send()).status).toBe(409)
  })

  it("[SEAL-02 v3] needs the feature, as one seal does; the same Idempotency-Key orders once", async () => {
    const ids = [await upload()]
    const headers = { "idempotency-key": "batch 1" }
    const send = () => service.caller.post("/v3/seal-batches", { document_ids: ids }, headers)
    const first = await send()
    expect((await send()).body.id).toBe(first.body.id)
    await switchSealing(service, service.business, "--off")
    const { status, body } = await order(ids)
    expect([status, body.type]).toEqual([403, `${service.url}/problem/feature-not-enabled`])
    await switchSealing(service, service.business, "--on")
  })
})
