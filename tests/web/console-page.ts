import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { addMember, type Person, registered } from "../service/account.ts"
import type { Service } from "../service/service.ts"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** A member of the business who has an account and is signed in. */
export async function member(service: Service, email: string, role = "admin"): Promise<Person> {
  const who = await registered(service.url, email)
  await addMember(service, email, role)
  return who
}

/** Their browser, with the session that they have. */
export async function openConsole(
  browser: Browser,
  service: Service,
  who: Person,
  path = "/console/",
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    locale: "en",
    viewport: { width: 1280, height: 800 },
    // A colour on its way to another one is no finding.
    reducedMotion: "reduce",
    ...options,
  })
  const cookies = [...who.cookies].map(([name, value]) => ({ name, value, url: service.url }))
  await context.addCookies(cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(`${service.url}${path}`)
  return page
}

/** WCAG 2.2 A and AA and best practice in the light, the contrast in the dark too, and nothing wider than the screen. */
export async function mustBeSound(page: Page, what: string): Promise<void> {
  expect(await findings(page), what).toEqual([])
  await page.emulateMedia({ colorScheme: "dark" })
  expect(await findings(page, "color-contrast"), `${what}, in the dark`).toEqual([])
  await page.emulateMedia({ colorScheme: "light" })
  await mustFit(page, what)
}

/** Nothing is wider than the screen. */
export async function mustFit(page: Page, what: string): Promise<void> {
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  )
  expect(overflow, what).toBe(0)
}

type Axe = {
  run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

async function findings(page: Page, rule?: string): Promise<string[]> {
  // Not by a script tag: our own policy would, rightly, refuse it.
  await page.evaluate(AXE)
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run(only === undefined ? {} : { runOnly: [only] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }, rule)
}

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name })
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("heading", { level: 1, name })

export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await wanted.and(page.locator(":focus")).count()) === 1) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`The keyboard does not reach ${wanted}.`)
}
