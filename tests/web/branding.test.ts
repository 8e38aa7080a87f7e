import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { operatorOf } from "../service/account.ts"
import { openLink, SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { block } from "../service/pictures.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"
import { button, member, openConsole } from "./console-page.ts"

/** The lightest grey that is allowed: whatever can be read in it can be read in every other. */
const ACCENT = "#767676"

let service: Service
let browser: Browser
beforeAll(async () => {
  service = await startService()
  browser = await startBrowser()
  const owner = await memberApi(service, "owner")
  // Wide, so that it would push the rest off a small screen.
  await owner.put("/v3/settings/logo", block(900, 60, [60, 60, 60]), { "content-type": "image/png" })
  await owner.patch("/v3/settings", { branding: { accent: ACCENT } })
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

describe.each(["light", "dark"] as const)(
  "a business with a face of its own, in the %s scheme",
  (colorScheme) => {
    it("can be read at the door and while one signs, on a small screen, and our name is in the foot", async () => {
      const who = newAddress("signer")
      await sentTo(service.caller, "v2", [who], { message: "Please sign." })
      const link = await linkMailedTo(who)
      const context = await browser.newContext({ locale: "en", colorScheme, ...SMALL_PHONE })
      const door = await context.newPage()
      await door.goto(link)
      await mustBeBranded(door)
      const page = await openLink(browser, link, { colorScheme, ...SMALL_PHONE })
      await mustBeBranded(page)
      await Promise.all([context.close(), page.context().close()])
    }, 300_000)

    async function mustBeBranded(page: Page): Promise<void> {
      const logo = page.getByRole("img", { name: "Acme AG" })
      await logo.waitFor()
      await expect.poll(() => logo.evaluate((image) => (image as unknown as Image).naturalWidth)).toBe(600)
      await expect
        .poll(() => page.evaluate(READ_ACCENT))
        .toBe(colorScheme === "light" ? "#6f6f6f" : "#adadad")
      await page.getByRole("img", { name: "Paraph" }).waitFor({ state: "attached" })
      await mustBeSound(page)
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
    }
  },
)

it("a sender's name is confirmed by the operator before it is used", async () => {
  const ada = await member(service, newAddress("ada"), "owner")
  const { operator } = await operatorOf(service, newAddress("olga"))
  const page = await openConsole(browser, service, ada, "/console/settings/branding")
  await page.getByLabel("Name of the sender").fill("Acme Legal")
  await button(page, "Save").click()
  await page.getByText("The operator has to confirm “Acme Legal” first.").waitFor()
  await mustBeSound(page, "a sender's name that waits")
  const theirs = await openConsole(browser, service, operator, "/console/operator/businesses")
  await theirs.getByText("Sender’s name to confirm").waitFor()
  await theirs.getByRole("link", { name: "Acme AG" }).click()
  const asked = theirs.getByRole("heading", { level: 2, name: "Sender’s name to confirm" })
  await asked.waitFor()
  await mustBeSound(theirs, "a sender's name to confirm")
  await button(theirs, "Confirm the name").click()
  await theirs.getByText("The name is confirmed.").waitFor()
  await asked.waitFor({ state: "detached" })
  await page.reload()
  await page.getByLabel("Name of the sender").waitFor()
  expect(await page.getByText("The operator has to confirm").count()).toBe(0)
  await Promise.all([page.context().close(), theirs.context().close()])
}, 300_000)

type Image = { readonly naturalWidth: number }

const READ_ACCENT = `getComputedStyle(document.documentElement).getPropertyValue("--accent").trim()`
