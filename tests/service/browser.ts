import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/** Debian's Chromium, without a window. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS })

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
}

/** A person with a browser of their own opens the link from the mail and stands before the document. */
export async function openLink(
  browser: Browser,
  link: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: "en", ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(link)
  await page.getByRole("button", { name: "Open document" }).click()
  await page
    .getByRole("img", { name: /page 1/i })
    .first()
    .waitFor()
  return page
}

/** Reads, types the name and comes to the last button. */
export async function readyToSign(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Continue to sign" }).click()
  await page.getByLabel("Your name").fill(name)
}

export const pressSign = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Sign", exact: true }).click()

export async function sign(page: Page, name: string): Promise<void> {
  await readyToSign(page, name)
  await pressSign(page)
  await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor({ timeout: 60_000 })
}
