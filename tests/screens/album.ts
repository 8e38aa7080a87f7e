import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { PHONE } from "../service/browser.ts"
import { until } from "../service/until.ts"
import { AREAS, type Area, type Shown } from "./journeys.ts"

export const FOLDER = resolve(import.meta.dirname, "../../docs/screens")

const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: PHONE,
} as const satisfies Record<string, BrowserContextOptions>
export type Size = keyof typeof SIZES
export const ALL_SIZES = Object.keys(SIZES) as readonly Size[]

export const fileOf = (area: string, name: string, shot: string): string => `${area}/${name}.${shot}.webp`

export const newPage = async (browser: Browser, size: Size, more: BrowserContextOptions = {}) => {
  const context = await browser.newContext({
    locale: "en-GB",
    timezoneId: "Europe/Zurich",
    reducedMotion: "reduce",
    ...SIZES[size],
    ...more,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}

/** What the window shows, as docs/screens/<area>/<name>.<size>.webp; on the phone in the dark too, where that is asked for. */
export async function take<Of extends Area>(
  page: Page,
  size: Size,
  area: Of,
  name: keyof (typeof AREAS)[Of] & string,
): Promise<void> {
  const screens: Readonly<Record<string, Shown>> = AREAS[area]
  await until("every picture has come", () => page.evaluate(PICTURES_ARE_THERE) as Promise<boolean>)
  await page.evaluate(AS_AT_HOME)
  await capture(page, fileOf(area, name, size))
  if (size !== "phone" || !screens[name]?.dark) return
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" })
  await capture(page, fileOf(area, name, "phone-dark"))
}

async function capture(page: Page, file: string): Promise<void> {
  await page.evaluate("document.fonts.ready")
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 70 })
  mkdirSync(dirname(resolve(FOLDER, file)), { recursive: true })
  writeFileSync(resolve(FOLDER, file), Buffer.from(data, "base64"))
}

/** In the browser's own words: whatever is in the window has come. */
const PICTURES_ARE_THERE = `(() => {
  const isSeen = (element) => {
    const { top, bottom, height } = element.getBoundingClientRect()
    return height > 0 && bottom > 0 && top < innerHeight
  }
  const waiting = [...document.querySelectorAll(".skeleton, [aria-busy=true], img.opacity-0")]
  const coming = [...document.images].filter((image) => !(image.complete && image.naturalWidth > 0))
  return ![...waiting, ...coming].some(isSeen)
})()`

/** The service and the receiver of its calls have addresses of their own, not ports of whoever takes the pictures. */
const AS_AT_HOME = `(() => {
  const home = (text) =>
    text
      .replace(/http:\\/\\/localhost:\\d+/g, "https://sign.example.org")
      .replace(/https:\\/\\/localhost:\\d+/g, "https://hooks.example.org")
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const said = home(texts.currentNode.data)
    if (said !== texts.currentNode.data) texts.currentNode.data = said
  }
})()`
