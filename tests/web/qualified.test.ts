// A qualified signature as a person with a phone makes it: from the document to the provider, back, there again, and done.
import { mkdirSync } from "node:fs"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, PHONE, pressSign, readyToSign, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { type Qualified, startQualified } from "../service/qualified.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { mustBeSound } from "../service/sound.ts"

/** Where a person who looks at them wants the pictures; none are made otherwise. */
const PICTURES = process.env.PICTURES ?? ""

describe("a qualified signature in the browser", () => {
  let world: Qualified
  let browser: Browser
  beforeAll(async () => {
    world = await startQualified()
    browser = await startBrowser()
    if (PICTURES !== "") mkdirSync(PICTURES, { recursive: true })
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  const linkFor = async (more: object): Promise<string> => {
    const email = newAddress("qes")
    const terms = { title: "Rental agreement", quality: "QES", legislation: "EIDAS", ...more }
    await sentTo(world.service.caller, "v2", [email], terms)
    return linkMailedTo(email)
  }
  const picture = async (page: Page, name: string) => {
    await mustBeSound(page, name)
    if (PICTURES !== "") await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
  }
  const heading = (page: Page, name: RegExp | string) =>
    page.getByRole("heading", { level: 1, name }).waitFor({ timeout: 150_000 })
  const button = (page: Page, name: RegExp | string) => page.getByRole("button", { name })
  /** On the page of the provider. */
  const logInThere = async (page: Page, login: string) => {
    await page.getByLabel("Your e-mail address, or any name").fill(login)
    await button(page, "Log in").click()
    await button(page, "Continue").click()
  }

  it("[SR-07] leads from the document to the provider and back, twice, and is signed", async () => {
    const page = await openLink(browser, await linkFor({}), PHONE)
    await readyToSign(page, "Ada Lovelace")
    expect(await page.getByRole("radio", { name: /At .?Sandbox EIDAS/ }).isChecked()).toBe(true)
    await picture(page, "qualified-confirm-phone")
    await pressSign(page)
    await logInThere(page, "ada.lovelace@example.org")
    await heading(page, "Confirm at your provider")
    await page.getByText(/you sign as .?Ada Lovelace/).waitFor()
    await picture(page, "qualified-release-phone")
    await button(page, /Confirm at .?Sandbox EIDAS/).click()
    await button(page, "Release").click()
    await heading(page, /you signed/i)
    await picture(page, "qualified-done-phone")
    await page.context().close()
  }, 300_000)

  it("tells who says no at the provider what has happened, and lets them go again or back", async () => {
    const page = await openLink(browser, await linkFor({}), { colorScheme: "dark" })
    await readyToSign(page, "Ada Lovelace")
    await pressSign(page)
    await button(page, "Cancel").click()
    await heading(page, "Log in at your provider")
    await page.getByText("You did not confirm at the provider.").waitFor()
    await picture(page, "qualified-refused-dark")
    await button(page, "Go back to the document").click()
    await button(page, "Continue to sign").waitFor()
    await page.context().close()
  }, 300_000)

  it("of at least AES is a choice: with a certificate, or a way to one of our own", async () => {
    const page = await openLink(browser, await linkFor({ quality: "AES_MINIMAL", legislation: "ZERTES" }))
    await readyToSign(page, "Ada Lovelace")
    await page.getByRole("radio", { name: /At .?Sandbox ZERTES/ }).waitFor()
    await page.getByRole("link", { name: "I have no qualified certificate" }).waitFor()
    await picture(page, "qualified-minimal-desktop")
    await page.context().close()
  }, 300_000)

  it("says why a certificate is not good enough, over the document", async () => {
    world.of("EIDAS").misbehave({ certificate: "unqualified" })
    try {
      const page = await openLink(browser, await linkFor({}), PHONE)
      await readyToSign(page, "Ada Lovelace")
      await pressSign(page)
      await logInThere(page, "ada.plain@example.org")
      await page
        .getByRole("alert")
        .filter({ hasText: "not one for qualified signatures" })
        .waitFor({ timeout: 150_000 })
      await picture(page, "qualified-not-qualified-phone")
      await page.context().close()
    } finally {
      world.of("EIDAS").misbehave({})
    }
  }, 300_000)
})
