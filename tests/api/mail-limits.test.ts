import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../service/api.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { createRequest, entry, newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { pathOf } from "../service/signer.ts"

describe("mails that a caller causes", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { MAILS_PER_BUSINESS: "5", MAILS_PER_RECIPIENT: "2" } })
  })
  afterAll(() => service?.close())

  it("[ERR-05 v2] are limited by business and by recipient: beyond it 429, and nothing is made or sent", async () => {
    const { caller } = service
    const documentId = await uploadTo(caller, "v2")
    const [victim, ann] = [newAddress("victim"), newAddress("ann")]
    const ask = (...emails: string[]) =>
      createRequest(caller, "v2", documentId, { signatures: emails.map((email) => entry("v2", email)) })
    const tooMany = await ask(victim, victim, victim)
    expect([tooMany.status, tooMany.body.key]).toEqual([429, "error.rate_limit.exceeded"])
    expect(Number(tooMany.headers.get("retry-after"))).toBeGreaterThan(0)
    const six = Array.from({ length: 6 }, () => newAddress("somebody"))
    expect((await ask(...six)).status).toBe(429)
    expect((await ask(ann, newAddress("bob"))).status).toBe(200)
    const { body } = await caller.get("/v2/signature-requests")
    expect(body).toHaveLength(1)
    expect(await mailsTo(victim)).toEqual([])
  })

  it("[SR-13] are as many as the addresses of which a caller learns whether they have an account, also where nobody is written to", async () => {
    const documentId = await uploadTo(service.caller, "v3")
    const guess = (path: string, count: number) =>
      service.caller.post(path, {
        title: "Who is here?",
        document_id: documentId,
        signatures: Array.from({ length: count }, () => {
          const email = newAddress("guess")
          const identity = { email_address: email, first_name: "Gus", last_name: "Guess" }
          return { account_email: email, signer_identity_data: identity, notify: false }
        }),
      })
    const dry = "/v3/signature-requests?dry_run=true"
    expect((await guess(dry, 4)).status).toBe(200)
    for (const path of [dry, "/v3/signature-requests"]) {
      const refused = await guess(path, 2)
      expect([path, refused.status, refused.body.key]).toEqual([path, 429, "error.rate_limit.exceeded"])
    }
  })

  it("bring a link that opens one session for one browser, and so many a minute and in half a day for others", async () => {
    // What the others have used up is there again, and counts no more as the window before.
    service.moveClock(121_000)
    const signer = newAddress("door")
    const signatures = [entry("v2", signer)]
    const documentId = await uploadTo(service.caller, "v2")
    const { status, body } = await createRequest(service.caller, "v2", documentId, { signatures })
    expect(status).toBe(200)
    const path = pathOf(await linkMailedTo(signer))
    const press = (more: Record<string, string> = {}) =>
      call(service.url, "POST", path, undefined, { origin: service.url, ...more })
    const [{ sid }] = body.signatures
    const counts = async () => {
      const opened = `from evidence where request_id = '${body.id}' and type = 'signature.opened'`
      const sessions = `from signer_session where signature_id = '${sid}'`
      return service.sql(`select (select count(*) ${sessions}), (select count(*) ${opened})`)
    }
    const cookie = /^[^;]+/.exec((await press()).headers.get("set-cookie") ?? "")?.[0] ?? ""
    const again = await press({ cookie })
    expect([again.status, again.headers.get("location"), await counts()]).toEqual([303, "/app/", "1|1"])

    const statuses: number[] = []
    for (let n = 0; n < 40; n += 1) statuses.push((await press()).status)
    expect(new Set(statuses)).toEqual(new Set([303, 429]))
    // A window of a minute may have ended meanwhile, and another begun.
    expect(Number((await counts()).split("|")[0])).toBeLessThanOrEqual(41)

    await service.sql(`insert into signer_session (id_hash, signature_id, created_at, seen_at, preview, way)
      select sha256(n::text::bytea), '${sid}', now(), now(), false, 'link' from generate_series(1, 100) n`)
    const full = await counts()
    service.moveClock(240_000)
    const refused = await press()
    expect([refused.status, await counts()]).toEqual([429, full])
    expect(Number(refused.headers.get("retry-after"))).toBe(3600)
    service.moveClock(13 * 3_600_000)
    expect((await press()).status).toBe(303)
  })
})
