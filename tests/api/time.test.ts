import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import { linkMailedTo, mailsComeTo, mailsTo } from "../service/mailbox.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { addDays, dateThere, moveClockTo } from "../service/region-time.ts"
import { createRequest, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
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

  it("what is over is swept: calls, the journal, keys of repeated requests, counters and links", async () => {
    service.moveClock(302 * DAY_MS)
    const api = await login()
    const ann = newAddress("ann")
    const body = {
      title: "Lease",
      document_id: await uploadTo(api, "v2"),
      signatures: [{ account_email: ann }],
    }
    const urls = { callback_error_url: `${receiver.url}/swept` }
    const key = { "idempotency-key": `swept-${ann}` }
    const created = await api.post("/v2/signature-requests", { ...body, ...urls }, key)
    expect(created.status).toBe(200)
    const { id } = created.body
    await mailsComeTo(ann, 1)
    expect((await api.post(`/v2/signature-requests/${id}/withdraw`, {})).status).toBe(200)
    await until("the callback is made", async () =>
      (await api.get(`/v2/signature-requests/${id}/callbacks`)).body.some(
        (one: Json) => one.state === "COMPLETED",
      ),
    )
    // Windows last for seconds, so that one of our own stands for them.
    await service.sql(
      `insert into rate_window (key, ends_at, points) values ('\\x01', now() + interval '303 days', 1)`,
    )
    const kept = async () =>
      (
        await service.sql(`select
            (select count(*) from delivery where subject_id = '${id}'),
            (select count(*) from event where request_id = '${id}'),
            (select count(*) from idempotency_key),
            (select count(*) from rate_window),
            (select count(*) from signing_link l join signature s on s.id = l.signature_id where s.request_id = '${id}'),
            (select count(*) from evidence where request_id = '${id}')`)
      )
        .split("|")
        .map((count) => Number(count) > 0)
    expect(await kept()).toEqual([true, true, true, true, true, true])
    // The key of the caller is dead by then: nobody asks for anything more.
    service.moveClock(460 * DAY_MS)
    const left = [false, false, false, false, false, true]
    await until("nothing but the evidence is left", async () => `${await kept()}` === `${left}`)
  })

  it("[SR-22] [ST-06] its days begin and end in the region's time zone, and the last of six months is one of them", async () => {
    const key = ["--user", service.username, "--kind", "demo", "--days", "1000"]
    const made = await service.paraph("admin", "create-key", ...key)
    const at = async (date: string, time: string) => {
      moveClockTo(service, date, time)
      return createApi(service.url, service.username, made["api-key"] ?? "")
    }
    const documentId = await uploadTo(await at(addDays(dateThere(Date.now()), 310), "12:00:00"), "v3")
    const today = lastDayOfSomeMonth(addDays(dateThere(Date.now()), 311))
    const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)]
    const sent = (api: Api, expires_at: string, email = newAddress("dated")) =>
      openRequest(api, "v3", documentId, { expires_at, signatures: [{ account_email: email }] })
    const answer = async (api: Api, expires_at: string) =>
      (await createRequest(api, "v3", documentId, { expires_at })).status

    // The month six months on has no 31st: its last day is the last that is taken.
    const early = await at(yesterday, "23:59:20")
    const [year = 0, month = 0] = today.split("-").map(Number)
    const latest = new Date(Date.UTC(year, month + 6, 0)).toISOString().slice(0, 10)
    expect(latest.slice(8)).not.toBe("31")
    const over = await sent(early, yesterday)
    const ann = newAddress("ann")
    const [signed, missed] = [await sent(early, today, ann), await sent(early, today)]
    const link = await linkMailedTo(ann)

    // Half a minute before midnight there: yesterday's is over, today's can be signed, and today is a day to choose.
    const late = await at(today, "23:59:20")
    await until("yesterday's is over", async () => (await read(late, over)).body.status_overall === "EXPIRED")
    for (const body of [signed, missed]) expect((await read(late, body)).body.status_overall).toBe("OPEN")
    expect([await answer(late, yesterday), await answer(late, today)]).toEqual([400, 200])
    expect([await answer(late, latest), await answer(late, addDays(latest, 1))]).toEqual([200, 400])
    expect((await (await openSession(service.url, link)).press("Ann Example")).status).toBe(202)
    await until("it is signed", async () => (await read(late, signed)).body.status_overall === "SIGNED")

    // Just after it, while it is still the same day in UTC.
    const after = await at(tomorrow, "00:00:01")
    await until("today's is over", async () => (await read(after, missed)).body.status_overall === "EXPIRED")
    expect((await read(after, signed)).body.status_overall).toBe("SIGNED")
    expect([await answer(after, today), await answer(after, tomorrow)]).toEqual([400, 200])
    expect([await answer(after, addDays(latest, 1)), await answer(after, addDays(latest, 2))]).toEqual([
      200, 400,
    ])
  })
})

/** The next 31st of a month whose sixth successor is shorter. */
function lastDayOfSomeMonth(from: string): string {
  for (let date = from; ; date = addDays(date, 1)) if (/-(03|05|08|10|12)-31$/.test(date)) return date
}
