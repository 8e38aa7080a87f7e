import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { plantedText } from "../../scripts/stack/clamd.ts"
import { type Api, createApi, VERSIONS, type Version } from "../service/api.ts"
import { inkOf, qpdfFaults, textOf } from "../service/looks.ts"
import { memberApi } from "../service/members.ts"
import { encryptedPdf, signedElsewhere } from "../service/odd-pdfs.ts"
import { contractPdf } from "../service/pdf.ts"
import { block } from "../service/pictures.ts"
import { sealersOf } from "../service/sealed.ts"
import { createSeal, type SealingService, startSealing, switchSealing } from "../service/sealing.ts"
import { documentCount } from "../service/stored.ts"
import { until } from "../service/until.ts"

const pdf = contractPdf("An invoice.", 2)
const content = pdf.toString("base64")
const position = { page: "1", x: 100, y: 100, width: 200, height: 80 }
const red = block(120, 60, [200, 0, 0])
const image = { content_type: "image/png", content: red.toString("base64") }
const COMPANY = {
  country: "CH",
  organization: "Acme AG",
  identifier: "NTRCH-CHE-123.456.789",
  commonName: "Acme AG",
}

describe("company seals", { timeout: 300_000 }, () => {
  let service: SealingService
  beforeAll(async () => {
    service = await startSealing()
  }, 300_000)
  afterAll(() => service?.close())

  const seal = (v: Version, more: object = {}, api: Api = service.production, headers = {}) =>
    api.post(`/${v}/seal`, { content, ...more }, headers)
  const bytesOf = async (v: Version, id: string, api: Api = service.production) =>
    (await api.get(`/${v}/documents/${id}/content`)).bytes

  it.each(VERSIONS)(
    "[SEAL-01] [SEAL-03] %s: answers the id of a new document, whose signer is the company",
    async (v) => {
      const answer = await seal(v)
      expect([answer.status, Object.keys(answer.body)]).toEqual([200, ["document_id"]])
      const id = answer.body.document_id
      const bytes = await bytesOf(v, id)
      expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(true)
      expect(await qpdfFaults(bytes)).toBe("")
      expect(sealersOf(bytes)).toMatchObject([COMPANY])
      // Nothing is seen on the pages, and there is one document: what came with the call is in it.
      expect((await inkOf(bytes, 1)).share).toBe((await inkOf(pdf, 1)).share)
      const { body: document } = await service.production.get(`/${v}/documents/${id}`)
      expect(document).toMatchObject({
        title: "Sealed document",
        owner: service.username,
        size: bytes.length,
      })
      expect(document.parent_id).toBeUndefined()
      expect(document.signature_fields[0]).toMatchObject({ signed: true })
    },
  )

  it.each(VERSIONS)("[SEAL-01] %s: shows the picture at the place that was asked for", async (v) => {
    const visual_signature = { position, image }
    const { body } = await seal(v, { visual_signature, title: "Invoice 4711" })
    const bytes = await bytesOf(v, body.document_id)
    const [before, shown] = [await inkOf(pdf, 1), await inkOf(bytes, 1)]
    expect(shown.share).toBeGreaterThan(before.share)
    expect((await inkOf(bytes, 0)).share).toBe((await inkOf(pdf, 0)).share)
    // The company's own stamp stands alone.
    expect((await textOf(bytes))[1]).not.toContain("Acme")
    const { body: document } = await service.production.get(`/${v}/documents/${body.document_id}`)
    expect(document.title).toBe("Invoice 4711")
    expect(document.signature_fields[0]).toMatchObject({ signed: true, positions: [position] })
  })

  it("shows the company's name and the time where there is no picture", async () => {
    const { body } = await seal("v2", { visual_signature: { position } })
    expect((await textOf(await bytesOf("v2", body.document_id)))[1]).toMatch(
      /Acme AG[\s\S]*\d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    )
  })

  it.each(VERSIONS)(
    "[SEAL-02] %s: only where sealing is switched on, and told before the body is read",
    async (v) => {
      const { business = "" } = await service.paraph("admin", "create-business", "--name", "Beta AG")
      const username = `beta-${v}`
      await service.paraph("admin", "create-user", "--business", business, "--username", username)
      for (const kind of ["demo", "production"]) {
        const key = await service.paraph("admin", "create-key", "--user", username, "--kind", kind)
        const beta = await createApi(service.url, username, key["api-key"] ?? "")
        for (const sent of [{ content }, { content: "not a document" }]) {
          const { status, body } = await beta.post(`/${v}/seal`, sent)
          expect([status, body.type]).toEqual([403, `${service.url}/problem/feature-not-enabled`])
        }
        await switchSealing(service, business, "--on")
        const now = await beta.post(`/${v}/seal`, { content })
        // A demo key has a seal to test with; one of production is for the operator to make.
        expect(now.status).toBe(kind === "demo" ? 200 : 403)
        await switchSealing(service, business, "--off")
        expect((await beta.post(`/${v}/seal`, { content })).status).toBe(403)
      }
    },
  )

  it("a demo key seals with a demo seal alone, which says so in its name and on the page", async () => {
    const { body } = await seal("v3", { visual_signature: { position, image } }, service.caller)
    const bytes = await bytesOf("v3", body.document_id, service.caller)
    expect(sealersOf(bytes)).toMatchObject([{ commonName: "Demo: Acme AG", organization: "Acme AG" }])
    expect((await textOf(bytes))[1]).toContain("TEST – no legal effect")
    const others = await seal("v3", { account_name: "main" }, service.caller)
    expect([others.status, others.body.detail]).toEqual([400, "account_name: there is no such seal."])
    expect((await seal("v3", { account_name: "default" })).status).toBe(400)
    expect((await service.production.get(`/v3/documents/${body.document_id}`)).status).toBe(404)
    // Whatever the code does: the database knows which kind a seal is of.
    await expect(service.sql("update sealing set kind = 'production' where kind = 'demo'")).rejects.toThrow(
      "foreign key",
    )
  })

  it("seals with the one of the company's seals that is named, of either kind of key", async () => {
    await createSeal(service, "Rechnungen", "--key", "RSA-3072")
    const { body } = await seal("v1", { account_name: "rechnungen" })
    expect(sealersOf(await bytesOf("v1", body.document_id))).toMatchObject([{ ...COMPANY, keyKind: "RSA" }])
    const { body: listed } = await service.production.get("/v3/seals")
    expect(listed).toMatchObject([
      { account_name: "main", organization: "Acme AG", status: "ACTIVE", has_image: false },
      { account_name: "Rechnungen", organization_identifier: COMPANY.identifier },
    ])
    await expect(createSeal(service, "MAIN")).rejects.toThrow("already")
    const which = ["--business", service.business, "--kind", "production", "--name", "Rechnungen"]
    expect(await service.paraph("seal", "end", ...which)).toMatchObject({ state: "ended" })
    expect((await seal("v1", { account_name: "Rechnungen" })).status).toBe(400)
    const log = await service.sql(
      `select act from audit_log where act like 'seal %' and business_id = '${service.business}' order by id`,
    )
    expect(log.split("\n")).toEqual(expect.arrayContaining(["seal create", "seal end"]))
  })

  it.each(VERSIONS)(
    "%s: what cannot be sealed is refused as an upload is, and leaves nothing behind",
    async (v) => {
      const before = await documentCount(service)
      const locked = await signedElsewhere(pdf, 1)
      const refused = [
        [{ content: Buffer.from("no PDF").toString("base64") }, 400, "file.pdf.corrupt"],
        [{ content: (await encryptedPdf("secret")).toString("base64") }, 400, "file.pdf.encrypted"],
        [{ content: locked.toString("base64") }, 400, "file.pdf.locked"],
        [{ content: contractPdf(plantedText).toString("base64") }, 400, "file.malware.detected"],
        [{ content: "***" }, 400, undefined],
        [{ content: undefined }, 400, undefined],
        [{ visual_signature: { position: { ...position, page: "2" } } }, 400, undefined],
        [{ visual_signature: { position: { ...position, x: 500 } } }, 400, undefined],
        [{ visual_signature: { image } }, 400, undefined],
        [
          { visual_signature: { position, image: { ...image, content: "bm8gcGljdHVyZQ==" } } },
          400,
          undefined,
        ],
        [{ account_name: "nobody's" }, 400, undefined],
      ] as const
      for (const [more, status, key] of refused) {
        const answer = await seal(v, more)
        expect([answer.status, answer.body.key], JSON.stringify(more).slice(0, 80)).toEqual([status, key])
      }
      expect(await documentCount(service)).toBe(before)
      expect(await service.sql("select count(*) from sealing where state = 'waiting'")).toBe("0")
    },
  )

  it("counts it, tells of it, keeps evidence of it, and lets it be deleted as any document", async () => {
    const developer = await memberApi(service, "developer")
    const used = async () => (await developer.get("/v3/usage")).body.months.at(-1).production
    const before = await used()
    const { body: hook } = await service.production.get("/v3/events")
    const { body } = await seal("v3")
    const after = await used()
    expect([after.seals - before.seals, after.documents - before.documents]).toEqual([1, 1])
    // A journal tells nothing while something older may still come in between.
    const since = hook.next === null ? "" : `?after=${hook.next}`
    await until("the journal tells of it", async () => {
      const { body: journal } = await service.production.get(`/v3/events${since}`)
      return JSON.stringify(journal).includes(body.document_id)
    })
    const evidence = await service.sql(
      `select string_agg(type, ' ' order by seq) from evidence where request_id =
        (select id from sealing where version_id = '${body.document_id}')`,
    )
    expect(evidence).toBe("seal.ordered seal.made")
    expect((await service.production.delete(`/v3/documents/${body.document_id}`)).status).toBe(204)
    expect((await service.production.get(`/v3/documents/${body.document_id}`)).status).toBe(404)
  })

  it("the same Idempotency-Key seals once", async () => {
    const headers = { "idempotency-key": "invoice 4712" }
    const [one, two] = await Promise.all([
      seal("v2", {}, service.production, headers),
      seal("v2", {}, service.production, headers),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.body).toEqual(one.body)
    const other = await seal("v2", { title: "Another" }, service.production, headers)
    expect([other.status, other.body.key]).toEqual([409, "error.idempotency.conflict"])
  })

  it("people seal by their role, and owners and admins say what a seal shows", async () => {
    const of = (role: "owner" | "developer" | "member", kind: "demo" | "production") =>
      memberApi(service, role, { kind })
    const [owner, developer] = [await of("owner", "production"), await of("developer", "production")]
    const [member, tester] = [await of("member", "demo"), await of("developer", "demo")]
    expect((await seal("v3", {}, owner)).status).toBe(200)
    expect((await seal("v3", {}, developer)).status).toBe(403)
    expect((await seal("v3", {}, member)).status).toBe(403)
    expect((await seal("v3", {}, tester)).status).toBe(200)
    const [main] = (await owner.get("/v3/seals")).body
    const path = `/v3/seals/${main.id}/image`
    const png = { "content-type": "image/png" }
    for (const api of [developer, service.production])
      expect((await api.put(path, red, png)).status).toBe(403)
    expect((await owner.get(path)).status).toBe(404)
    expect((await owner.put(path, red, png)).status).toBe(204)
    expect((await owner.get(path)).bytes.subarray(1, 4).toString()).toBe("PNG")
    const { body } = await seal("v2", { visual_signature: { position } })
    expect((await textOf(await bytesOf("v2", body.document_id)))[1]).not.toContain("Acme")
    const demo = await memberApi(service, "owner")
    expect((await demo.put(path, red, png)).status).toBe(404)
    expect((await owner.put(path, Buffer.from("no picture"), png)).status).toBe(400)
    expect((await owner.delete(path)).status).toBe(204)
    expect((await owner.delete(path)).status).toBe(404)
    const acts = await service.sql("select count(*) from audit_log where act = 'seal set-image'")
    expect(acts).toBe("2")
  })
})
