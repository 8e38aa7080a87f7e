import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { API, type Person } from "../service/account.ts"
import { call } from "../service/api.ts"
import { PHONE, startBrowser } from "../service/browser.ts"
import { contractPdf } from "../service/pdf.ts"
import { block } from "../service/pictures.ts"
import { newAddress } from "../service/requests.ts"
import { sealersOf } from "../service/sealed.ts"
import { type SealingService, startSealing, switchSealing } from "../service/sealing.ts"
import { mustBeSoundInBoth } from "../service/sound.ts"
import { until } from "../service/until.ts"
import { button, heading, member, openConsole } from "./console-page.ts"

const pdf = (name: string) => ({
  name,
  mimeType: "application/pdf",
  buffer: contractPdf(`${name}.`, 1),
})
const STAMP = { name: "stamp.png", mimeType: "image/png", buffer: block(120, 60, [140, 20, 20], { left: 8 }) }

describe("company seals in the console", { timeout: 300_000 }, () => {
  let service: SealingService
  let browser: Browser
  let ada: Person
  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startSealing(), startBrowser()])
    ada = await member(service, newAddress("ada"), "owner")
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const open = (options?: object) => openConsole(browser, service, ada, "/console/seals", options)
  const asAda = async (path: string) => {
    const { body } = await ada.post(`${API}/token`, { businessId: service.business, kind: "demo" })
    return call(service.url, "GET", path, undefined, { authorization: `Bearer ${body.token}` })
  }

  it("[SEAL-03 v3] an owner drops files, presses once, sees how far it is, and downloads what was sealed", async () => {
    const page = await open()
    await heading(page, "Seals").waitFor()
    await page.getByText("A seal to test with is made when you seal your first document.").waitFor()
    await page
      .locator('input[accept^="application/pdf"]')
      .setInputFiles([pdf("One"), pdf("Two"), pdf("Three")])
    const press = button(page, "Seal 3 documents")
    await press.waitFor()
    await mustBeSoundInBoth(page, "seals-ready")
    await press.click()
    await page.getByText("3 of 3 sealed").waitFor({ timeout: 150_000 })
    await button(page, "Show the documents").click()
    const arriving = page.waitForEvent("download")
    await button(page, "Download").first().click()
    await arriving
    await mustBeSoundInBoth(page, "seals-sealed")
    const [batch] = (await asAda("/v3/seal-batches")).body
    const { documents } = (await asAda(`/v3/seal-batches/${batch.id}`)).body
    for (const { sealed_document_id: id } of documents) {
      const { bytes } = await asAda(`/v3/documents/${id}/content`)
      expect(sealersOf(bytes)).toMatchObject([{ commonName: "Demo: Acme AG" }])
    }
    await page.getByText("default").first().waitFor()
    await page.getByText(/Valid until .*, and renewed before that/).waitFor()
  })

  it("says what a seal shows, and takes it away again; on a phone too", async () => {
    const page = await open(PHONE)
    await heading(page, "Seals").waitFor()
    await page.locator('input[accept^="image/png"]').setInputFiles(STAMP)
    await page.getByRole("img", { name: "What default shows" }).waitFor()
    await mustBeSoundInBoth(page, "seals-phone")
    await button(page, "Remove the picture of default").click()
    await page.getByText("The seal shows the company's name again.").waitFor()
    await until("it has none", async () => (await asAda("/v3/seals")).body[0].has_image === false)
  })

  it("a member is shown no way to it, and where it is off it says who switches it on", async () => {
    const bob = await member(service, newAddress("bob"), "member")
    const page = await openConsole(browser, service, bob)
    await page.getByRole("link", { name: "Groups" }).first().waitFor()
    expect(await page.getByRole("link", { name: "Seals" }).count()).toBe(0)
    await switchSealing(service, service.business, "--off")
    const off = await open()
    await off.getByText("Sealing is not switched on").waitFor()
    expect(await off.getByRole("button", { name: "Choose files" }).count()).toBe(0)
    await switchSealing(service, service.business, "--on")
  })
})
