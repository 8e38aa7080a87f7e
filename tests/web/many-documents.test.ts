import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, PHONE, sign, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"
import { until } from "../service/until.ts"

const COUNT = 8

describe("several documents", () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  it("are found by their titles, opened one after the other, and signed by one press", async () => {
    const email = newAddress("many")
    const documents = []
    for (let number = 1; number <= COUNT; number += 1)
      documents.push({ id: await uploadTo(service.caller, "v3", `Paper ${number}`) })
    const { body } = await service.caller.post("/v3/signature-requests", {
      title: "Papers",
      documents,
      signatures: [{ account_email: email }],
    })
    await service.caller.post(`/v3/signature-requests/${body.id}/initiate`, undefined)

    const page = await openLink(browser, await linkMailedTo(email), PHONE)
    await page.getByText(`1 of ${COUNT} opened`).last().waitFor()
    await page.getByRole("button", { name: /Documents$/ }).click()
    await mustBeSound(page)
    await page.getByRole("searchbox").fill("PAPER 5")
    await page.getByRole("button", { name: /Paper 5/ }).click()
    await page.getByRole("heading", { level: 2, name: "Paper 5" }).waitFor()
    await page.getByText(`2 of ${COUNT} opened`).last().waitFor()
    expect(await page.getByRole("button", { name: "Continue to sign" }).count()).toBe(0)
    await sign(page, "Ada Lovelace")
    await page.getByRole("link", { name: /Download all as ZIP/ }).waitFor({ timeout: 60_000 })
    await mustBeSound(page)
    await page.context().close()
    await until("the request is signed", async () => {
      const { body: now } = await service.caller.get(`/v3/signature-requests/${body.id}`)
      return now.status_overall === "SIGNED"
    })
  })
})
