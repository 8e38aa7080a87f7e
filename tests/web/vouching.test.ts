import { mkdirSync } from "node:fs"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import { openLink, PHONE, SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { passkeyHolder } from "../service/release.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound, mustBeSoundInBoth, mustFit } from "../service/sound.ts"
import { loggedInByPasskey, newVoucher } from "../service/vouching.ts"
import { button, openConsole } from "./console-page.ts"

/** A folder for screenshots; none are made unless it is named. */
const PICTURES = process.env.PICTURES ?? ""

describe("the name of an advanced signature", { timeout: 300_000 }, () => {
  let service: Service
  let browser: Browser
  let production: Api
  let voucher: Awaited<ReturnType<typeof newVoucher>>
  beforeAll(async () => {
    service = await startService({ env: { PRODUCTION_QUALITIES: "SES,AES" } })
    browser = await startBrowser()
    production = await createApi(service.url, service.username, service.productionKey)
    voucher = await newVoucher(service)
    if (PICTURES !== "") mkdirSync(PICTURES, { recursive: true })
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const requestFor = async (email: string): Promise<Json> =>
    sentTo(production, "v3", [email], {
      ...{ quality: "AES", title: "Loan contract", write_access: [voucher.email] },
    })
  const picture = async (page: Page, name: string) => {
    if (PICTURES !== "") await page.screenshot({ path: `${PICTURES}/${name}.png` })
  }
  const pressSign = (page: Page) => page.getByRole("button", { name: "Continue to sign" }).click()

  it("[B3] tells a signer on a phone what is missing, first the name and then the age of the passkey", async () => {
    const email = newAddress("new")
    const request = await requestFor(email)
    await passkeyHolder(service, email, "Anna Muster")
    const page = await openLink(browser, await linkMailedTo(email), PHONE)
    await pressSign(page)
    await page.getByRole("heading", { name: "First: who you are" }).waitFor()
    await mustBeSound(page, "a name that nobody has checked")
    await picture(page, "identity-needed-phone")
    await voucher.vouchFor(request, "Anna", "Muster")
    await page.reload()
    await pressSign(page)
    await page.getByRole("heading", { name: "You cannot sign just yet" }).waitFor()
    await page.getByText(/You can sign from .* 20\d\d/).waitFor()
    await mustBeSound(page, "a passkey that is too new")
    await picture(page, "factor-held-phone")
    await page.context().close()
  })

  it("[B3] is confirmed in the console by a member who met the signer", async () => {
    const email = newAddress("met")
    const { id } = await requestFor(email)
    const who = await loggedInByPasskey(service, voucher.holder)
    const path = `/console/requests/${id}?kind=production`
    const page = await openConsole(browser, service, who, path)
    await button(page, "Confirm identity").click()
    const sheet = page.getByRole("dialog")
    await sheet.getByLabel("First name").fill("Anna")
    await sheet.getByRole("button", { name: "Confirm identity" }).click()
    await sheet.getByText("Please type it as in the document.").waitFor()
    await sheet.getByText("Please confirm this first.").waitFor()
    await mustBeSoundInBoth(page, "the form in which a member vouches")
    await picture(page, "vouch-desktop")
    await page.setViewportSize(SMALL_PHONE.viewport ?? { width: 320, height: 568 })
    await mustFit(page, "the form on a small phone")
    await picture(page, "vouch-phone")
    await page.setViewportSize({ width: 1280, height: 800 })
    await sheet.getByLabel("Last name").fill("Muster")
    await sheet.getByLabel("The document that you saw").selectOption("IDENTITY_CARD")
    await sheet.getByLabel("I have met this person and seen this document.").check()
    await sheet.getByRole("button", { name: "Confirm identity" }).click()
    await page.getByText(`${voucher.email} confirmed on`).waitFor()
    await mustBeSound(page, "a signer whose identity was confirmed")
    await picture(page, "vouched-desktop")
    const { body } = await production.get(`/v3/signature-requests/${id}`)
    expect(body.signatures[0].vouch).toMatchObject({
      ...{ first_name: "Anna", last_name: "Muster", document: "IDENTITY_CARD", by: voucher.email },
    })
    await page.context().close()
  })
})
