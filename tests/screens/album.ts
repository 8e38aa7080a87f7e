import { mkdirSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { PHONE } from "../service/browser.ts"

const FOLDER = resolve(import.meta.dirname, "../../docs/screens")

export const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: PHONE,
  "phone-dark": { ...PHONE, colorScheme: "dark" },
} as const satisfies Record<string, BrowserContextOptions>
export type Size = keyof typeof SIZES

export const newPage = async (browser: Browser, size: Size, more: BrowserContextOptions = {}) => {
  const context = await browser.newContext({
    locale: "en",
    timezoneId: "Europe/Zurich",
    reducedMotion: "reduce",
    ...SIZES[size],
    ...more,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}

/** Said in the browser's own words: every picture in the window has come. */
const PICTURES_ARE_THERE = `[...document.images].every((image) => {
  const { top, bottom } = image.getBoundingClientRect()
  return bottom < 0 || top > innerHeight || (image.complete && image.naturalWidth > 0)
})`

/** What the window shows, as docs/screens/<area>/<name>.<size>.webp. */
export async function take(page: Page, size: Size, area: string, name: string): Promise<void> {
  await page.waitForFunction(PICTURES_ARE_THERE)
  await page.evaluate("document.fonts.ready")
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 })
  mkdirSync(resolve(FOLDER, area), { recursive: true })
  writeFileSync(resolve(FOLDER, area, `${name}.${size}.webp`), Buffer.from(data, "base64"))
}
