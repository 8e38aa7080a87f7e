import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core"

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

const WHOLE = "/usr/bin/chromium"
/** The same engine without windows, toolbars and menus, which take four fifths of the work of opening a page. */
const SHELL = "/usr/lib/chromium/chromium-headless-shell"

/** Debian's Chromium, without a window. */
export const startBrowser = (): Promise<Browser> => launch(existsSync(SHELL) ? SHELL : WHOLE)

/** All of it, for what is taken in figures. */
export const startWholeBrowser = (): Promise<Browser> => launch(WHOLE)

const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? executablePath, args: FLAGS })

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
}

export const SMALL_PHONE: BrowserContextOptions = { ...PHONE, viewport: { width: 320, height: 568 } }

/** A person with a browser of their own opens the link from the mail and stands before the document. */
export async function openLink(
  browser: Browser,
  link: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: "en", ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(90_000)
  await page.goto(link)
  await page.getByRole("button", { name: "Open document" }).click()
  await page
    .getByRole("img", { name: /page 1/i })
    .first()
    .waitFor()
  return page
}

/**
 * Opens every document, gives the signature its look where one will be seen, and comes to the last button. Without a name where
 * it stands there already, and cannot be typed.
 */
export async function readyToSign(page: Page, name: string | null): Promise<void> {
  const nextDocument = page.getByRole("button", { name: "Next document" })
  const goOn = page.getByRole("button", { name: "Continue to sign" })
  await nextDocument.or(goOn).waitFor()
  while (await nextDocument.isVisible()) await nextDocument.click()
  await goOn.click()
  const useLook = page.getByRole("button", { name: "Use this signature" })
  const last = page.getByRole("button", { name: "Sign", exact: true })
  await useLook.or(last).waitFor()
  if (name !== null) await page.getByLabel("Your name").fill(name)
  if (await useLook.isVisible()) await useLook.click()
  await last.waitFor()
}

export const pressSign = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Sign", exact: true }).click()

/** Each document takes its time-stamps, and tests beside this one want the processor too. */
export async function sign(page: Page, name: string, documents = 1): Promise<void> {
  await readyToSign(page, name)
  await pressSign(page)
  const timeout = 180_000 + documents * 1_500
  await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor({ timeout })
}

/** By the Tab key alone, as somebody without a mouse gets there. */
export async function tabTo(page: Page, wanted: Locator, key = "Tab"): Promise<void> {
  await wanted.waitFor()
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await wanted.and(page.locator(":focus")).count()) === 1) return
    await page.keyboard.press(key)
  }
  throw new Error(`The keyboard does not reach ${wanted}.`)
}

/** A few waves across the canvas of the sheet. */
export async function draw(page: Page): Promise<void> {
  const box = await page.getByRole("img", { name: /area to draw in/i }).boundingBox()
  if (box === null) throw new Error("There is no canvas to draw on.")
  const at = (step: number) =>
    [box.x + box.width * (0.1 + step / 25), box.y + box.height * (0.5 + 0.3 * Math.sin(step))] as const
  await page.mouse.move(...at(0))
  await page.mouse.down()
  for (let step = 1; step <= 20; step += 1) await page.mouse.move(...at(step))
  await page.mouse.up()
}

/** How many pixels of the canvas have ink. */
export const inkOnCanvas = (page: Page): Promise<number> =>
  page.locator("canvas").evaluate((element) => {
    const canvas = element as unknown as {
      width: number
      height: number
      getContext: (kind: "2d") => {
        getImageData: (...box: number[]) => { data: Uint8ClampedArray }
      }
    }
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
    return data.reduce((count, value, place) => count + (place % 4 === 3 && value > 0 ? 1 : 0), 0)
  })

/** WebAuthn's virtual authenticator, by the DevTools protocol: it says yes, and that it asked who the person is. */
export async function authenticatorOf(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
