import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Json } from "../service/api.ts"
import { openLink, sign, startBrowser } from "../service/browser.ts"
import { judge, type Verdict } from "../service/judges.ts"
import { linkMailedTo, mailsComeTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

/** The whole path, through every room: upload, request, mail, browser, worker, callback, download, three judges. */
describe("one person signs", () => {
  const signer = `ada-${Date.now()}@example.org`
  const original = contractPdf()
  let service: Service
  let receiver: Receiver
  let browser: Browser
  let uploaded: Answer
  let created: Answer
  let finished: Json
  let fetchedAtCallback: Answer
  let verdict: Verdict

  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
    // The integrator fetches the document while the callback is still being answered (EVT-04).
    receiver = await startReceiver(async ({ path }) => {
      const documentId = new URL(path, "https://localhost").searchParams.get("doc")
      if (path.startsWith("/success"))
        fetchedAtCallback = await service.caller.get(`/v2/documents/${documentId}/content`)
      return { status: 200 }
    })
    uploaded = await service.caller.post("/v2/documents", {
      title: "Contract",
      content: original.toString("base64"),
      content_type: "application/pdf",
    })
    created = await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      message: "Please sign until Friday.",
      document_id: uploaded.body.id,
      signatures: [{ account_email: signer }],
      callback_success_url: `${receiver.url}/success/SERVICE_SIGNATURE_REQUEST_ID?doc=SERVICE_DOCUMENT_ID&keep=service_document_id`,
      callback_update_url: `${receiver.url}/update`,
      callback_error_url: `${receiver.url}/error`,
    })
    const page = await openLink(browser, await linkMailedTo(signer))
    await sign(page, "Ada Lovelace")
    await until("the callback comes", () => receiver.received.length > 0 && fetchedAtCallback)
    finished = (await service.caller.get(`/v2/signature-requests/${created.body.id}`)).body
    verdict = await judge(fetchedAtCallback.bytes)
  })
  afterAll(async () => {
    await browser?.close()
    await receiver?.close()
    await service?.close()
  })

  it("[SR-01 v2] [ST-01 v2] creates a request for an uploaded document, OPEN at once", () => {
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({ status_overall: "OPEN", document_id: uploaded.body.id })
    expect(created.body.signatures).toMatchObject([{ account_email: signer, status_code: "OPEN" }])
  })

  it("[EVT-06 v2] invites by a mail that names who asks, for what, and marks a demo as a test", async () => {
    const [mail, completed, ...more] = await mailsComeTo(signer, 2)
    expect(mail?.subject).toBe("Acme AG asks you to sign: Contract")
    expect(mail?.text).toContain("Please sign until Friday.")
    expect(mail?.text).toContain("TEST")
    expect(completed?.text).not.toMatch(/\/sign\//)
    expect(more).toEqual([])
  })

  it("[ST-03 v2] [SR-15 v2] is SIGNED once the last signer signed, and says when", () => {
    expect(finished).toMatchObject({ id: created.body.id, status_overall: "SIGNED" })
    expect(finished.signatures).toMatchObject([{ status_code: "SIGNED", signed_quality: "DEMO" }])
    expect(finished.signatures[0].signed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it("[EVT-01 v2] calls back by POST, text/plain, without a body", () => {
    for (const call of receiver.received) {
      expect(call).toMatchObject({ method: "POST", bodyBytes: 0 })
      expect(call.headers["content-type"]).toBe("text/plain")
    }
  })

  it("[EVT-02 v2] replaces both placeholders, and nothing that only looks like one", () => {
    expect(receiver.received.map((call) => call.path)).toEqual([
      `/success/${created.body.id}?doc=${finished.document_id}&keep=service_document_id`,
    ])
  })

  it("[EVT-04 v2] names the signed document, whose content can be fetched at that moment", () => {
    expect(fetchedAtCallback.status).toBe(200)
    expect(fetchedAtCallback.headers.get("content-type")).toBe("application/pdf")
    expect(verdict.pyhanko).toHaveLength(1)
  })

  it("[DOC-10 v2] gives the signed document an id of its own", async () => {
    expect(finished.document_id).not.toBe(uploaded.body.id)
    const { body } = await service.caller.get(`/v2/documents/${finished.document_id}`)
    expect(body).toMatchObject({ parent_id: uploaded.body.id, owner: service.username, page_count: 1 })
  })

  it("[DOC-06 v2] appends to the original, whose own bytes stay as they were uploaded", async () => {
    const before = await service.caller.get(`/v2/documents/${uploaded.body.id}/content`)
    expect(before.bytes.equals(original)).toBe(true)
    expect(fetchedAtCallback.bytes.subarray(0, original.length).equals(original)).toBe(true)
  })

  it("is valid in pdfsig, in openssl cms -verify -cades and in pyHanko", () => {
    expect(verdict.pdfsig).toEqual(["Signature is Valid."])
    expect(verdict.signers).toEqual(["Paraph tests demo, no legal effect, Signatures 1"])
    expect(verdict.openssl).toBe("CAdES Verification successful")
    // Behind it stand what validators will need, and a time-stamp over all of it; nothing else.
    const [coverage, modification] = ["ENTIRE_REVISION", "LTA_UPDATES"]
    expect(verdict.pyhanko).toMatchObject([{ bottomLine: true, trusted: true, coverage, modification }])
    expect(verdict.documentTimestamps).toBe(1)
  })

  it("leaves the evidence of every step, in order", async () => {
    const types = async () => (await service.sql("select type from evidence order by seq")).split("\n")
    await until("the last mail is noted", async () => (await types()).at(-1) === "mail.sent")
    expect(await types()).toEqual([
      "request.created",
      "request.started",
      "signature.invited",
      "signature.opened",
      "signature.consented",
      "mark.made",
      "signature.signed",
      "request.completed",
      "mail.sent",
    ])
  })

  it("[R39] writes no token, key, address or name into its logs", async () => {
    const logs = service.api.log() + service.worker.log()
    const [mail] = await mailsComeTo(signer)
    const token = /\/sign\/#(\S+)/.exec(mail?.text ?? "")?.[1] ?? "no link"
    for (const secret of [token, service.caller.token, service.demoKey, signer, "Ada Lovelace"])
      expect(logs).not.toContain(secret)
    expect(logs).toContain(created.body.id)
  })
})
