import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openLink, PHONE, pressSign, SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { comesToStatus, type Identifying, startIdentifying, toIdentify } from "../service/identification.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { mustBeSound } from "../service/sound.ts"

let world: Identifying
let browser: Browser

beforeAll(async () => {
  world = await startIdentifying()
  browser = await startBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name })
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

async function opened(options: BrowserContextOptions = {}) {
  const asked = await toIdentify(world.service, "v2")
  const page = await openLink(browser, await linkMailedTo(asked.email), options)
  return { ...asked, page }
}

/** Fills in the page of the provider. */
async function identify(page: Page, name: { first: string; last: string }, press: string): Promise<void> {
  await heading(page, "Who are you?")
  await page.getByLabel("First names").fill(name.first)
  await page.getByLabel("Last name").fill(name.last)
  await page.getByRole("button", { name: press, exact: true }).click()
}

const ADA = { first: "Ada", last: "Lovelace" }

it("[XQ-01 v2] on a phone: reads, shows who they are, comes back and signs by that name", async () => {
  const { page, at } = await opened(PHONE)
  await page.getByText("Before you sign").waitFor()
  await mustBeSound(page, "identify-before")
  await button(page, "Continue to sign").click()
  await heading(page, "First, please show who you are")
  await page.getByText("Have your passport or identity card ready.").waitFor()
  await mustBeSound(page, "identify-begin")
  // There is a way back to the document, and on again.
  await button(page, "Back to the document").click()
  await button(page, "Continue to sign").click()
  await button(page, /^Continue to .Demo Ident.$/).click()
  await identify(page, ADA, "Identify me")
  await page.getByText(/Thank you, .Ada Lovelace.: your identity is confirmed/).waitFor()
  expect(await page.evaluate("location.pathname + location.search")).toBe("/app/")
  await mustBeSound(page, "identify-accepted")
  await button(page, "Continue to sign").click()
  const useLook = button(page, "Use this signature")
  await useLook.or(page.getByRole("button", { name: "Sign", exact: true })).waitFor()
  const name = page.getByLabel("Your name")
  expect([await name.inputValue(), await name.isEditable()]).toEqual(["Ada Lovelace", false])
  if (await useLook.isVisible()) await useLook.click()
  await pressSign(page)
  await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor({ timeout: 150_000 })
  await comesToStatus(world.service.caller, at, "ACCEPTED")
  await page.context().close()
})

it("[XQ-01 v2] waits while the provider reviews, and goes on by itself when that is over", async () => {
  const { page } = await opened()
  await button(page, "Continue to sign").click()
  await button(page, /^Continue to/).click()
  await identify(page, ADA, "Identify me, but take your time")
  await heading(page, "Your details are being checked")
  expect(await button(page, /Demo Ident/).count()).toBe(0)
  await mustBeSound(page, "identify-review")
  world.provider.decide("accept")
  await page.getByText("your identity is confirmed").waitFor({ timeout: 150_000 })
  await page.context().close()
})

it("[XQ-01 v2] is told both names where they differ, and goes on when the sender has looked", async () => {
  const { page, at } = await opened(PHONE)
  await button(page, "Continue to sign").click()
  await button(page, /^Continue to/).click()
  await identify(page, { first: "Ada", last: "King" }, "Identify me")
  await heading(page, "The names do not match")
  await page.getByText(/your document says .Ada King./).waitFor()
  await mustBeSound(page, "identify-name-differs")
  await world.service.caller.post(`${at}/review`, { decision: "ACCEPTED" })
  await page.getByText(/Thank you, .Ada King./).waitFor()
  await page.context().close()
})

it.each<[string, BrowserContextOptions, { first: string; last: string }, string, RegExp]>([
  ["refused", { locale: "de-CH", ...PHONE }, ADA, "Refuse", /nicht identifiziert/],
  [
    "another person",
    { locale: "fr", colorScheme: "dark", ...SMALL_PHONE },
    { first: "Eve", last: "Mallory" },
    "Identify me",
    /quelqu’un d’autre/,
  ],
  ["refused in Italian", { locale: "it" }, ADA, "Refuse", /identificarLa/],
])(
  "[XQ-01 v2] where it was rejected (%s) the page says why, and what can be done",
  async (name, options, who, press, said) => {
    const asked = await toIdentify(world.service, "v2")
    const page = await (await browser.newContext(options)).newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(await linkMailedTo(asked.email))
    await page.locator("form button[type=submit]").click()
    await page.locator("#go-on").click()
    await page.locator("main .button-main").click()
    await identify(page, who, press)
    await heading(page, said)
    await mustBeSound(page, `identify-${name.replaceAll(" ", "-")}`)
    await page.locator("main .button-main").click()
    await identify(page, ADA, "Identify me")
    await page
      .getByText(/Ada Lovelace/)
      .first()
      .waitFor()
    await comesToStatus(world.service.caller, asked.at, "ACCEPTED")
    await page.context().close()
  },
)
