import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, PHONE, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

describe("a signer declines", () => {
  const signer = `no-${Date.now()}@example.org`
  const other = `other-${Date.now()}@example.org`
  let service: Service
  let receiver: Receiver
  let browser: Browser

  beforeAll(async () => {
    service = await startService()
    receiver = await startReceiver()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await receiver?.close()
    await service?.close()
  })

  it("[ST-04 v2] [EVT-03 v2] on a phone, in two steps: DECLINED for everyone, and the error callback", async () => {
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      content: contractPdf().toString("base64"),
      signatures: [{ account_email: signer }, { account_email: other }],
      callback_success_url: `${receiver.url}/success`,
      callback_update_url: `${receiver.url}/update`,
      callback_error_url: `${receiver.url}/error`,
    })
    const page = await openLink(browser, await linkMailedTo(signer), PHONE)
    await page.getByRole("button", { name: "More choices" }).click()
    await page.getByRole("button", { name: /^Decline/ }).click()
    await page.getByLabel(/why/i).fill("Not on these terms.")
    await page.getByRole("button", { name: "Continue", exact: true }).click()
    await page.getByRole("button", { name: /Decline for everyone/ }).click()
    await page.getByRole("heading", { name: "This request was declined" }).waitFor()

    await until("the error callback comes", () => receiver.received.length > 0)
    expect(receiver.received.map((c) => c.path)).toEqual(["/error"])
    const read = await service.caller.get(`/v2/signature-requests/${body.id}`)
    expect(read.body.status_overall).toBe("DECLINED")
    expect(read.body.signatures.map((s: { status_code: string }) => s.status_code)).toEqual([
      "DECLINED",
      "OPEN",
    ])
  })

  it("closes the door for the other signer", async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(await linkMailedTo(other))
    await page.getByRole("heading", { name: "This request was declined" }).waitFor()
    expect(await page.getByRole("button").count()).toBe(0)
  })
})
