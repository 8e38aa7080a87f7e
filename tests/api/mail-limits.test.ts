import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { mailsTo } from "../service/mailbox.ts"
import { createRequest, entry, newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"

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
})
