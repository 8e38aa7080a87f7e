import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { openLink, sign, startBrowser } from "../service/browser.ts"
import { judge } from "../service/judges.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

describe("signature requests", () => {
  const content = contractPdf().toString("base64")
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service?.close()
  })

  const create = (more: object) =>
    service.caller.post("/v2/signature-requests", { title: "Contract", ...more })

  it("[EVT-06 v2] [SR-11 v2] writes to all signers at once when none has a place, each with a link of their own", async () => {
    const people = ["a", "b", "c"].map((who) => `${who}-${Date.now()}@example.org`)
    await create({ content, signatures: people.map((account_email) => ({ account_email })) })
    const links = await Promise.all(people.map(linkMailedTo))
    expect(new Set(links).size).toBe(3)
    for (const who of people) expect(await mailsTo(who)).toHaveLength(1)
  })

  it("[R27] opens no door by GET or HEAD, however often a scanner tries", async () => {
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
    expect((await judge(pdf.bytes)).signers).toEqual(["Paraph tests Signatures 1"])
  })
})
