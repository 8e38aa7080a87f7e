import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type SealingService, startSealing } from "../service/sealing.ts"
import { until } from "../service/until.ts"

const DAY_MS = 86_400_000
const content = contractPdf("An invoice.").toString("base64")

// Decisions, "archive renewal": what a company has sealed is kept provable as well as what people have signed.
describe("the time-stamp over a sealed document", { timeout: 300_000 }, () => {
  let service: SealingService
  beforeAll(async () => {
    service = await startSealing()
  }, 300_000)
  afterAll(() => service?.close())

  const kindsOf = (bytes: Buffer) => readSignatures(openPdf(bytesSource(bytes))).map(({ type }) => type)
  const contentOf = async (api: Api, id: string) => (await api.get(`/v2/documents/${id}/content`)).bytes
  const renewalsOf = async (api: Api, ids: readonly string[]): Promise<readonly Json[]> => {
    const { body } = await api.get("/v2/events?page_size=500")
    const told = body.events.filter(({ type }: Json) => type === "document.renewed")
    const documents = await Promise.all(
      told.map(async ({ data }: Json) => (await api.get(`/v2/documents/${data.document_id}`)).body),
    )
    return documents.filter(({ parent_id }: Json) => ids.includes(parent_id))
  }

  it("is renewed before its certificate ends, once: a new document, told as document.renewed, that goes with the first", async () => {
    const orders = [service.caller, service.production].map(async (api) => {
      const { status, body } = await api.post("/v2/seal", { content })
      expect([status, body.message]).toEqual([200, undefined])
      return { id: body.document_id as string, bytes: await contentOf(api, body.document_id) }
    })
    const [demo, production] = await Promise.all(orders)
    if (demo === undefined || production === undefined) throw new Error("Nothing was sealed.")
    expect(kindsOf(demo.bytes)).toEqual(["approval", "document-timestamp"])
    // No key of a seal is needed any more.
    await service.paraph(
      ...["seal", "end", "--business", service.business, "--kind", "production", "--name", "main"],
    )
    // The sandbox's time-stamping authority has certificates of two years.
    await service.sql("update api_key set expires_at = expires_at + interval '10 years'")
    service.moveClock((2 * 365 - 60) * DAY_MS)
    for (const [key, { id, bytes }] of [
      [service.demoKey, demo],
      [service.productionKey, production],
    ] as const) {
      const api = await createApi(service.url, service.username, key)
      const [renewed] = await until("it is renewed", async () => {
        const found = await renewalsOf(api, [id])
        return found.length > 0 && found
      })
      const later = await contentOf(api, renewed.id)
      expect(kindsOf(later)).toEqual(["approval", "document-timestamp", "document-timestamp"])
      expect(later.subarray(0, bytes.length).equals(bytes)).toBe(true)
      expect(Buffer.compare(await contentOf(api, id), bytes)).toBe(0)
      expect(renewed).toMatchObject({ owner: service.username, signature_fields: [{ signed: true }] })
      // Its authority has no newer certificate yet: it is asked again in weeks, not with each sweep.
      const dueIn = "extract(day from renew_at - now()) - (2 * 365 - 60)"
      const due = await service.sql(
        `select ${dueIn} from sealed_document where document_id = '${renewed.id}'`,
      )
      expect(Number(due)).toBeGreaterThan(20)
      expect(await renewalsOf(api, [id, renewed.id])).toHaveLength(1)
      expect((await api.delete(`/v2/documents/${id}`)).status).toBeLessThan(300)
      expect((await api.get(`/v2/documents/${renewed.id}`)).status).toBe(404)
    }
    expect(await service.sql("select count(*) from sealed_document")).toBe("0")
  })

  it("goes with the request that the document came to be part of", async () => {
    service.moveClock(0)
    const { body } = await service.caller.post("/v2/seal", { content })
    const request = await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      document_id: body.document_id,
      signatures: [],
    })
    service.moveClock((2 * 365 - 60) * DAY_MS)
    const api = await createApi(service.url, service.username, service.demoKey)
    const [renewed] = await until("it is renewed", async () => {
      const found = await renewalsOf(api, [body.document_id])
      return found.length > 0 && found
    })
    expect((await api.delete(`/v2/signature-requests/${request.body.id}`)).status).toBeLessThan(300)
    for (const id of [body.document_id, renewed.id])
      await until("it is gone", async () => (await api.get(`/v2/documents/${id}`)).status === 404)
  })
})
