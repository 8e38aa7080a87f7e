import { gzipSync } from "node:zlib"
import type { Browser, BrowserContextOptions, Page, Response } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, PHONE, pressSign, readyToSign, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"

const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ["a desktop", { viewport: { width: 1280, height: 800 } }],
  ["a phone in the dark", { ...PHONE, colorScheme: "dark" }],
  ["320 pixels", { viewport: { width: 320, height: 640 } }],
]

describe("the pages on which people sign", () => {
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

  const invite = async (more: object = {}) => {
    const signer = newAddress("web")
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Mietvertrag für François Müller",
      message: "Hello <b>Ada</b>,\nplease sign.",
      content: contractPdf("Read me.", 3).toString("base64"),
      signatures: [{ account_email: signer }],
      ...more,
    })
    return { id: body.id as string, link: await linkMailedTo(signer) }
  }

  it.each(SCREENS)(
    "are free of axe's findings and of sideways scrolling on %s, from the door to the end",
    async (_, options) => {
      const page = await openLink(browser, (await invite()).link, options)
      await mustBeSound(page)
      await eachWayToRead(page)
      await page.getByRole("button", { name: "More choices" }).click()
      await mustBeSound(page)
      await page.getByRole("button", { name: /^Decline/ }).click()
      await mustBeSound(page)
      await page.getByRole("button", { name: "Continue", exact: true }).click()
      await mustBeSound(page)
      await page.keyboard.press("Escape")
      await readyToSign(page, "François Müller")
      await mustBeSound(page)
      await pressSign(page)
      await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
      await mustBeSound(page)
      await page.context().close()
    },
  )

  it.each(SCREENS)("so are the sheets in which a signature is placed and made, on %s", async (_, options) => {
    const page = await openLink(browser, (await invite()).link, options)
    await page.getByRole("button", { name: "More choices" }).click()
    await page.getByRole("button", { name: /the signature.* …$/i }).click()
    await page.getByRole("heading", { name: "Where should your signature appear?" }).waitFor()
    await mustBeSound(page)
    await page.getByRole("button", { name: "Place it here" }).click()
    await page.getByRole("button", { name: "Continue to sign" }).click()
    for (const tab of ["Type", "Draw", "Upload"]) {
      await page.getByRole("tab", { name: tab }).click()
      await mustBeSound(page)
    }
    await page.context().close()
  })

  it.each(SCREENS)("the door itself too, on %s", async (_, options) => {
    const page = await (await browser.newContext({ locale: "en", ...options })).newPage()
    await page.goto((await invite()).link)
    await mustBeSound(page)
    // What the sender wrote is shown as words, never as markup.
    expect(await page.getByText("Hello <b>Ada</b>").count()).toBe(1)
    await page.goto(`${service.url}/sign/unknown`)
    await mustBeSound(page)
    await page.context().close()
  })

  it("say calmly what has become of a request, and are sound then", async () => {
    const { id, link } = await invite()
    const page = await openLink(browser, link)
    await service.caller.post(`/v2/signature-requests/${id}/withdraw`, { message: "A mistake." })
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "This request was withdrawn" }).waitFor()
    await mustBeSound(page)
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole("heading", { level: 1, name: /open the link from your e-mail/i }).waitFor()
    await mustBeSound(page)
    await page.context().close()
  })

  it("weigh at most 110 kB before the first page, the sheet 25 kB, and ask nobody but us for anything", async () => {
    const page = await (await browser.newContext({ locale: "en" })).newPage()
    const foreign: string[] = []
    const complaints: string[] = []
    page.on("request", (request) => request.url().startsWith(service.url) || foreign.push(request.url()))
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    const response = await page.goto((await invite()).link)
    const policy = response?.headers()["content-security-policy"] ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe/)

    const atDoor = weigh(page)
    await page.getByRole("button", { name: "Open document" }).click()
    await page.locator("[aria-busy=false] img").first().waitFor()
    const bytes = await atDoor()
    expect(bytes).toBeLessThanOrEqual(110_000)
    expect(bytes).toBeGreaterThan(50_000)

    const atSheet = weigh(page)
    await page.getByRole("button", { name: "Continue to sign" }).click()
    await page.getByRole("tab", { name: "Draw" }).click()
    expect(await atSheet()).toBeLessThanOrEqual(25_000)
    await page.waitForLoadState("networkidle")
    expect(foreign).toEqual([])
    expect(complaints).toEqual([])
    // The token is gone from the address, and with it from history and screenshots.
    expect(page.url()).toBe(`${service.url}/app/`)
    await page.context().close()
  })
})

/** The pages as words, larger, and as the browser's own PDF engine draws them. */
async function eachWayToRead(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Read as text" }).click()
  await page.getByText("Read me. Page 1.").waitFor()
  await mustBeSound(page)
  await page.getByRole("button", { name: "Larger" }).click()
  await mustBeSound(page)
  await page.getByRole("button", { name: "More choices" }).click()
  await page.getByRole("button", { name: "Show the exact PDF" }).click()
  await page.locator("canvas").first().waitFor()
  await mustBeSound(page)
  await page.getByRole("button", { name: "Smaller" }).click()
  await page.getByRole("button", { name: "More choices" }).click()
  await page.getByRole("button", { name: "Show the pages" }).click()
}

/** From now on: how many bytes of page, style and script are fetched, as small as gzip makes them, each file once. */
function weigh(page: Page): () => Promise<number> {
  const addresses = new Set<string>()
  const add = (response: Response) => {
    const type = response.headers()["content-type"] ?? ""
    if (response.status() === 200 && /html|css|javascript/.test(type)) addresses.add(response.url())
  }
  page.on("response", add)
  return async () => {
    page.off("response", add)
    // Asked for once more: the browser forgets the body of what it was led away from.
    const answers = await Promise.all([...addresses].map((address) => page.request.get(address)))
    const bodies = await Promise.all(answers.map((answer) => answer.body()))
    return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  }
}
