import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Person } from "../service/account.ts"
import type { Json } from "../service/api.ts"
import { SMALL_PHONE, startBrowser } from "../service/browser.ts"
import {
  ADA,
  comesToStatus,
  type Identifying,
  identificationStatus,
  identifyAs,
  startIdentifying,
  toIdentify,
  visitorOf,
} from "../service/identification.ts"
import { newAddress } from "../service/requests.ts"
import type { Service } from "../service/service.ts"
import { mustBeSoundInBoth, mustFit } from "../service/sound.ts"
import { button, member, openConsole, tabTo } from "./console-page.ts"

describe("identifications in the console", { timeout: 300_000 }, () => {
  let world: Identifying
  let service: Service
  let browser: Browser
  let writer: Person
  let reader: Person
  const [writes, reads] = [newAddress("writer"), newAddress("reader")]

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startIdentifying(), startBrowser()])
    service = world.service
    writer = await member(service, writes, "member")
    reader = await member(service, reads, "member")
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  /** Somebody who was identified as this person, where the answer waits for the sender. */
  const pending = async (person: Json) => {
    const asked = await toIdentify(service, "v3", { write_access: [writes], read_access: [reads] })
    await identifyAs(service, await visitorOf(service, asked.email), { ...ADA, ...person })
    await comesToStatus(service.caller, asked.at, "PENDING_REVIEW")
    return { ...asked, path: `/console/requests/${asked.id}` }
  }
  const decide = (page: Page) => button(page, "Decide about Ada Lovelace")

  it("[XQ-01 v3] a writer sees whom the provider has verified, and says that it is the person", async () => {
    const { at, path } = await pending({ familyName: "King" })
    const page = await openConsole(browser, service, writer, path)
    await page.getByText("Was identified under another name. Is it the right person?").waitFor()
    await mustBeSoundInBoth(page, "a request that needs a decision")
    // All of it by the keyboard; going back decides nothing.
    await tabTo(page, decide(page))
    await page.keyboard.press("Enter")
    const sheet = page.getByRole("dialog", { name: "Is this the person you asked?" })
    for (const seen of ["Ada Lovelace", "Ada Augusta King", "Switzerland"])
      await sheet.getByText(seen).waitFor()
    await mustBeSoundInBoth(page, "the decision")
    await page.keyboard.press("Escape")
    await sheet.waitFor({ state: "detached" })
    expect(await decide(page).and(page.locator(":focus")).count()).toBe(1)
    expect((await identificationStatus(service.caller, at)).status).toBe("PENDING_REVIEW")
    await page.keyboard.press("Enter")
    await button(page, "Yes, accept").click()
    await page.getByText("Ada Lovelace can sign now.").waitFor()
    await page.getByText("Was identified.", { exact: true }).waitFor()
    await decide(page).waitFor({ state: "detached" })
    expect(await identificationStatus(service.caller, at)).toMatchObject({ status: "ACCEPTED", reason: null })
    await page.context().close()
  })

  it("[XQ-01 v3] a writer says on a phone that it is somebody else, and who may only read is not asked", async () => {
    const { at, path } = await pending({ country: "DE" })
    const looking = await openConsole(browser, service, reader, path)
    await looking.getByText("Was identified with papers of another country.").waitFor()
    expect(await decide(looking).count()).toBe(0)
    await looking.context().close()
    const page = await openConsole(browser, service, writer, path, SMALL_PHONE)
    await decide(page).tap()
    await page.getByText("Germany").waitFor()
    await mustFit(page, "the decision on a small phone")
    await button(page, "No, refuse").tap()
    await page.getByText("The identified person is not the one who was asked.").waitFor()
    expect(await identificationStatus(service.caller, at)).toMatchObject({
      status: "REJECTED",
      reason: "SENDER_REFUSED",
    })
    await page.context().close()
  })
})
