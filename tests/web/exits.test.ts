import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { openLink, PHONE, pressSign, sign, startBrowser } from "../service/browser.ts"
import { linkMailedTo, mailsComeTo } from "../service/mailbox.ts"
import { type Service, startService } from "../service/service.ts"
import { bySms, capturedSms, codeIn, type Gateway, startSmsGateway } from "../service/sms.ts"
import { mustBeSound, mustBeSoundInBoth } from "../service/sound.ts"
import { until } from "../service/until.ts"
import { invited, previewed } from "../service/visitor.ts"

describe("the ways out of the pages, and the one in that proves the mailbox", () => {
  let service: Service
  let browser: Browser
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startSmsGateway(() => ({ status: 422 }))
    service = await startService({ env: gateway.env })
    await listExits(SHOP)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await gateway?.close()
  })

  /** The integrator's own site, which the browser alone ever meets. */
  const SHOP = "https://shop.example"
  const listExits = (origins: string) =>
    service.paraph("admin", "set-exit-origins", "--business", service.business, "--origins", origins)
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

  it("[URL-01] [URL-03] returns to an exitURL that the business lists by itself after the time that it says, and names the host before", async () => {
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

  it("[URL-01] counts down in the sight of the person only, and says aloud no more than is needed", async () => {
    const page = await open(`${await invited(service)}?exitURL=${back("/done")}&redirectTimeout=48`)
    await sign(page, "Ada Lovelace")
    const seen = page.locator("section p[aria-hidden=true]").filter({ hasText: "You return to" })
    const spoken = page.locator("section p[role=status]").filter({ hasText: "You return to" })
    await page.clock.pauseAt(Date.now() + 2_000)
    await until("it counts", async () => (await secondsIn(seen)) < 48)

    // What the browser says of a tab that lies behind another.
    await page.evaluate(
      `Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true })`,
    )
    const hidden = await secondsIn(seen)
    await page.clock.runFor(120_000)
    expect(await secondsIn(seen)).toBe(hidden)
    await page.evaluate("delete document.visibilityState")

    const told = new Set<number>()
    for (let left = hidden - 1; left >= 1; left -= 1) {
      await page.clock.runFor(1_000)
      expect(await secondsIn(seen)).toBe(left)
      told.add(await secondsIn(spoken))
    }
    const marks = [48, 45, 30, 15, 10, 5]
    expect([...told]).toEqual(marks.slice(marks.findLastIndex((mark) => mark >= hidden - 1)))
    await page.clock.runFor(1_000)
    await page.waitForURL(`${SHOP}/done`)
    await page.context().close()
  })

  it("[URL-02] leads to the errorURL when the request has ended otherwise", async () => {
    const { url, request } = await previewed(service)
    const page = await open(
      `${url}?errorURL=${back("/sorry")}&exitURL=${back("/done")}&redirectTimeout=20`,
      PHONE,
    )
    await service.caller.post(`/v2/signature-requests/${request.id}/withdraw`, { message: "A mistake." })
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "This request was withdrawn" }).waitFor()
    await mustBeSound(page)
    await page.clock.runFor(21_000)
    await page.waitForURL(`${SHOP}/sorry`)
    await page.context().close()
  })

  it("[B12] [URL-01] asks first where the business does not list the origin, or lists none, however long one waits", async () => {
    const link = `${await invited(service)}?exitURL=${back("/done")}&redirectTimeout=10`
    const page = await open(link, { ...PHONE, colorScheme: "dark" })
    const untilAsks = (ask: boolean) =>
      until(`ask is ${ask}`, async () => {
        const view = await (await page.request.get(`${service.url}/app/api/signature`)).json()
        return view.exits.success.ask === ask
      })
    await listExits("none")
    await untilAsks(true)
    await sign(page, "Ada Lovelace")
    const asks = page.getByText(/asks us to take you to .?shop\.example.?\..*Go there\?/)
    await asks.waitFor()
    await mustBeSound(page)
    await page.clock.runFor(100_000)
    expect(page.url()).toBe(`${service.url}/app/`)
    await listExits("https://portal.example")
    await page.reload()
    await asks.waitFor()
    await page.clock.runFor(100_000)
    expect(page.url()).toBe(`${service.url}/app/`)
    await listExits(SHOP)
    await untilAsks(false)
    await page.reload()
    await page
      .getByText(/You return to .?shop\.example.? in/)
      .first()
      .waitFor()
    await page.clock.runFor(11_000)
    await page.waitForURL(`${SHOP}/done`)
    await page.context().close()
  })

  it("a tab declines nothing but what it shows: where another link was opened since, it says so", async () => {
    const page = await openLink(browser, await invited(service))
    const other = await page.context().newPage()
    await other.goto(await invited(service))
    await other.getByRole("button", { name: "Open document" }).click()
    await other.waitForURL(`${service.url}/app/`)
    await decline(page)
    await page
      .getByRole("alert")
      .getByText("You have since opened another document in this browser")
      .waitFor()
    await mustBeSound(page)
    await other.reload()
    await other.getByRole("button", { name: "More choices" }).waitFor()
    await page.context().close()
  })

  it("[URL-07] shows a signer without an account the document, and asks for a code from the mail before the signature", async () => {
    const { email, url } = await previewed(service)
    const page = await openLink(browser, url, PHONE)
    const send = await atCodeSheet(page)
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

  it("[URL-07] asks somebody without an e-mail address for a code by SMS, and shows of the number what its owner needs", async () => {
    const { url, request } = await bySms(service.caller, "v2", "+41 79 123 45 67")
    const page = await openLink(browser, url, PHONE)
    const send = await atCodeSheet(page)
    await page.getByRole("heading", { name: "Is this your mobile number?" }).waitFor()
    await page.getByText(/Before you sign.* by SMS to .?\+41\s79\s•••\s••\s67/).waitFor()
    expect(await page.content()).not.toMatch(/123\s?45/)
    await mustBeSoundInBoth(page, "before a code by SMS")
    await send.click()
    const field = page.getByLabel("Code of six digits")
    await field.waitFor()
    await page.getByText(/We have sent the code by SMS to .?\+41\s79\s•••\s••\s67/).waitFor()
    await mustBeSoundInBoth(page, "after a code by SMS")
    await field.press("Enter")
    await page.getByRole("alert").filter({ hasText: "six digits from the SMS" }).waitFor()
    const [sms] = await capturedSms(service.caller, request.id)
    await field.fill(codeIn(sms?.text))
    await field.press("Enter")
    await page.getByRole("heading", { name: "Your signature" }).waitFor()
    await page.getByLabel("Your name").fill("Ada Lovelace")
    await pressSign(page)
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
    await page.context().close()
  })

  it("tells somebody whose number the gateway does not reach so, a moment after they asked", async () => {
    const production = await createApi(service.url, service.username, service.productionKey)
    const { url } = await bySms(production, "v2", "+41 79 123 45 68")
    const page = await openLink(browser, url, PHONE)
    await (await atCodeSheet(page)).click()
    await page
      .getByRole("alert")
      .filter({ hasText: /We cannot reach .?\+41\s79\s•••\s••\s68/ })
      .waitFor({ timeout: 150_000 })
    expect(await page.getByLabel("Code of six digits").count()).toBe(0)
    await mustBeSound(page, "a number that no SMS reaches")
    await page.context().close()
  })

  it("tells somebody whom we reach by neither mail nor SMS whom to ask", async () => {
    const { url } = await bySms(service.caller, "v2", "079 123 45 67")
    const page = await openLink(browser, url)
    await page.getByText(/This is a preview.*please ask .?Acme AG/).waitFor()
    expect(await page.getByRole("button", { name: "Continue to sign" }).count()).toBe(0)
    await mustBeSoundInBoth(page, "a preview whose signer we reach nowhere")
    await page.context().close()
  })

  /** Up to the button that sends the code. */
  async function atCodeSheet(page: Page): Promise<Locator> {
    await page.getByRole("button", { name: "Continue to sign" }).click()
    const use = page.getByRole("button", { name: "Use this signature" })
    const send = page.getByRole("button", { name: "Send the code" })
    await use.or(send).waitFor()
    if (await use.isVisible()) {
      await page.getByLabel("Your name").fill("Ada Lovelace")
      await use.click()
    }
    await send.waitFor()
    return send
  }

  async function codeMailedTo(email: string): Promise<string> {
    await linkMailedTo(email)
    for (let count = 2; ; count += 1) {
      const mails = await mailsComeTo(email, count)
      const code = mails.map(({ text }) => /\b(\d{3}) ?(\d{3})\b/.exec(text)).find((found) => found !== null)
      if (code) return `${code[1]}${code[2]}`
    }
  }
})

const secondsIn = async (words: Locator): Promise<number> =>
  Number(/in (\d+) seconds/.exec((await words.textContent()) ?? "")?.[1])

async function decline(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More choices" }).click()
  await page.getByRole("button", { name: /^Decline/ }).click()
  await page.getByRole("radio", { name: "I do not agree with the terms" }).check()
  await page.getByRole("button", { name: "Continue", exact: true }).click()
  await page.getByRole("button", { name: /Decline for everyone/ }).click()
}
