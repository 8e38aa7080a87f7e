import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import type { Browser, Locator, Page, Response } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  API,
  addMember,
  codeMailedTo,
  operatorOf,
  type Person,
  registered,
  tokenOf,
  withSecondFactor,
} from "../service/account.ts"
import { call, createApi, type Json } from "../service/api.ts"
import { PHONE, startBrowser } from "../service/browser.ts"
import { linkMailedTo, mailsComeTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { block } from "../service/pictures.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSoundInBoth } from "../service/sound.ts"
import { until } from "../service/until.ts"
import { button, heading, member, openConsole } from "./console-page.ts"

const PDF = { name: "Lease.pdf", mimeType: "application/pdf", buffer: contractPdf("Read me.", 2) }
/** One green pixel. */
const LOGO = block(1, 1, [0, 128, 0])

describe("what a business and the operator manage in the console", () => {
  let service: Service
  let browser: Browser
  let ada: Person
  let olga: Person
  const adaEmail = newAddress("ada")

  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startService(), startBrowser()])
    ada = await member(service, adaEmail, "owner")
    olga = (await operatorOf(service, newAddress("olga"))).operator
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const open = (path: string, options?: object) => openConsole(browser, service, ada, path, options)

  const ask = async (path: string): Promise<Json> => {
    const { body } = await ada.post(`${API}/token`, { businessId: service.business, kind: "demo" })
    const answer = await fetch(`${service.url}/v3${path}`, {
      headers: { authorization: `Bearer ${body.token}` },
    })
    return answer.json()
  }

  const groundOf = (it: Locator): Promise<string> =>
    it.evaluate("(it) => getComputedStyle(it).backgroundColor")

  const saved = async (page: Page, form: Page | Locator = page) => {
    await form.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved.").waitFor()
  }

  it("changes the usual quality, the retention and the web addresses, which the interface tells too", async () => {
    const page = await open("/console/settings")
    await page.getByLabel("Advanced (AES)").check()
    await saved(page)
    await page.getByRole("link", { name: "Retention" }).click()
    await page.getByLabel("For a number of days").check()
    await page.getByLabel("Days", { exact: true }).fill("0")
    await page.getByText("From 1 to 36500 days.").waitFor()
    await button(page, "365 days").click()
    await saved(page)
    await page.getByRole("link", { name: "Web addresses" }).click()
    const address = page.getByLabel("Add an address").first()
    await address.fill("http://elsewhere.example")
    await page.keyboard.press("Enter")
    await page.getByText("Please type an address such as").waitFor()
    await address.fill("https://app.acme.example/done?x=1")
    await page.keyboard.press("Enter")
    await button(page, "Remove https://app.acme.example").waitFor()
    await button(page, "Save").first().click()
    await page.getByText("Saved.").waitFor()
    expect(await ask("/settings")).toMatchObject({
      default_quality: "AES",
      retention_days: 365,
      exit_origins: ["https://app.acme.example"],
      embed_origins: [],
    })
    await page.context().close()
  })

  it("shows the brand while it is chosen, and what signers see then is the same", async () => {
    const page = await open("/console/settings/branding")
    const preview = page.getByRole("region", { name: "Preview" })
    const colour = page.getByLabel("Colour as #rrggbb")
    await colour.fill("#ffcc00")
    await page.getByText("Too light for white text").waitFor()
    await button(page, "Save").click()
    await button(page, /^Use #[0-9a-f]{6} instead$/).click()
    await page.getByText("white text is easy to read").waitFor()
    await colour.fill("#0f5c5c")
    await page.getByLabel("Name of the sender").fill("Acme Homes")
    await preview.getByText("Acme Homes asks you to sign “Lease contract”").waitFor()
    const shown = await groundOf(preview.getByText("Open document"))
    await saved(page)
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: LOGO })
    await page.getByText("Your logo is in use from now on.").waitFor()
    await preview.getByRole("img", { name: "Acme Homes" }).waitFor()
    expect((await ask("/settings")).branding).toEqual({
      accent: "#0f5c5c",
      logo: true,
      sender_name: "Acme Homes",
      sender_name_state: "PENDING",
    })
    await page.context().close()
    // Nobody sends mails in a name of their choice: whoever runs the service looks at it first.
    const desk = await openConsole(browser, service, olga, `/console/operator/businesses/${service.business}`)
    await desk.getByText("Sender’s name to confirm").waitFor()
    await mustBeSoundInBoth(desk, "a name to confirm")
    await button(desk, "Confirm the name").click()
    await desk.getByText("The name is confirmed.").waitFor()
    await desk.context().close()

    const signer = newAddress("signer")
    await sentTo(service.caller, "v3", [signer])
    const [mail] = await mailsComeTo(signer)
    expect(mail?.subject).toContain("Acme Homes asks you to sign")
    expect(mail?.html).toContain("background-color:#0f5c5c")
    const door = await (await browser.newContext({ locale: "en" })).newPage()
    await door.goto(await linkMailedTo(signer))
    const press = door.getByRole("button", { name: "Open document" })
    expect(await groundOf(press)).toBe(shown)
    await door.getByRole("img", { name: "Acme AG" }).waitFor()
    await door.context().close()
  })

  it("makes a template of a draft, with its places, and a draft of the template for somebody else", async () => {
    const page = await open("/console/send")
    await page.locator("input[type=file]").setInputFiles(PDF)
    await heading(page, "Who signs?").waitFor()
    await button(page, "Add a person").click()
    await page.getByLabel("E-mail address").fill("first@example.org")
    await button(page, "Continue").click()
    await button(page, "Add a field for first@example.org on page 2").click()
    for (const step of ["How do they sign?", "Ready to send?"]) {
      await button(page, "Continue").click()
      await heading(page, step).waitFor()
    }
    await button(page, "Save as a template").click()
    await page.getByLabel("Name of the template").fill("Lease contract")
    await page.getByLabel("first@example.org").fill("Tenant")
    await button(page, "Save the template").click()
    await heading(page, "Lease contract").waitFor()
    await button(page, "Field for Tenant, page 2").waitFor()
    await page.getByLabel("Message to the signers").fill("Welcome.")
    await saved(page)
    await page.getByRole("link", { name: "All templates" }).click()
    await button(page, "Use Lease contract").click()
    await button(page, "Continue").click()
    await page.getByText("Please type an e-mail address").waitFor()
    await page.getByLabel("Tenant").fill("second@example.org")
    await button(page, "Continue").click()
    await heading(page, "Ready to send?").waitFor()
    const made = await ask(`/signature-requests/${/[0-9a-f-]{36}/.exec(page.url())?.[0]}`)
    expect(made).toMatchObject({ status_overall: "DRAFT", title: "Lease", message: "Welcome." })
    expect(made.signatures).toMatchObject([{ account_email: "second@example.org" }])
    const [{ visual_signature: visual }] = made.signatures[0].document_signatures
    expect(visual.position).toMatchObject({ page: "1", width: 180, height: 54 })
    await page.goto(`${service.url}/console/templates`)
    await button(page, "Delete Lease contract").click()
    await button(page, "Delete the template").click()
    await page.getByText("No template yet").waitFor()
    await page.context().close()
  })

  it("counts what was used in a picture and in a table, which can be taken along", async () => {
    const page = await open("/console/usage")
    await page
      .getByRole("img", { name: /^Chart: Last 31 days/ })
      .locator("canvas")
      .waitFor()
    expect(await page.getByRole("row").count()).toBe(32)
    await button(page, "Months").click()
    const months = page.getByRole("table", { name: "By month" })
    const [, documents] = await months.getByRole("row").nth(1).getByRole("cell").allTextContents()
    expect(Number(documents)).toBeGreaterThan(0)
    const download = page.waitForEvent("download")
    await button(page, "Download as CSV").click()
    const file = await download
    expect(file.suggestedFilename()).toBe("usage-demo-months.csv")
    const [head, ...lines] = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n")
    expect(head).toBe(
      "month,requests,documents,declined,seals,mails,signatures_SES,signatures_AES,signatures_AES_MINIMAL,signatures_QES",
    )
    const { month, demo } = (await ask("/usage")).months.at(-1)
    const counts = [
      demo.requests,
      demo.documents,
      demo.declined,
      demo.seals,
      demo.mails,
      ...Object.values(demo.signatures),
    ]
    expect([lines.length, lines.at(-1)]).toEqual([6, [month, ...counts].join(",")])
    await page.context().close()
  })

  it("lets a plain member look at the settings, and change nothing", async () => {
    const email = newAddress("plain")
    const plain = await registered(service.url, email)
    await addMember(service, email, "member")
    const page = await openConsole(browser, service, plain, "/console/settings/retention")
    await page.getByText("You can see these settings.").waitFor()
    expect(await page.getByLabel("Until somebody deletes them").isDisabled()).toBe(true)
    for (const path of ["business", "branding", "retention", "origins"]) {
      await page.goto(`${service.url}/console/settings/${path}`)
      await page.getByText("You can see these settings.").waitFor()
      expect([path, await button(page, /^(Save|Remove|Add)/).count()]).toEqual([path, 0])
      expect(await page.getByRole("main").locator("input:enabled, select:enabled").count(), path).toBe(0)
    }
    const change = [{ retention_days: 1 }, await tokenOf(plain, service.business)] as const
    expect((await call(service.url, "PATCH", "/v3/settings", ...change)).status).toBe(403)
    await page.goto(`${service.url}/console/operator`)
    await page.getByText("This is for those who run the service").waitFor()
    await page.context().close()
  })

  it("[AUTH-14] lets an operator who works for no business end a key of one, whose people get the new one, and switch its features", async () => {
    const wanted = [{ name: "Leaked", kind: "demo" }, await tokenOf(ada, service.business)] as const
    const { body: leaked } = await call(service.url, "POST", "/v3/api-keys", ...wanted)
    const thief = await createApi(service.url, leaked.username, leaked.api_key)
    const page = await openConsole(browser, service, olga, "/console/")
    await heading(page, "Operator").waitFor()
    await page.getByRole("link", { name: "Businesses" }).click()
    await page.getByRole("link", { name: "Acme AG" }).click()
    await page.getByLabel("A last day to sign").check()
    await saved(page, page.getByRole("form", { name: "Features" }))
    expect((await ask("/settings")).features).toContain("expires_at")
    await button(page, "Reset Leaked").click()
    await button(page, "Reset the key").click()
    await page.getByText("“Leaked” no longer works.").waitFor()
    const since = performance.now()
    await until("its tokens are dead", async () => (await thief.get("/v3/webhooks")).status === 401)
    expect(performance.now() - since).toBeLessThan(5_000)
    const logIn = async (apiKey: string) => {
      const body = { username: leaked.username, "api-key": apiKey }
      return (await call(service.url, "POST", "/v3/access/login", body, {})).status
    }
    expect(await logIn(leaked.api_key)).toBe(401)
    expect(await page.getByTestId("secret").count()).toBe(0)
    await page.getByRole("link", { name: "Audit log" }).click()
    await page.getByText("Ended an API key that others may know").first().waitFor()
    await page.context().close()

    const hers = await open("/console/developers/keys")
    await button(hers, "Get the new key Leaked").click()
    await button(hers, "Show the new key").click()
    const secret = (await hers.getByTestId("secret").textContent()) ?? ""
    await button(hers, "I have saved it").click()
    await hers.getByTestId("secret").waitFor({ state: "detached" })
    expect(await hers.content()).not.toContain(secret)
    expect(await logIn(secret)).toBe(200)
    await hers.context().close()
  })

  it("lists jobs that failed, says when they are tried next, and tries one at once", async () => {
    const id = randomUUID()
    await service.sql(`insert into jobs.job (id, name, data, state, start_after, retry_count, retry_limit, output) values
      ('${id}', 'invite-signer', '{"task":"invite-signer","letter":"reminder","businessId":"${service.business}",
        "requestId":"${randomUUID()}","signatureId":"${randomUUID()}"}',
       'retry', now() + interval '1 hour', 3, 5000, '{"message":"The mail server did not answer."}')`)
    const page = await openConsole(browser, service, olga, "/console/operator/jobs")
    const row = page.getByRole("listitem").filter({ hasText: "The mail server did not answer." })
    await row.getByText(/3 attempts · Next attempt /).waitFor()
    await mustBeSoundInBoth(page, "a failed job")
    await button(page, "Try again invite-signer").click()
    await page.getByText("It is tried once more.").waitFor()
    await until(
      "a worker has done it",
      async () => (await service.sql(`select state from jobs.job where id = '${id}'`)) === "completed",
    )
    await page.reload()
    await page.getByText("No job has failed").waitFor()
    await page.context().close()
  })

  it("takes a lost second factor away, after a question, and whom it was can come back by the mailbox", async () => {
    const lost = newAddress("lost")
    const who = await registered(service.url, lost)
    await withSecondFactor(who)
    const page = await openConsole(browser, service, olga, "/console/operator/overview")
    const address = page.getByLabel("E-mail address of the account")
    const take = button(page, "Take away …")
    await address.fill("nobody")
    await take.click()
    await page.getByText("Please type an e-mail address such as").waitFor()
    await address.fill(lost)
    await take.click()
    await page.getByText(`${lost} is signed out everywhere`).waitFor()
    await mustBeSoundInBoth(page, "a lost second factor")
    await button(page, "Go back").click()
    expect((await who.get(API)).status).toBe(200)
    await take.click()
    await button(page, "Take it away").click()
    await page.getByText("Done. The person has been written to.").waitFor()
    expect((await who.get(API)).status).toBe(401)
    expect((await mailsComeTo(lost, 3)).map(({ subject }) => subject)).toContain("How you sign in was reset")
    await page.context().close()

    const again = await (await browser.newContext({ locale: "en" })).newPage()
    await again.goto(`${service.url}/account/recover`)
    await again.getByLabel("E-mail address").fill(lost)
    const code = await codeMailedTo(lost, () => again.locator("button[type=submit]").click())
    await again.locator("input[name=code]").fill(code)
    await again.locator("input[name=password]").fill("another walk by the lake")
    await again.locator("button[type=submit]").click()
    await again.getByRole("heading", { name: "Your account" }).waitFor()
    await again.context().close()
  })

  it("asks an operator who came in by a password alone for more", async () => {
    const email = newAddress("weak")
    await service.paraph("admin", "add-operator", "--email", email, "--name", "Otto")
    const page = await openConsole(browser, service, await registered(service.url, email), "/console/")
    await page.getByText("Please sign in with a second factor").waitFor()
    await mustBeSoundInBoth(page, "the second factor")
    await page.context().close()
  })

  const OF_BUSINESS = [
    ["settings/business", "Default signature quality"],
    ["settings/branding", "What signers see"],
    ["settings/retention", "How long requests are kept"],
    ["settings/origins", "Who may embed the signing page"],
    ["settings/single-sign-on", "Your identity provider"],
    ["templates", "No template yet"],
    ["templates/new", "Drop your PDFs here"],
    ["usage", "The figures"],
  ] as const
  const OF_OPERATOR = [
    ["operator/overview", "A lost second factor"],
    ["operator/businesses", "Acme AG"],
    ["operator/mails", "INVITATION"],
    ["operator/jobs", "No job has failed"],
    ["operator/audit", "Switched a feature"],
  ] as const

  const SUBJECTS = [
    ["a business", () => ada, OF_BUSINESS],
    ["the operator", () => olga, OF_OPERATOR],
  ] as const

  it.each(SUBJECTS)(
    "is free of axe's findings on a phone, for %s, light and dark",
    async (_, who, screens) => {
      const page = await openConsole(browser, service, who(), "/console/icon.svg", PHONE)
      for (const [path, seen] of screens) {
        await page.goto(`${service.url}/console/${path}`)
        await page.getByText(seen).first().waitFor()
        await mustBeSoundInBoth(page, `${path} on a phone`)
      }
      await page.context().close()
    },
  )

  it.each(SUBJECTS)(
    "is so on a desktop, for %s, weighs at most 250 kB compressed on each route, and keeps to its policy",
    async (_, who, screens) => {
      for (const [path, seen] of screens) {
        const page = await (await openConsole(browser, service, who(), "/console/icon.svg"))
          .context()
          .newPage()
        const files: Response[] = []
        const bad: string[] = []
        page.on("console", (message) => message.type() === "error" && bad.push(message.text()))
        page.on("response", (response) => /\/console\//.test(response.url()) && files.push(response))
        await page.goto(`${service.url}/console/${path}`)
        await page.getByText(seen).first().waitFor()
        await mustBeSoundInBoth(page, path)
        const bodies = await Promise.all(files.map((file) => file.body()))
        const weight = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
        expect(weight, path).toBeLessThan(250_000)
        // What draws charts is for the one screen that has one.
        expect([path, bodies.some((body) => body.includes("u-cursor-x"))]).toEqual([path, path === "usage"])
        expect(bad, path).toEqual([])
        await page.context().close()
      }
    },
  )
})
