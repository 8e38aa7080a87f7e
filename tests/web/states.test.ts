import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, pressSign, readyToSign, sign, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { mustBeSound } from "../service/sound.ts"
import { asIfTriedOften } from "../service/tried-often.ts"
import { until } from "../service/until.ts"

const HOUR_MS = 3_600_000

describe("every state that a request can come to", () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  /** One person, or two of whom nobody has to wait for the other. */
  const invite = async (count = 1) => {
    const emails = Array.from({ length: count }, () => newAddress("state"))
    const signatures = emails.map((email) => entry("v2", email))
    const { id } = await openRequest(service.caller, "v2", await uploadTo(service.caller, "v2"), {
      signatures,
    })
    const [link = "", other = ""] = await Promise.all(emails.map(linkMailedTo))
    return { id: id as string, link, other }
  }
  /** Asked of the database: the caller's token does not live as long as the clock is moved. */
  const hasBecome = async (id: string, status: string) =>
    (await service.sql(`select status from signature_request where id = '${id}'`)) === status
  /** With whoever is in already, as if they had come and gone all the while. */
  const goAhead = async (hours: number) => {
    const later = `+ interval '${hours} hours'`
    await service.sql(
      `update signer_session set seen_at = seen_at ${later}, created_at = created_at ${later}`,
    )
    service.moveClock(hours * HOUR_MS)
  }
  /** Here and at the door, to which the person may come back. */
  const tells = async (page: Page, link: string, here: RegExp, atDoor: RegExp) => {
    await page.reload()
    await mustTell(page, here)
    await page.goto(link)
    await mustTell(page, atDoor)
    await page.context().close()
  }

  it("someone else comes first now", async () => {
    const [email, first] = [newAddress("second"), newAddress("first")]
    const signatures = [entry("v2", email, { place: 2 })]
    const { id } = await openRequest(service.caller, "v2", await uploadTo(service.caller, "v2"), {
      signatures,
    })
    const link = await linkMailedTo(email)
    const page = await openLink(browser, link)
    const added = await service.caller.post(
      `/v2/signature-requests/${id}/signatures`,
      entry("v2", first, { place: 1 }),
    )
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    await tells(page, link, /^It is not your turn yet$/, /^It is not your turn yet$/)
  })

  it("somebody else has declined, or the sender took it back", async () => {
    const declined = await invite(2)
    const page = await openLink(browser, declined.link)
    await (await openSession(service.url, declined.other)).decline("No.")
    await tells(page, declined.link, /^This request was declined$/, /^This request was declined$/)

    const withdrawn = await invite()
    const another = await openLink(browser, withdrawn.link)
    await service.caller.post(`/v2/signature-requests/${withdrawn.id}/withdraw`, { message: "A mistake." })
    await tells(another, withdrawn.link, /^This request was withdrawn$/, /withdrawn this request$/)
  })

  it("the connection is lost, the session is over, the service cannot be reached", async () => {
    const { link } = await invite()
    const page = await openLink(browser, link)
    await page.context().setOffline(true)
    await page.getByText("You are offline.").waitFor()
    await mustBeSoundEverywhere(page)
    await page.context().setOffline(false)
    await page.getByText("You are offline.").waitFor({ state: "detached" })
    await page.route("**/app/api/signature", (route) => route.abort())
    await page.reload()
    await mustTell(page, /^The document could not be opened$/)
    await page.unroute("**/app/api/signature")
    await page.context().clearCookies()
    await page.getByRole("button", { name: "Try again" }).click()
    await mustTell(page, /open the link/i)
    await page.context().close()
  })

  it("others still have to sign", async () => {
    const { link } = await invite(2)
    const page = await openLink(browser, link)
    await sign(page, "Ada Lovelace")
    await page.getByText("One person still has to sign.").waitFor()
    await mustBeSoundEverywhere(page)
    await page.goto(link)
    await mustTell(page, /^You have signed$/)
    await page.context().close()
  })

  it("its last day has passed", async () => {
    await service.paraph(
      ...["admin", "set-feature", "--business", service.business, "--feature", "expires_at", "--on"],
    )
    const email = newAddress("late")
    // Tomorrow: where the service is, today may be over already.
    const expires_at = new Date(Date.now() + 24 * HOUR_MS).toISOString().slice(0, 10)
    const made = await openRequest(service.caller, "v3", await uploadTo(service.caller, "v3"), {
      expires_at,
      signatures: [entry("v3", email)],
    })
    const link = await linkMailedTo(email)
    const page = await openLink(browser, link)
    await goAhead(72)
    await until("it has expired", () => hasBecome(made.id, "EXPIRED"))
    await tells(page, link, /^This request has expired$/, /^The time for signing is over$/)
    service.moveClock(0)
  })

  it("the server is at work, for somebody else too; and in the end it was in vain", async () => {
    const { id, link, other } = await invite(2)
    const page = await openLink(browser, link)
    await readyToSign(page, "Ada Lovelace")
    await service.worker.kill()
    await pressSign(page)
    await mustTell(page, /^Your signature is being made$/)
    await (await openSession(service.url, other)).press("Grace Hopper")
    await page.reload()
    await page.getByText("Someone else is signing this document just now.").waitFor()
    await mustBeSoundEverywhere(page)

    await goAhead(73)
    await asIfTriedOften(service)
    const broken = await service.startWorker({ S3_BUCKET: "there-is-none" })
    await until("it has failed", () => hasBecome(id, "ERROR"))
    await tells(page, link, /^This request could not be completed$/, /^This request has ended$/)
    await broken.kill()
  })
})

async function mustTell(page: Page, heading: RegExp): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor()
  await mustBeSoundEverywhere(page)
}

async function mustBeSoundEverywhere(page: Page): Promise<void> {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ["light", "dark"] as const) {
      // Colours that are still on their way to the other scheme are in neither.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await mustBeSound(page)
    }
  }
}
