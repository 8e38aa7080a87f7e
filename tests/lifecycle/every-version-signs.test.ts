import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json, VERSIONS, type Version } from "../service/api.ts"
import { judge } from "../service/judges.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { createRequest, entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { asIfTriedOften } from "../service/tried-often.ts"
import { until } from "../service/until.ts"

const HOUR_MS = 3_600_000

describe("every version comes to the same ends", () => {
  let service: Service
  let receiver: Receiver
  let api: Api
  beforeAll(async () => {
    service = await startService()
    receiver = await startReceiver()
    api = service.caller
  })
  afterAll(async () => {
    await receiver?.close()
    await service?.close()
  })

  /** All processes are so far ahead from now on; the token of before is too old then. */
  const moveClock = async (ms: number) => {
    service.moveClock(ms)
    api = await createApi(service.url, service.username, service.demoKey)
  }
  const callbacks = (tag: string) => ({
    callback_success_url: `${receiver.url}/${tag}/success/SERVICE_DOCUMENT_ID`,
    callback_update_url: `${receiver.url}/${tag}/update/SERVICE_DOCUMENT_ID`,
    callback_error_url: `${receiver.url}/${tag}/error`,
  })
  const called = (tag: string) =>
    receiver.received.map(({ path }) => path).filter((path) => path.startsWith(`/${tag}/`))
  const open = async (v: Version, tag: string, signatures: readonly object[]): Promise<string> => {
    const documentId = await uploadTo(api, v)
    return (await openRequest(api, v, documentId, { signatures, ...callbacks(tag) })).id
  }
  const read = async (v: Version, id: string): Promise<Json> =>
    (await api.get(`/${v}/signature-requests/${id}`)).body
  const codes = async (v: Version, id: string) =>
    (await read(v, id)).signatures.map((signature: Json) => signature.status_code)
  const signedPdf = async (v: Version, id: string) =>
    (await api.get(`/${v}/documents/${(await read(v, id)).document_id}/content`)).bytes

  /** ST-07: reading and deletion remain; anything else is refused, and changes nothing. */
  const mustHaveEnded = async (v: Version, id: string, status: string) => {
    const before = await read(v, id)
    expect(before.status_overall).toBe(status)
    const at = `/${v}/signature-requests/${id}`
    const refused = await Promise.all([
      api.post(`${at}/withdraw`, undefined),
      api.post(`${at}/remind`, undefined),
      api.post(`${at}/signatures`, entry(v, newAddress("late"))),
      api.delete(`${at}/signatures/${before.signatures[0].sid}`),
      api.patch(at, { title: "Changed" }),
      api.put(`/${v}/signature-requests`, { id, signatures: [] }),
      ...(v === "v3" ? [api.post(`${at}/initiate`, undefined)] : []),
    ])
    for (const answer of refused)
      expect([answer.status, answer.body?.key]).toEqual([400, "error.sr.invalid_state"])
    expect(await read(v, id)).toEqual(before)
    expect((await api.delete(at)).status).toBe(204)
    expect((await api.get(at)).status).toBe(404)
  }

  it.each(VERSIONS)(
    "[SR-11] [ST-02] [ST-03] [ST-07] [ST-09] [SR-32] %s: in order, one after the other, until it is SIGNED",
    async (v) => {
      const tag = `in-order-${v}`
      const [first, second] = [newAddress("first"), newAddress("second")]
      const id = await open(v, tag, [entry(v, second, { place: 2 }), entry(v, first, { place: 1 })])
      const one = await openSession(service.url, await linkMailedTo(first))
      // v3 writes to all at once, v1 and v2 when the turn comes.
      expect(await mailsTo(second)).toHaveLength(v === "v3" ? 1 : 0)
      expect((await one.press("First Person")).status).toBe(202)
      await until("the update is called", () => called(tag).length === 1)
      const halfway = await read(v, id)
      expect([halfway.status_overall, await codes(v, id)]).toEqual(["OPEN", ["OPEN", "SIGNED"]])
      expect(called(tag)).toEqual([`/${tag}/update/${halfway.document_id}`])
      expect(halfway.signatures[1].signed_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      expect(halfway.signatures[0]).not.toHaveProperty("signed_at")

      await until(
        "the second is written to",
        async () => (await mailsTo(second)).length === (v === "v3" ? 2 : 1),
      )
      const two = await openSession(service.url, await linkMailedTo(second))
      expect((await two.press("Second Person")).status).toBe(202)
      await until("the success is called", () => called(tag).length === 2)
      const finished = await read(v, id)
      expect(called(tag)[1]).toBe(`/${tag}/success/${finished.document_id}`)
      expect(finished.signatures.map((s: Json) => s.signed_quality)).toEqual(["DEMO", "DEMO"])
      expect(finished.signatures[0].last_viewed_at).not.toBeNull()
      await mustHaveEnded(v, id, "SIGNED")
    },
  )

  it.each(VERSIONS)(
    "[SR-11] [ST-10] %s: two without an order are written to at once, press at once, and both are in the PDF, valid",
    async (v) => {
      const tag = `at-once-${v}`
      const people = [newAddress("left"), newAddress("right")]
      const id = await open(
        v,
        tag,
        people.map((who) => entry(v, who)),
      )
      const sessions = await Promise.all(
        people.map(async (who) => openSession(service.url, await linkMailedTo(who))),
      )
      const pressed = await Promise.all(sessions.map((session, i) => session.press(`Person ${i}`)))
      expect(pressed.map(({ status }) => status)).toEqual([202, 202])
      await until("both callbacks come", () => called(tag).length === 2)
      expect(called(tag).map((path) => path.split("/")[2])).toEqual(["update", "success"])
      const { pdfsig, pyhanko } = await judge(await signedPdf(v, id))
      expect(pdfsig).toEqual(["Signature is Valid.", "Signature is Valid."])
      expect(pyhanko.map((signature) => signature.bottomLine)).toEqual([true, true])
    },
  )

  it.each(VERSIONS)(
    "[ST-04] [ST-07] [ST-09] %s: one declines, and it is DECLINED for everybody",
    async (v) => {
      const tag = `declined-${v}`
      const [no, other] = [newAddress("no"), newAddress("other")]
      const id = await open(v, tag, [entry(v, no), entry(v, other)])
      const session = await openSession(service.url, await linkMailedTo(no))
      expect((await session.decline("Not on these terms.")).status).toBe(200)
      await until("the error is called", () => called(tag).length === 1)
      expect(called(tag)).toEqual([`/${tag}/error`])
      expect(await codes(v, id)).toEqual(["DECLINED", "OPEN"])
      await mustHaveEnded(v, id, "DECLINED")
    },
  )

  it("a request is SIGNED where the only one who has not signed is removed", async () => {
    const tag = `removed-${randomUUID()}`
    const [signs, goes] = [newAddress("signs"), newAddress("goes")]
    const id = await open("v2", tag, [entry("v2", signs), entry("v2", goes)])
    const session = await openSession(service.url, await linkMailedTo(signs))
    expect((await session.press("The One")).status).toBe(202)
    await until("the update is called", () => called(tag).length === 1)
    const { signatures } = await read("v2", id)
    const at = `/v2/signature-requests/${id}/signatures`
    expect((await api.delete(`${at}/${signatures[0].sid}`)).status).toBe(400)
    const replaced = await api.patch(`/v2/signature-requests/${id}`, { signatures: [] })
    expect([replaced.status, replaced.body.key]).toEqual([400, "error.sr.invalid_state"])
    expect((await api.delete(`${at}/${signatures[1].sid}`)).status).toBe(204)
    await until("the success is called", () => called(tag).length === 2)
    expect((await read("v2", id)).status_overall).toBe("SIGNED")
  })

  it("[ST-05] [ST-07] 72 hours in vain end in ERROR, in every version", async () => {
    const made = await Promise.all(
      VERSIONS.map(async (v) => {
        const who = newAddress("in-vain")
        const id = await open(v, `error-${v}`, [entry(v, who)])
        return { v, id, session: await openSession(service.url, await linkMailedTo(who)) }
      }),
    )
    await service.worker.kill()
    for (const { session } of made) expect((await session.press("Ada Lovelace")).status).toBe(202)
    await moveClock(73 * HOUR_MS)
    await asIfTriedOften(service)
    const worker = await service.startWorker({ S3_BUCKET: "there-is-none" })
    for (const { v, id } of made) {
      await until(`the error of ${v} is called`, () => called(`error-${v}`).length === 1)
      expect(await codes(v, id)).toEqual(["ERROR"])
    }
    await worker.kill()
    await service.startWorker()
    for (const { v, id } of made) await mustHaveEnded(v, id, "ERROR")
  })

  it("[ST-06 v3] [ST-07 v3] expires_at passes and it is EXPIRED; a DRAFT stays one, and cannot be initiated", async () => {
    await service.paraph(
      ...["admin", "set-feature", "--business", service.business, "--feature", "expires_at", "--on"],
    )
    const today = 73 * HOUR_MS
    const dayIn = (days: number) =>
      new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Zurich" }).format(
        Date.now() + today + days * 24 * HOUR_MS,
      )
    const documentId = await uploadTo(api, "v3")
    const more = {
      signatures: [entry("v3", newAddress("slow"))],
      expires_at: dayIn(5),
      ...callbacks("expired"),
    }
    const open = await openRequest(api, "v3", documentId, more)
    const draft = (await createRequest(api, "v3", await uploadTo(api, "v3"), { expires_at: dayIn(5) })).body

    await moveClock(today + 4 * 24 * HOUR_MS)
    expect((await read("v3", open.id)).status_overall).toBe("OPEN")
    await moveClock(today + 6 * 24 * HOUR_MS)
    await until("the error is called", () => called("expired").length === 1)
    expect((await read("v3", draft.id)).status_overall).toBe("DRAFT")
    const late = await api.post(`/v3/signature-requests/${draft.id}/initiate`, undefined)
    expect([late.status, late.body.key]).toEqual([400, "error.sr.invalid_state"])
    await mustHaveEnded("v3", open.id, "EXPIRED")
  })
})
