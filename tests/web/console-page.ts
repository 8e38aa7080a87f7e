import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { addMember, type Person, registered } from "../service/account.ts"
import type { Service } from "../service/service.ts"

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
