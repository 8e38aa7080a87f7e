// node scripts/screens.ts [folder]: takes a picture of every screen and state of the signing pages, on a desktop and on a
// phone, into docs/screens. `npm run build` first.
import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import { draw, PHONE, startBrowser } from "../tests/service/browser.ts"
import { sampleContract } from "./screens/contract.ts"
import { openStage } from "./screens/stage.ts"
import { VIEWS } from "./screens/views.ts"

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof startBrowser>>["newPage"]>>
type Screen = { readonly view: keyof typeof VIEWS | null; readonly act?: (page: Page) => Promise<unknown> }

const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click()
const choose = async (page: Page, name: string | RegExp) => {
  await press(page, "More choices")
  await press(page, name)
}
const toLook = async (page: Page) => {
  await press(page, "Continue to sign")
  await page.getByLabel("Your name").fill("Ada Lovelace-Łoś")
  await page.waitForLoadState("networkidle")
}
const toCode = async (page: Page) => {
  await toLook(page)
  await press(page, "Use this signature")
}

const SCREENS: Readonly<Record<string, Screen>> = {
  read: { view: "read" },
  "read-demo": { view: "demo" },
  field: { view: "read", act: (page) => press(page, "Next field") },
  menu: { view: "read", act: (page) => press(page, "More choices") },
  text: { view: "read", act: (page) => press(page, "Read as text") },
  exact: {
    view: "read",
    act: async (page) => {
      await choose(page, "Show the exact PDF")
      await page.locator("canvas").first().waitFor()
      await page.waitForLoadState("networkidle")
    },
  },
  documents: {
    view: "many",
    act: async (page) => {
      await press(page, "Next document")
      const list = page.getByRole("button", { name: /Documents$/ })
      if (await list.isVisible()) await list.click()
    },
  },
  place: { view: "read", act: (page) => choose(page, "Move the signature …") },
  "look-type": { view: "read", act: toLook },
  "look-draw": {
    view: "read",
    act: async (page) => {
      await toLook(page)
      await page.getByRole("tab", { name: "Draw" }).click()
      await draw(page)
    },
  },
  "look-upload": {
    view: "read",
    act: async (page) => {
      await toLook(page)
      await page.getByRole("tab", { name: "Upload" }).click()
    },
  },
  ready: {
    view: "read",
    act: async (page) => {
      await toCode(page)
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: /ready$/ }).scrollIntoViewIfNeeded()
    },
  },
  confirm: { view: "read", act: toCode },
  "code-send": { view: "preview", act: toCode },
  "code-wrong": {
    view: "preview",
    act: async (page) => {
      await toCode(page)
      await press(page, "Send the code")
      await page.getByLabel("Code of six digits").fill("123456")
      await press(page, "Check the code")
      await page.getByText("This code is not right").waitFor()
    },
  },
  decline: { view: "read", act: (page) => choose(page, "Decline …") },
  "decline-sure": {
    view: "read",
    act: async (page) => {
      await choose(page, "Decline …")
      await press(page, "Continue")
    },
  },
  offline: { view: "read", act: (page) => page.context().setOffline(true) },
  working: { view: "working" },
  "working-others": { view: "others" },
  "done-waiting": { view: "waiting" },
  done: { view: "done" },
  exit: { view: "exit" },
  "exit-asks": { view: "exit-asks" },
  "not-your-turn": { view: "not-your-turn" },
  declined: { view: "declined" },
  expired: { view: "expired" },
  withdrawn: { view: "withdrawn" },
  failed: { view: "failed" },
  "no-session": { view: null },
}

const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: PHONE,
  "phone-dark": { ...PHONE, colorScheme: "dark" },
} as const

/** Said in the browser's own words: every picture in the window has come. */
const PICTURES_ARE_THERE = `[...document.images].every((image) => {
  const { top, bottom } = image.getBoundingClientRect()
  return bottom < 0 || top > innerHeight || (image.complete && image.naturalWidth > 0)
})`

const folder = resolve(process.argv[2] ?? resolve(import.meta.dirname, "../docs/screens"))
const stage = await openStage(await sampleContract())
const browser = await startBrowser()
for (const [size, options] of Object.entries(SIZES)) {
  mkdirSync(resolve(folder, size), { recursive: true })
  for (const [name, { view, act }] of Object.entries(SCREENS)) {
    stage.show(view === null ? null : VIEWS[view])
    const context = await browser.newContext({ locale: "en", reducedMotion: "reduce", ...options })
    const page = await context.newPage()
    await page.goto(stage.url)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.waitForLoadState("networkidle")
    await act?.(page)
    await page.waitForFunction(PICTURES_ARE_THERE)
    await page.screenshot({ path: resolve(folder, size, `${name}.png`), animations: "disabled" })
    await context.close()
  }
}
await browser.close()
stage.close()
