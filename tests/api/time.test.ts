import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import { mailsComeTo, mailsTo } from "../service/mailbox.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { createRequest, newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

const DAY_MS = 86_400_000

describe("time passes", () => {
  let service: Service
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startService()
    await service.paraph(
      "admin",
      "set-feature",
      "--business",
      service.business,
      "--feature",
      "expires_at",
      "--on",
    )
    await service.paraph("admin", "set-retention", "--business", service.business, "--days", "300")
  })
  afterAll(async () => {
    await service?.close()
    await receiver?.close()
  })
  /** A token does not live for days: whoever comes later logs in again. */
  const login = (): Promise<Api> => createApi(service.url, service.username, service.demoKey)
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  const read = async (api: Api, { id }: Json) => api.get(`/v3/signature-requests/${id}`)

  it("[ST-06] [SR-22] [SR-23] a warning, then EXPIRED with its callback and mails, and in the end nothing is left", async () => {
    const api = await login()
    const [ann, cleo] = [newAddress("ann"), newAddress("cleo")]
    await service.paraph(
      ...["admin", "add-member", "--business", service.business, "--email", cleo],
      ...["--name", "Cleo", "--role", "member"],
    )
    const documentId = await uploadTo(api, "v3")
    const created = await createRequest(api, "v3", documentId, {
      signatures: [{ account_email: ann }],
      expires_at: day(20),
      creator: cleo,
      callback_error_url: `${receiver.url}/error/SERVICE_SIGNATURE_REQUEST_ID`,
    })
    expect([created.status, created.body.expires_at]).toEqual([200, day(20)])
    expect(created.body.auto_delete_at).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    const draft = await createRequest(api, "v3", await uploadTo(api, "v3"), { expires_at: day(20) })
    expect((await api.post(`/v3/signature-requests/${created.body.id}/initiate`, undefined)).status).toBe(200)
    await mailsComeTo(ann, 1)

    service.moveClock(19.5 * DAY_MS)
    const [, warning] = await mailsComeTo(ann, 2)
    expect(warning?.text).toContain("/sign/")
    expect((await read(await login(), created.body)).body.status_overall).toBe("OPEN")

    service.moveClock(22 * DAY_MS)
    const later = await login()
    const expired = await until("it has expired", async () => {
      const { body } = await read(later, created.body)
      return body.status_overall === "EXPIRED" && body
    })
    expect(expired.signatures[0].status_code).toBe("OPEN")
    await until("the error callback comes", () => receiver.received.length > 0)
    expect(receiver.received.map(({ path }) => path)).toEqual([`/error/${created.body.id}`])
    await mailsComeTo(ann, 3)
    expect((await mailsComeTo(cleo, 1))[0]?.text).not.toContain("/sign/")
    const again = await later.post(`/v3/signature-requests/${created.body.id}/withdraw`, {})
    expect([again.status, again.body.key]).toEqual([400, "error.sr.invalid_state"])

    // Decisions, "expires_at": a DRAFT whose date has passed stays DRAFT and cannot be initiated.
    const late = await later.post(`/v3/signature-requests/${draft.body.id}/initiate`, undefined)
    expect([late.status, late.body.key]).toEqual([400, "error.sr.invalid_state"])
    expect((await read(later, draft.body)).body.status_overall).toBe("DRAFT")

    service.moveClock(301 * DAY_MS)
    const inAYear = await login()
    for (const { body } of [created, draft])
      await until(
        "the retention policy has deleted it",
        async () => (await read(inAYear, body)).status === 404,
      )
    await until(
      "its document is gone",
      async () => (await inAYear.get(`/v3/documents/${documentId}`)).status === 404,
    )
    expect(receiver.received).toHaveLength(1)
    expect(await mailsTo(ann)).toHaveLength(3)
  })
})
