import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { openLink, sign, startBrowser } from "../service/browser.ts"
import { judge } from "../service/judges.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

describe("signature requests", () => {
  const content = contractPdf().toString("base64")
  let service: Service
  let receiver: Receiver
  beforeAll(async () => {
    service = await startService()
    receiver = await startReceiver(() => ({
      status: 200,
      contentType: "application/pdf",
      body: contractPdf(),
    }))
  })
  afterAll(async () => {
    await receiver?.close()
    await service?.close()
  })

  const create = (more: object) =>
    service.caller.post("/v2/signature-requests", { title: "Contract", ...more })

  it("[SR-01 v2] [ST-01 v2] takes a document by content, by file_url or by document_id; OPEN at once", async () => {
    const uploaded = await service.caller.post("/v2/documents", { title: "Contract", content })
    for (const document of [
      { content },
      { file_url: `${receiver.url}/a.pdf` },
      { document_id: uploaded.body.id },
    ]) {
      const { status, body } = await create(document)
      expect([Object.keys(document), status, body.status_overall]).toEqual([
        Object.keys(document),
        200,
        "OPEN",
      ])
      expect((await service.caller.get(`/v2/documents/${body.document_id}`)).status).toBe(200)
    }
  })

  it("[SR-01 v2] refuses none of them, any two and all three", async () => {
    const document_id = crypto.randomUUID()
    const file_url = `${receiver.url}/a.pdf`
    const bad = [
      {},
      { content, file_url },
      { content, document_id },
      { file_url, document_id },
      { content, file_url, document_id },
    ]
    for (const document of bad) expect((await create(document)).status).toBe(400)
    expect((await create({ document_id })).status).toBe(404)
  })

  it("[SR-03 v2] needs a title, and no message", async () => {
    expect((await create({ content, title: undefined })).status).toBe(400)
    expect((await create({ content, title: "" })).status).toBe(400)
    expect((await create({ content, title: "x".repeat(1025) })).status).toBe(400)
    expect((await create({ content, title: "x".repeat(1024) })).status).toBe(200)
    expect((await create({ content })).body.message).toBeNull()
    expect((await create({ content, message: "Hello" })).body.message).toBe("Hello")
  })

  it("[SR-15 v2] reads back what was created", async () => {
    const created = await create({ content, signatures: [{ account_email: "ada@example.org", sequence: 3 }] })
    const read = await service.caller.get(`/v2/signature-requests/${created.body.id}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(created.body)
    expect(read.body.signatures).toMatchObject([
      { account_email: "ada@example.org", sequence: 3, status_code: "OPEN" },
    ])
    expect((await service.caller.get(`/v2/signature-requests/${crypto.randomUUID()}`)).status).toBe(404)
    expect((await service.caller.get("/v2/signature-requests/not-a-uuid")).status).toBe(400)
  })

  it("[EVT-06 v2] [SR-11 v2] writes to all signers at once when none has a place, each with a link of their own", async () => {
    const people = ["a", "b", "c"].map((who) => `${who}-${Date.now()}@example.org`)
    await create({ content, signatures: people.map((account_email) => ({ account_email })) })
    const links = await Promise.all(people.map(linkMailedTo))
    expect(new Set(links).size).toBe(3)
    for (const who of people) expect(await mailsTo(who)).toHaveLength(1)
  })

  it("[SR-08 v2] [SR-17 v2] [EVT-06 v2] waits without signers; one who is added is written to at once", async () => {
    const { body } = await create({ content })
    expect(body).toMatchObject({ status_overall: "OPEN", signatures: [] })
    const [first, later] = ["added", "later"].map((who) => `${who}-${Date.now()}@example.org`)
    const path = `/v2/signature-requests/${body.id}/signatures`
    await service.caller.post(path, { account_email: first, sequence: 1 })
    const added = await service.caller.post(path, { account_email: later, sequence: 2 })
    expect(added.status).toBe(200)
    expect(added.body.signatures).toMatchObject([{ account_email: first }, { account_email: later }])
    await linkMailedTo(first ?? "")
    await linkMailedTo(later ?? "")
    expect((await mailsTo(first ?? ""))[0]?.text).not.toContain("not your turn")
    expect((await mailsTo(later ?? ""))[0]?.text).toMatch(/turn/)
    expect((await service.caller.post(path, { account_email: "nobody" })).status).toBe(400)
  })

  it("refuses callback URLs that are not https, carry credentials or hide a placeholder in the host", async () => {
    const bad = [
      "http://example.org/",
      "https://u:p@example.org/",
      "https://SERVICE_DOCUMENT_ID.example.org/",
      "ftp://example.org",
      "/x",
    ]
    for (const callback_success_url of bad)
      expect((await create({ content, callback_success_url })).status).toBe(400)
  })

  it("never weakens a quality: AES and QES are refused until their factors are here", async () => {
    for (const quality of ["AES", "QES", "AES_MINIMAL"]) {
      const { status, body } = await create({ content, quality, legislation: "ZERTES" })
      expect([status, body.type]).toEqual([403, `${service.url}/problem/feature-not-enabled`])
    }
  })

  it("opens no door by GET or HEAD, however often a scanner tries", async () => {
    const who = `scanned-${Date.now()}@example.org`
    const { body } = await create({ content, signatures: [{ account_email: who }] })
    const link = await linkMailedTo(who)
    for (let i = 0; i < 20; i += 1)
      for (const method of ["GET", "HEAD"]) {
        const response = await fetch(link, { method })
        expect(response.headers.get("set-cookie")).toBeNull()
        expect(response.headers.get("referrer-policy")).toBe("no-referrer")
      }
    const opened = `select count(*) from evidence where request_id = '${body.id}' and type = 'signature.opened'`
    expect(await service.sql(opened)).toBe("0")
    const foreign = await fetch(link, {
      method: "POST",
      headers: { origin: "https://evil.example" },
      redirect: "manual",
    })
    expect(foreign.status).toBe(403)
  })

  it("[AUTH-07 v2] a production key signs with the production certificate, and no mail speaks of a test", async () => {
    const production = await createApi(service.url, service.username, service.productionKey)
    const who = `production-${Date.now()}@example.org`
    const { body } = await production.post("/v2/signature-requests", {
      title: "Contract",
      content,
      signatures: [{ account_email: who }],
    })
    const link = await linkMailedTo(who)
    expect((await mailsTo(who))[0]?.text).not.toContain("TEST")
    const browser = await startBrowser()
    await sign(await openLink(browser, link), "Ada Lovelace")
    await browser.close()
    const read = () => production.get(`/v2/signature-requests/${body.id}`)
    const signed = await until("it is signed", async () => {
      const answer = await read()
      return answer.body.status_overall === "SIGNED" && answer.body
    })
    expect(signed.signatures[0].signed_quality).toBe("SES")
    const pdf = await production.get(`/v2/documents/${signed.document_id}/content`)
    expect((await judge(pdf.bytes)).signers).toEqual(["Paraph sandbox, production signatures"])
  })
})
