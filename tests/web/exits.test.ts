import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, PHONE, pressSign, sign, startBrowser } from "../service/browser.ts"
import { linkMailedTo, mailsComeTo } from "../service/mailbox.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"
import { invited, previewed } from "../service/visitor.ts"

describe("the ways out of the pages, and the one in that proves the mailbox", () => {
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

  /** The integrator's own site, which the browser alone ever meets. */
  const SHOP = "https://shop.example"
  const back = (path: string) => encodeURIComponent(SHOP + path)
  const open = async (link: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await openLink(browser, link, options)
    // Time goes on by itself, and faster when a test says so.
    await page.clock.install()
    await page.route(`${SHOP}/**`, (route) =>
      route.fulfill({ contentType: "text/plain", body: "Welcome back." }),
    )
    return page
  }

  it("[URL-01] [URL-03] returns to the exitURL by itself after the time that it says, and names the host before", async () => {
    const link = `${await invited(service)}?exitURL=${back("/done?order=7")}&redirectTimeout=3`
    const page = await open(link)
    await sign(page, "Ada Lovelace")
    // 3 became 10.
    await page
      .getByText(/You return to .?shop\.example.? in ([1-9]|10) seconds/)
      .first()
      .waitFor()
    await page.clock.runFor(11_000)
    await page.waitForURL(`${SHOP}/done?order=7`)
    await page.context().close()
  })

  it("[URL-01] lets the person stay, or go at once; and [URL-05] goes nowhere unasked", async () => {
    const page = await open(`${await invited(service)}?exitURL=${back("/done")}&redirectTimeout=90`)
    await sign(page, "Ada Lovelace")
    await page
      .getByText(/You return to .?shop\.example.? in \d+ seconds/)
      .first()
      .waitFor()
    await mustBeSound(page)
    await page.getByRole("button", { name: "Stay here" }).click()
    await page.getByText("You stay here.").waitFor()
    // Longer than the countdown would have taken: what does not happen can only be waited for.
    await page.clock.runFor(100_000)
    expect(page.url()).toBe(`${service.url}/app/`)
    await page.getByRole("link", { name: /^Go to/ }).click()
    await page.waitForURL(`${SHOP}/done`)
    await page.context().close()

    const alone = await openLink(browser, await invited(service))
    await sign(alone, "Ada Lovelace")
    expect(await alone.getByText(/You return to/).count()).toBe(0)
    await alone.context().close()
  })

  it("[URL-02] leads to the declineURL after declining", async () => {
    const page = await open(`${await invited(service)}?DeclineURL=${back("/no")}`, PHONE)
    await decline(page)
    await page.getByRole("heading", { level: 1, name: "This request was declined" }).waitFor()
    await mustBeSound(page)
    await page.getByRole("link", { name: "Return now" }).click()
    await page.waitForURL(`${SHOP}/no`)
    await page.context().close()
  })

  it("a tab declines nothing but what it shows: where another link was opened since, it says so", async () => {
    const page = await openLink(browser, await invited(service))
    const other = await page.context().newPage()
    await other.goto(await invited(service))
    await other.getByRole("button", { name: "Open document" }).click()
    await other.waitForURL(`${service.url}/app/`)
    await decline(page)
    await page.getByRole("alert").getByText("You have opened another document in this browser").waitFor()
    await mustBeSound(page)
    await other.reload()
    await other.getByRole("button", { name: "More choices" }).waitFor()
    await page.context().close()
  })

  it("[URL-07] shows a signer without an account the document, and asks for a code from the mail before the signature", async () => {
    const { email, url } = await previewed(service)
    const page = await openLink(browser, url, PHONE)
    await page.getByRole("button", { name: "Continue to sign" }).click()
    const use = page.getByRole("button", { name: "Use this signature" })
    const send = page.getByRole("button", { name: "Send the code" })
    await use.or(send).waitFor()
    if (await use.isVisible()) {
      await page.getByLabel("Your name").fill("Ada Lovelace")
      await use.click()
    }
    await mustBeSound(page)
    await send.click()
    const field = page.getByLabel("Code of six digits")
    await field.waitFor()
    const code = await codeMailedTo(email)
    await field.fill(code === "123456" ? "654321" : "123456")
    await field.press("Enter")
    await page.getByRole("alert").filter({ hasText: "This code is not right." }).waitFor()
    await mustBeSound(page)
    // As people paste it, with a space in the middle.
    await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await field.press("Enter")
    await page.getByRole("heading", { name: "Your signature" }).waitFor()
    await page.getByLabel("Your name").fill("Ada Lovelace")
    await pressSign(page)
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
    await page.context().close()
  })

  async function codeMailedTo(email: string): Promise<string> {
    await linkMailedTo(email)
    for (let count = 2; ; count += 1) {
      const mails = await mailsComeTo(email, count)
      const code = mails.map(({ text }) => /\b(\d{3}) ?(\d{3})\b/.exec(text)).find((found) => found !== null)
      if (code) return `${code[1]}${code[2]}`
    }
  }
})

async function decline(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More choices" }).click()
  await page.getByRole("button", { name: /^Decline/ }).click()
  await page.getByRole("radio", { name: "I do not agree with the terms" }).check()
  await page.getByRole("button", { name: "Continue", exact: true }).click()
  await page.getByRole("button", { name: /Decline for everyone/ }).click()
}
