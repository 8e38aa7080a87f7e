import { randomUUID } from "node:crypto"
import { createParaph, NotSignedError, type Paraph, ProblemError, verifyWebhook } from "@paraph/sdk"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

const pdf = () => new Blob([new Uint8Array(contractPdf())])

describe("the client for integrators", () => {
  let service: Service
  let receiver: Receiver
  let paraph: Paraph
  const connected = () =>
    createParaph({ url: service.url, username: service.username, apiKey: service.demoKey })
  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startService({ validation: true, env: { DELIVERY_PAUSE_MS: "100" } })
    paraph = connected()
  })
  afterAll(async () => {
    await service?.close()
    await receiver?.close()
  })

  /** Uploads by a stream, creates, and initiates what is a draft. */
  const sentTo = async (version: "v2" | "v3", signer: string) => {
    const signatures = [{ account_email: signer }]
    if (version === "v2") {
      const { id } = await paraph.v2.uploadDocument({ title: "Lease", content: pdf().stream() })
      return paraph.v2.post("/signature-requests", { body: { title: "Lease", document_id: id, signatures } })
    }
    const { id } = await paraph.v3.uploadDocument({ title: "Lease", content: () => pdf().stream() })
    const body = { title: "Lease", document_id: id, signatures }
    expect(await paraph.v3.planSignatureRequest(body)).toMatchObject({ dry_run: true })
    const draft = await paraph.v3.post("/signature-requests", { body })
    expect(draft.status_overall).toBe("DRAFT")
    return paraph.v3.post("/signature-requests/{id}/initiate", { path: { id: draft.id } })
  }
  const comes = async (signer: string) => openSession(service.url, await linkMailedTo(signer))

  it.each(["v2", "v3"] as const)(
    "%s: uploads, creates, waits, downloads the signed document, and is told by a webhook",
    async (version) => {
      const url = `${receiver.url}/hook-${randomUUID()}`
      const hook = await paraph.v2.post("/webhooks", { body: { url, types: ["signature_request.signed"] } })
      const signer = newAddress("signer")
      const request = await sentTo(version, signer)
      expect(request).toMatchObject({ title: "Lease", status_overall: "OPEN" })

      const waiting = paraph[version].waitUntilSigned(request.id, { timeout: 60_000 })
      await (await comes(signer)).press("Ada Lovelace")
      const signed = await waiting
      expect(signed).toMatchObject({ id: request.id, status_overall: "SIGNED" })

      const { data } = await until("the webhook is called", () => eventAt(url, hook.secret))
      expect(data).toMatchObject({ signature_request_id: request.id, status_overall: "SIGNED" })
      const path = { id: data.document_id ?? "" }
      const answer = await (version === "v2"
        ? paraph.v2.download("/documents/{id}/content", { path })
        : paraph.v3.download("/documents/{id}/content", { path }))
      expect(answer.headers.get("content-type")).toBe("application/pdf")
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.subarray(0, 5).toString()).toBe("%PDF-")
      expect(bytes.includes("/ByteRange")).toBe(true)

      const worth = await paraph.validation.validateDocument(new Blob([bytes]))
      const signers = await paraph.validation.get("/infos/{id}/signers", { path: { id: worth.id } })
      expect(signers).toHaveLength(1)
      await paraph.v2.delete("/webhooks/{id}", { path: { id: hook.id } })
    },
  )

  const eventAt = async (url: string, secret: string) => {
    const call = receiver.received.find(({ path }) => path === new URL(url).pathname)
    return call && verifyWebhook({ body: call.text, headers: call.headers, secret })
  }

  it("a request that is declined will not be waited for in vain", async () => {
    const signer = newAddress("signer")
    const { id } = await sentTo("v2", signer)
    const waiting = paraph.v2.waitUntilSigned(id, { timeout: 60_000 }).catch((error: unknown) => error)
    await (await comes(signer)).decline("Not this one.")
    const error = await waiting
    expect(error).toBeInstanceOf(NotSignedError)
    expect(error).toMatchObject({ status: "DECLINED", request: { id } })
  })

  it("lists go from page to page, and the journal too", async () => {
    const title = `Page-${randomUUID()}`
    const made: string[] = []
    for (let n = 0; n < 5; n += 1) made.push((await paraph.v2.uploadDocument({ title, content: pdf() })).id)
    const listed: string[] = []
    for await (const { id } of paraph.v3.list("/documents", { query: { search: title, page_size: "2" } }))
      listed.push(id)
    expect(listed).toEqual(made.toReversed())

    const told = new Set<string | undefined>()
    await until("the journal has them all", async () => {
      for await (const { items } of paraph.v2.list("/events", { query: { page_size: "4" } }).pages())
        for (const { data } of items) told.add(data.document_id)
      return made.every((id) => told.has(id))
    })
  })

  it("the same upload twice under one key is one document", async () => {
    const twice = { title: "Lease", content: () => pdf().stream(), idempotencyKey: randomUUID() }
    const [first, second] = [await paraph.v2.uploadDocument(twice), await paraph.v2.uploadDocument(twice)]
    expect(second.id).toBe(first.id)
  })

  it("a refusal says what, and whom to ask about it", async () => {
    const path = { id: randomUUID() }
    const error = await paraph.v2.get("/signature-requests/{id}", { path }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ status: 404, requestId: expect.any(String), problem: { status: 404 } })
    const stranger = createParaph({ url: service.url, username: service.username, apiKey: "api_demo_wrong" })
    await expect(stranger.v2.get("/webhooks")).rejects.toMatchObject({ status: 401 })
  })

  // The last one: from here on the service lives an hour later.
  it("a token that has ended is renewed on the way", async () => {
    const own = connected()
    await own.v2.get("/webhooks")
    service.moveClock(3_600_000)
    expect(await own.v2.get("/webhooks")).toEqual([])
  })
})
