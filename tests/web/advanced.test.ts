import { mkdirSync } from "node:fs"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { codeMailedTo, codeOf, registered, withSecondFactor } from "../service/account.ts"
import { authenticatorOf, openLink, PHONE, pressSign, readyToSign, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"

/** Where a person who looks at them wants the pictures; none are made otherwise. */
const PICTURES = process.env.PICTURES ?? ""

describe("an advanced signature in the browser", () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
    if (PICTURES !== "") mkdirSync(PICTURES, { recursive: true })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const linkFor = async (email: string, more: object = {}): Promise<string> => {
    await sentTo(service.caller, "v2", [email], { quality: "AES", title: "Rental agreement", ...more })
    return linkMailedTo(email)
  }
  const picture = async (page: Page, name: string) => {
    await mustBeSound(page, name)
    if (PICTURES !== "") await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
  }
  const heading = (page: Page, name: RegExp | string) =>
    page.getByRole("heading", { level: 1, name }).waitFor({ timeout: 150_000 })
  /** With an authenticator app in the account of the address. */
  const withApp = async (email: string) =>
    (await withSecondFactor(await registered(service.url, email, "Ada Lovelace"))).secret
  const opened = (link: string, options: BrowserContextOptions = {}) => openLink(browser, link, options)

  it("[SR-07] leads somebody new from the document over a passkey of their own back to it, and signs with it", async () => {
    const email = newAddress("new")
    const page = await opened(await linkFor(email), PHONE)
    await authenticatorOf(page)
    await page.getByRole("button", { name: "Continue to sign" }).click()
    await page.getByRole("heading", { name: /First: a way to confirm/ }).waitFor()
    await picture(page, "factor-needed-phone")
    await page.getByRole("link", { name: "Set it up now" }).click()
    await page.getByLabel("E-mail address").fill(email)
    const code = await codeMailedTo(email, () => page.getByRole("button", { name: "Send me a code" }).click())
    await page.getByLabel("Code from the e-mail").fill(code)
    await page.getByLabel("Your name").fill("Ada Lovelace")
    await picture(page, "factor-register-phone")
    await page.getByRole("button", { name: "Create account with a passkey" }).click()
    await page.getByRole("button", { name: "Open document" }).click()
    await page
      .getByRole("img", { name: /page 1/i })
      .first()
      .waitFor()
    await readyToSign(page, null)
    expect(await page.getByLabel("Your name").inputValue()).toBe("Ada Lovelace")
    await picture(page, "factor-confirm-phone")
    await pressSign(page)
    await heading(page, "Confirm that it is you")
    await picture(page, "release-passkey-phone")
    await page.getByRole("button", { name: "Confirm with your passkey" }).click()
    await heading(page, /you signed/i)
    await page.context().close()
  }, 300_000)

  it("takes the code of an authenticator app, says what is wrong with one, and lets the person go back", async () => {
    const email = newAddress("app")
    const secret = await withApp(email)
    const page = await opened(await linkFor(email), { colorScheme: "dark" })
    await readyToSign(page, null)
    await pressSign(page)
    await heading(page, "Confirm that it is you")
    await page.getByRole("button", { name: "Go back to the document" }).click()
    await readyToSign(page, null)
    await pressSign(page)
    await heading(page, "Confirm that it is you")
    const field = page.getByLabel("Code of your authenticator app")
    await field.fill("12 34")
    await field.press("Enter")
    await page.getByText("Please type the six digits that the app shows.").waitFor()
    await field.fill("000 000")
    await field.press("Enter")
    await page.getByText("This code is wrong or was used before.").waitFor()
    await picture(page, "release-code-dark")
    await field.fill(codeOf(secret))
    await page.getByRole("button", { name: "Confirm with the code" }).click()
    await heading(page, /you signed/i)
    await page.context().close()
  }, 300_000)

  it.each([
    ["de", "Bestätigen Sie, dass Sie es sind"],
    ["fr", "Confirmez que c’est bien vous"],
    ["it", "Confermi che è Lei"],
  ])(
    "speaks %s, and fits 320 pixels",
    async (locale, words) => {
      const email = newAddress(locale)
      await withApp(email)
      const link = await linkFor(email, { signatures: [{ account_email: email, language: locale }] })
      const context = await browser.newContext({ locale, viewport: { width: 320, height: 568 } })
      const page = await context.newPage()
      await page.goto(link)
      await page.locator("form button").first().click()
      await page.waitForURL(`${service.url}/app/`)
      const view = await (await page.request.get(`${service.url}/app/api/signature`)).json()
      const shown = view.documents.map(({ id }: { id: string }) => id)
      await page.request.post(`${service.url}/app/api/signature/sign`, {
        data: { name: "x", consentVersion: view.consent.version, shown },
        headers: { origin: service.url, "sec-fetch-site": "same-origin", "paraph-signature": view.signature },
      })
      await page.reload()
      await heading(page, words)
      await picture(page, `release-${locale}`)
      await context.close()
    },
    120_000,
  )
})
