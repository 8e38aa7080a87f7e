import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { addMember, type Person, registered, tokenOf } from "../service/account.ts"
import { call, type Json } from "../service/api.ts"
import { PHONE, SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { mailsComeTo } from "../service/mailbox.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { bySms, capturedSms } from "../service/sms.ts"
import { mustBeSoundInBoth, mustFit } from "../service/sound.ts"
import { until } from "../service/until.ts"
import { enter } from "../service/visitor.ts"
import { button, heading, openConsole, tabTo } from "./console-page.ts"

describe("what a business manages in the console", () => {
  let service: Service
  let browser: Browser
  let ada: Person
  const adaEmail = newAddress("ada")

  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startService(), startBrowser()])
    ada = await registered(service.url, adaEmail)
    await addMember(service, adaEmail, "owner")
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const open = (path?: string, options?: object) => openConsole(browser, service, ada, path, options)
  const focused = (page: Page) => page.locator(":focus")

  const logIn = (username: string, key: string) =>
    call(service.url, "POST", "/v2/access/login", { username, "api-key": key }, {})

  const asked = async (path: string): Promise<Json> =>
    (await call(service.url, "GET", path, undefined, await tokenOf(ada, service.business))).body

  /** What the sheet shows once: the user and the key. */
  const shownKey = async (page: Page) => {
    const secret = (await page.getByTestId("secret").textContent()) ?? ""
    const username = (await page.getByTestId("username").textContent()) ?? ""
    return { secret, username }
  }

  it("[REG-03] makes an API key with a name, shows it once, renames, resets and revokes it", async () => {
    const page = await open("/console/developers")
    const create = button(page, "Create a key")
    await create.click()
    await page.getByRole("textbox", { name: "Name" }).fill("Payroll")
    await button(page, "Create the key").click()
    const first = await shownKey(page)
    expect(first.secret).toMatch(/^api_demo_/)
    // What replaced the form has the focus, and Esc does not take away what is shown once.
    expect(await focused(page).textContent()).toMatch(/^Save it now/)
    await page.keyboard.press("Escape")
    expect(await page.getByTestId("secret").isVisible()).toBe(true)
    await button(page, "I have saved it").click()
    expect(await create.and(focused(page)).count()).toBe(1)
    // The dialog gives the focus back first; what it showed goes with the next drawing.
    await page.getByTestId("secret").waitFor({ state: "detached" })
    expect(await page.content()).not.toContain(first.secret)
    expect((await logIn(first.username, first.secret)).status).toBe(200)

    const row = page.getByRole("listitem").filter({ hasText: "Payroll" })
    await row.getByText(`API user ${first.username}`).waitFor()
    await row.getByText(/^Created on .* by /).waitFor()
    await row.getByText(/Expires on/).waitFor()
    await button(page, "Rename Payroll").click()
    await page.getByRole("textbox", { name: "Name" }).fill("Payroll, staging")
    await button(page, "Save").click()
    await page.getByRole("heading", { name: "Payroll, staging" }).waitFor()

    await button(page, "Reset Payroll, staging").click()
    await button(page, "Reset the key").click()
    const second = await shownKey(page)
    expect(second.username).toBe(first.username)
    await button(page, "I have saved it").click()
    await until("the old key is dead", async () => (await logIn(first.username, first.secret)).status === 401)
    expect((await logIn(second.username, second.secret)).status).toBe(200)
    await page.reload()
    await row
      .getByText(/^Last used/)
      .first()
      .waitFor()

    await button(page, "Revoke Payroll, staging").click()
    await button(page, "Revoke for good").click()
    await page.getByText("“Payroll, staging” was revoked.").waitFor()
    expect(await heading(page, "Developers").and(focused(page)).count()).toBe(1)
    await until("it is dead too", async () => (await logIn(second.username, second.secret)).status === 401)
    await page.getByText("2 expired or revoked keys").click()
    expect(await page.getByText("Revoked", { exact: true }).count()).toBe(2)
    await page.context().close()
  })

  it("invites a member, who is told by mail and accepts, changes the role, and removes them", async () => {
    const [grace, page] = [newAddress("grace"), await open("/console/members")]
    await button(page, "Invite a member").click()
    await button(page, "Invite").last().click()
    await page.getByText("Please type an e-mail address such as ada@example.org.").waitFor()
    await page.getByLabel("E-mail address").fill(grace)
    await page.getByRole("radio", { name: /^Member/ }).check()
    await button(page, "Invite").last().click()
    await page.getByText(`${grace} is invited and gets an e-mail.`).waitFor()
    await page.getByText("Invited", { exact: true }).waitFor()
    const [letter] = await mailsComeTo(grace)
    expect(letter?.text).toContain("Acme AG")

    const hers = await openConsole(browser, service, await registered(service.url, grace, "Grace Hopper"))
    await heading(hers, "You are invited").waitFor()
    await hers.getByText("Acme AG invites you as Member").waitFor()
    await mustBeSoundInBoth(hers, "an invitation")
    await button(hers, "Accept the invitation of Acme AG").click()
    await heading(hers, "Good day, Grace").waitFor()
    const nav = hers.getByRole("navigation", { name: "Main" })
    expect(await nav.getByRole("link", { name: "Members" }).count()).toBe(1)
    for (const closed of ["Developers", "Audit log", "Settings", "Usage"])
      expect(await nav.getByRole("link", { name: closed }).count(), closed).toBe(0)
    await nav.getByRole("link", { name: "Members" }).click()
    await hers.getByText(grace).first().waitFor()
    expect(await button(hers, /Invite a member|^Remove/).count()).toBe(0)

    await page.reload()
    await page.getByLabel("Role of Grace Hopper").selectOption("developer")
    await page.getByText("Grace Hopper is now Developer.").waitFor()
    await hers.reload()
    await nav.getByRole("link", { name: "Developers" }).click()
    await heading(hers, "Developers").waitFor()
    await hers.context().close()

    await button(page, "Remove Grace Hopper").click()
    await button(page, "Remove from the business").click()
    await page.getByText("Grace Hopper was removed.").waitFor()
    // Whoever is the last owner stays, and is told why.
    await button(page, "Leave Acme AG").click()
    await button(page, "Leave the business").click()
    await page.getByText("A business keeps at least one owner.").waitFor()
    await page.keyboard.press("Escape")
    await until("she is gone", async () => (await page.getByText(grace).count()) === 0)
    await page.context().close()
  })

  it("shows the mails of a test, and what is behind their links", async () => {
    const signer = newAddress("signer")
    const sent = await sentTo(service.caller, "v3", [signer], { title: "Lease", write_access: [adaEmail] })
    const page = await open(`/console/requests/${sent.id}`)
    const complaints: string[] = []
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    await page.getByRole("link", { name: "The mails of this test" }).click()
    await page.getByRole("link", { name: /Lease/ }).click()
    await page.getByText(signer).waitFor()
    const link = page
      .frameLocator("iframe")
      .getByRole("link", { name: /document/i })
      .first()
    // The mail looks as it does elsewhere, and the policy of the console stays as it is.
    const look = () =>
      link.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).textDecoration)
    await until("the mail has its own look", async () => /^none/.test((await look()) ?? ""), 20_000)
    expect(complaints).toEqual([])
    const [signing] = await Promise.all([page.waitForEvent("popup"), link.click()])
    await signing.getByRole("button", { name: "Open document" }).waitFor()
    await button(page, "Show it as plain text").click()
    await page.getByText(/\/sign\//).waitFor()
    await page.context().close()
  })

  it("shows the text message of a test as well, which went to nobody", async () => {
    const sent = await bySms(service.caller, "v3", "+41 79 123 45 67", {
      request: { write_access: [adaEmail] },
    })
    expect((await (await enter(service, sent.url)).post("/signature/code")).status).toBe(202)
    const [sms] = await capturedSms(service.caller, sent.request.id)
    const page = await open(`/console/developers/mails?request=${sent.request.id}`)
    await page.getByText("To +41791234567").waitFor()
    await mustBeSoundInBoth(page, "console, mails with an SMS")
    await page.getByRole("link", { name: "SMS with a code" }).click()
    await page.getByText(sms?.text).waitFor()
    await mustBeSoundInBoth(page, "console, an SMS")
    await page.context().close()
  })

  it("lists what a webhook was told, why it failed, and tells it again", async () => {
    const page = await open("/console/developers/webhooks")
    await button(page, "Add a webhook").click()
    await page.getByLabel("Address").fill("https://localhost:9/hook")
    await button(page, "Create").click()
    await button(page, "I have saved it").click()
    await sentTo(service.caller, "v3", [newAddress("told")], { title: "Told", write_access: [adaEmail] })
    const failed = async (): Promise<Json> => {
      const [webhook] = await asked("/v3/webhooks")
      return (await asked(`/v3/webhooks/${webhook.id}/deliveries`)).find((one: Json) => one.attempts > 0)
    }
    const { type, attempts, messages } = await until("it has failed", failed)
    await page.getByRole("link", { name: "Deliveries" }).click()
    await page.getByText("Under way").first().waitFor()
    const row = page.getByRole("listitem").filter({ hasText: messages[0] }).first()
    await row.getByText(type).waitFor()
    await row.getByText(/attempts?$/).click()
    expect(await row.getByRole("listitem").allTextContents()).toEqual(messages)
    await row.getByRole("button", { name: /^Send signature.* again$/ }).click()
    await page.getByText("It is being sent again.").waitFor()
    await until("it was told again", async () => (await failed()).attempts > attempts)
    await page.context().close()
  })

  it("makes a group by keyboard alone, changes it and deletes it", async () => {
    const page = await open("/console/groups")
    await tabTo(page, page.getByRole("link", { name: "Create a group" }))
    await page.keyboard.press("Enter")
    await tabTo(page, page.getByLabel("Name of the group"))
    await page.keyboard.type("Management")
    await tabTo(page, page.getByLabel("E-mail address"))
    await page.keyboard.type("first@example.org")
    await tabTo(page, button(page, "Add a person"))
    await page.keyboard.press("Enter")
    await page.keyboard.type("second@example.org")
    await tabTo(page, button(page, "Create the group"))
    await page.keyboard.press("Enter")
    await page.getByText("2 people: first@example.org, second@example.org").waitFor()
    await page.getByRole("link", { name: "Management" }).click()
    await button(page, "Remove second@example.org").click()
    await page.getByLabel("Name of the group").fill("The board")
    await button(page, "Save").click()
    await page.getByText("1 person: first@example.org").waitFor()
    await page.getByRole("link", { name: "The board" }).click()
    await button(page, "Delete").click()
    await button(page, "Delete the group").click()
    await page.getByText("No group yet").waitFor()
    await page.context().close()
  })

  it("changes the words of a request, and who works on it", async () => {
    const sent = await sentTo(service.caller, "v3", [newAddress("signer")], { write_access: [adaEmail] })
    const page = await open(`/console/requests/${sent.id}`)
    await button(page, "Change").click()
    await page.getByLabel("Title").fill("Lease, corrected")
    await page.getByLabel("Message to the signers").fill("Now with the annex.")
    await page.getByLabel("May read it: E-mail address").fill("reader@example.org")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("The request was changed.").waitFor()
    await heading(page, "Lease, corrected").waitFor()
    const { body } = await service.caller.get(`/v3/signature-requests/${sent.id}`)
    expect(body).toMatchObject({ message: "Now with the annex.", read_access: ["reader@example.org"] })
    expect(body.write_access).toEqual([adaEmail])
    await page.context().close()
  })

  it("has every change in the audit log, and the day's work on the overview", async () => {
    const page = await open("/console/audit")
    const all: Json[] = await asked("/v3/audit-log?page_size=100")
    const acts = all.map(({ act }) => act)
    expect(acts).toEqual(
      expect.arrayContaining(["create-key", "rename-key", "reset-key", "revoke-key", "change-role"]),
    )
    expect(acts).toEqual(expect.arrayContaining(["invite-member", "accept-membership", "remove-member"]))
    await page.getByText("Created an API key").first().waitFor()
    const lines = page.getByRole("main").locator("ol > li")
    expect(await lines.count()).toBe(all.length)
    // In words, each of them, and by whom.
    for (const [index, line] of (await lines.allTextContents()).entries()) {
      expect(line).not.toContain(all[index]?.act)
      expect(line).toContain(all[index]?.actor === "operator" ? "The operator" : all[index]?.actor)
    }
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByRole("heading", { name: "First steps" }).waitFor()
    await page.getByRole("link", { name: "Lease, corrected" }).waitFor()
    const { demo } = (await asked("/v3/usage")).months.at(-1)
    const figure = (name: string) => page.locator("dl > div").filter({ hasText: name }).locator("dd")
    expect(demo.requests).toBe(4)
    expect(await figure("Requests sent").textContent()).toBe("4")
    expect(await figure("E-mails sent").textContent()).toBe(String(demo.mails))
    await button(page, "Hide the first steps").click()
    await page.reload()
    await page.getByRole("link", { name: "Lease, corrected" }).waitFor()
    expect(await page.getByRole("heading", { name: "First steps" }).count()).toBe(0)
    await page.context().close()
  })

  it.each([
    ["on a desktop, light and dark", {}, mustBeSoundInBoth],
    ["on a phone, light and dark", PHONE, mustBeSoundInBoth],
    ["at 320 pixels", SMALL_PHONE, mustFit],
  ])("has no finding %s", async (name, options, check) => {
    const page = await open("/console/", options)
    const sound = (what: string) => check(page, `${what} ${name}`)
    const go = async (path: string, seen: string | RegExp) => {
      await page.goto(`${service.url}/console/${path}`)
      await page.getByText(seen).first().waitFor()
      await sound(path)
    }
    await page.getByText("Lease, corrected").first().waitFor()
    await sound("the overview")
    const more = button(page, "More")
    if (await more.isVisible()) {
      await more.click()
      await sound("more")
      await page.getByRole("dialog").getByRole("link", { name: "Members" }).click()
      await heading(page, "Members").waitFor()
      expect(await page.getByRole("dialog").count()).toBe(0)
    }
    await go("members", adaEmail)
    await button(page, "Invite a member").click()
    await sound("inviting a member")
    await go("groups", "No group yet")
    await go("groups/new", "Name of the group")
    await go("audit", "Reset an API key")
    await go("developers/keys", "expired or revoked keys")
    await page.getByText("expired or revoked keys").click()
    await sound("the expired and revoked keys")
    await button(page, "Create a key").click()
    await sound("creating a key")
    await page.getByRole("textbox", { name: "Name" }).fill("Of the check")
    await button(page, "Create the key").click()
    await page.getByTestId("secret").waitFor()
    await sound("the key")
    await button(page, "I have saved it").click()
    await button(page, "Revoke Of the check").click()
    await sound("revoking a key")
    await button(page, "Revoke for good").click()
    await go("developers/mails", "Sent")
    await page.getByRole("link", { name: /Lease/ }).first().click()
    await page.locator("iframe").waitFor()
    await sound("a mail")
    await go("developers/webhooks", "Deliveries")
    await page.getByRole("link", { name: "Deliveries" }).click()
    await page.getByText("Under way").first().waitFor()
    await sound("the deliveries")
    await go("requests?search=corrected", "Lease, corrected")
    await page.getByRole("link", { name: "Lease, corrected" }).click()
    await button(page, "Change").click()
    await sound("changing a request")
    await page.context().close()
  })
})
