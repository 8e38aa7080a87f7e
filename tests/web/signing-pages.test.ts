import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { gzipSync } from "node:zlib"
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, PHONE, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const DIST = resolve(import.meta.dirname, "../../apps/signing/dist")
const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ["a desktop", { viewport: { width: 1280, height: 800 } }],
  ["a phone", PHONE],
  ["320 pixels in the dark", { viewport: { width: 320, height: 640 }, colorScheme: "dark" }],
]

describe("the pages on which people sign", () => {
  let service: Service
  let browser: Browser
  let shown = 0

  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const invite = async () => {
    shown += 1
    const signer = `web-${shown}-${Date.now()}@example.org`
    await service.caller.post("/v2/signature-requests", {
      title: "Mietvertrag für François Müller",
      message: "Hello <b>Ada</b>,\nplease sign.",
      content: contractPdf("Read me.", 3).toString("base64"),
      signatures: [{ account_email: signer }],
    })
    return linkMailedTo(signer)
  }

  it.each(SCREENS)(
    "are free of axe's findings and of sideways scrolling on %s, from the door to the end",
    async (_, options) => {
      const page = await openLink(browser, await invite(), options)
      await mustBeSound(page)
      await page.getByRole("button", { name: "Continue to sign" }).click()
      await mustBeSound(page)
      await page.getByLabel("Your name").fill("François Müller")
      await page.getByRole("button", { name: "Sign", exact: true }).click()
      await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
      await mustBeSound(page)
      await page.context().close()
    },
  )

  it.each(SCREENS)("the door itself too, on %s", async (_, options) => {
    const page = await (await browser.newContext(options)).newPage()
    await page.goto(await invite())
    await mustBeSound(page)
    // What the sender wrote is shown as words, never as markup.
    expect(await page.getByText("Hello <b>Ada</b>").count()).toBe(1)
    await page.goto(`${service.url}/sign/unknown`)
    await mustBeSound(page)
    await page.context().close()
  })

  it("can be walked by keyboard alone, from the mail to the signature", async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(await invite())
    await tabTo(page, button(page, "Open document"))
    await page.keyboard.press("Enter")
    await page
      .getByRole("img", { name: /page 1/i })
      .first()
      .waitFor()
    await tabTo(page, button(page, "Continue to sign"))
    await page.keyboard.press("Enter")
    await tabTo(page, page.getByLabel("Your name"))
    await page.keyboard.type("Ada Lovelace")
    await tabTo(page, button(page, "Sign"))
    await page.keyboard.press("Enter")
    const heading = page.getByRole("heading", { level: 1, name: /you signed/i })
    await heading.waitFor()
    expect(await heading.and(page.locator(":focus")).count()).toBe(1)
    await page.context().close()
  })

  it("ask nobody but us for anything, and run under a policy without inline script or style", async () => {
    const page = await (await browser.newContext()).newPage()
    const foreign: string[] = []
    const complaints: string[] = []
    page.on("request", (request) => request.url().startsWith(service.url) || foreign.push(request.url()))
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    const response = await page.goto(await invite())
    const policy = response?.headers()["content-security-policy"] ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe/)
    await page.getByRole("button", { name: "Open document" }).click()
    await page
      .getByRole("img", { name: /page 3/i })
      .first()
      .scrollIntoViewIfNeeded()
    await page.waitForLoadState("networkidle")
    expect(foreign).toEqual([])
    expect(complaints).toEqual([])
    // The token is gone from the address, and with it from history and screenshots.
    expect(page.url()).toBe(`${service.url}/app/`)
    await page.context().close()
  })

  it("weigh at most 110 kB compressed before the first page of the document", () => {
    const files = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    const sizes = files.map(
      (file) => gzipSync(readFileSync(join(file.parentPath, file.name)), { level: 9 }).length,
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(110_000)
  })
})

const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true })

/** WCAG 2.2 A and AA, best practice, and nothing wider than the screen. */
async function mustBeSound(page: Page): Promise<void> {
  // Not by a script tag: our own policy would, rightly, refuse it.
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const axe = (
      globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
    ).axe
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
  expect(violations).toEqual([])
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  )
  expect(overflow).toBe(0)
}

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await wanted.and(page.locator(":focus")).count()) === 1) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`The keyboard does not reach ${wanted}.`)
}
