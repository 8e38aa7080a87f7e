import { gzipSync } from "node:zlib"
import type { Browser, Page, Response } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PASSWORD, type Person } from "../service/account.ts"
import { type Json, VERSIONS } from "../service/api.ts"
import { openLink, PHONE, sign, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSoundInBoth, mustFit } from "../service/sound.ts"
import { until } from "../service/until.ts"
import { button, heading, member, openConsole, tabTo } from "./console-page.ts"

const PDF = { name: "Lease.pdf", mimeType: "application/pdf", buffer: contractPdf("Read me.", 2) }
const MM = 72 / 25.4

describe("the console", () => {
  let service: Service
  let browser: Browser
  let ada: Person
  const adaEmail = newAddress("ada")

  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startService(), startBrowser()])
    ada = await member(service, adaEmail)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const isOurs = (url: string) => url.startsWith(service.url) || url.startsWith("blob:")
  const open = (path?: string, options?: object) => openConsole(browser, service, ada, path, options)

  /** What the interface says about the request that a page shows or prepares. */
  const requestOn = async (page: Page): Promise<Json> => {
    const id = /[0-9a-f-]{36}/.exec(page.url())?.[0]
    const token = await ada.post("/app/api/account/token", { businessId: service.business, kind: "demo" })
    const headers = { authorization: `Bearer ${token.body.token}` }
    return (await fetch(`${service.url}/v3/signature-requests/${id}`, { headers })).json()
  }

  const begin = async (page: Page) => {
    await page.locator("input[type=file]").setInputFiles(PDF)
    await heading(page, "Who signs?").waitFor()
  }

  const addPerson = async (page: Page, email: string, first = "", last = "") => {
    await button(page, "Add a person").click()
    await page.getByLabel("E-mail address").last().fill(email)
    await page.getByLabel("First name").last().fill(first)
    await page.getByLabel("Last name").last().fill(last)
  }

  it("[ASVS 14.3.1] asks who is not signed in to sign in, takes them back, and lets them out again; it is cleared even while the server is away", async () => {
    const page = await (await browser.newContext({ locale: "en" })).newPage()
    await page.goto(`${service.url}/console/requests?status_overall=DRAFT`)
    await page.waitForURL(/\/account\/login\?next=/)
    await page.locator("input[name=email]").fill(adaEmail)
    await page.locator("input[name=password]").fill(PASSWORD)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.waitForURL(`${service.url}/console/requests?status_overall=DRAFT`)
    await heading(page, "Requests").waitFor()
    await button(page, /Account and settings/).click()
    await page.route("**/app/api/account/logout", (route) => route.abort())
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    await heading(page, "You are not signed out yet").waitFor()
    const left = await page.locator("body").textContent()
    expect(left).not.toContain(adaEmail)
    expect(left).not.toContain("Requests")
    await page.unroute("**/app/api/account/logout")
    await button(page, "Sign out").click()
    await page.waitForURL(/\/account\/login/)
    await page.goto(`${service.url}/console/`)
    await page.waitForURL(/\/account\/login/)
    await page.context().close()
  })

  it("sends a document to a signer, who signs it at the place that was dragged to", async () => {
    const grace = newAddress("grace")
    const page = await open("/console/send")
    await begin(page)
    await addPerson(page, grace, "Grace", "Hopper")
    await button(page, "Continue").click()
    const paper = page.getByRole("img", { name: "Picture of page 2" })
    await paper.click({ position: { x: 300, y: 300 } })
    const pointsPerPixel = 595 / ((await paper.boundingBox())?.width ?? 1)
    const field = button(page, /^Field for Grace Hopper/)
    const from = await field.boundingBox()
    if (from === null) throw new Error("The field is not seen.")
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x - 80, from.y + 110, { steps: 4 })
    await page.mouse.up()
    await button(page, "Continue").click()
    await page.getByLabel("Message to the signers").fill("Please sign until Friday.")
    await button(page, "Continue").click()
    await button(page, "Send to 1 person").click()
    await page.getByText("Sent. The invitations are on their way.").waitFor()
    const { signatures, message } = await requestOn(page)
    const [{ visual_signature: visual }] = signatures[0].document_signatures
    expect(message).toBe("Please sign until Friday.")
    expect(visual.position).toMatchObject({ page: "1", width: 180, height: 54 })
    // Pressed at 300, 300 and dragged by −100, 100 on the screen; told in points, from below.
    expect(visual.position.x).toBeCloseTo(200 * pointsPerPixel - 90, -1)
    expect(visual.position.y).toBeCloseTo(842 - 400 * pointsPerPixel - 27, -1)
    const signing = await openLink(browser, await linkMailedTo(grace))
    await sign(signing, "Grace Hopper")
    await signing.context().close()
    await page.getByText("Signed", { exact: true }).first().waitFor()
    for (const [name, file] of [
      ["Download Lease", "Lease.pdf"],
      ["Download Signature protocol", "Lease – Signature protocol.pdf"],
    ] as const) {
      const download = page.waitForEvent("download")
      await button(page, name).click()
      expect((await download).suggestedFilename()).toBe(file)
    }
    await page.context().close()
  })

  it("can be worked by keyboard alone: from the file to the request that is sent", async () => {
    const page = await open("/console/send")
    const chooser = page.waitForEvent("filechooser")
    await tabTo(page, button(page, "Choose files"))
    await page.keyboard.press("Enter")
    await (await chooser).setFiles(PDF)
    const title = heading(page, "Who signs?")
    await title.waitFor()
    expect(await title.and(page.locator(":focus")).count()).toBe(1)
    for (const email of [newAddress("first"), newAddress("second")]) {
      await tabTo(page, button(page, "Add a person"))
      await page.keyboard.press("Enter")
      await page.keyboard.type(email)
    }
    await tabTo(page, page.getByRole("switch"))
    await page.keyboard.press("Space")
    await tabTo(page, button(page, /^Move second.* up$/))
    await page.keyboard.press("Enter")
    await tabTo(page, button(page, "Continue"))
    await page.keyboard.press("Enter")
    await tabTo(page, button(page, /^Add a field for second.* on page 1$/))
    await page.keyboard.press("Enter")
    // The new field has the focus: a millimetre to the left, ten up, five wider.
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Shift+ArrowUp")
    for (let times = 0; times < 5; times += 1) await page.keyboard.press("Alt+ArrowRight")
    await page.getByText("Draft saved").waitFor()
    const { signatures } = await requestOn(page)
    const placed = signatures.find((each: Json) => each.account_email.startsWith("second"))
    expect(placed.sequence).toBe(1)
    const { position } = placed.document_signatures[0].visual_signature
    expect(position.x).toBeCloseTo(595 * 0.7 - 90 - MM, 0)
    expect(position.y).toBeCloseTo(842 * 0.15 - 27 + 10 * MM, 0)
    expect(position.width).toBeCloseTo(180 + 5 * MM, 0)
    for (const step of ["How do they sign?", "Ready to send?"]) {
      await tabTo(page, button(page, "Continue"))
      await page.keyboard.press("Enter")
      await heading(page, step).waitFor()
    }
    await tabTo(page, button(page, "Send to 2 people"))
    await page.keyboard.press("Enter")
    await page.getByText("Sent. The invitations are on their way.").waitFor()
    await page.context().close()
  })

  it.each(VERSIONS)(
    "[SR-06] lets who has write access to a request of %s manage it, its signers included, and who has read access look",
    async (v) => {
      const [signer, added, reader] = [newAddress("signer"), newAddress("added"), newAddress("reader")]
      const access = { write_access: [adaEmail], read_access: [reader] }
      const made = await sentTo(service.caller, v, [signer], { title: `Of ${v}`, ...access })
      const page = await open("/console/requests")
      await page.getByRole("link", { name: `Of ${v}` }).click()
      await button(page, "Add a signer").click()
      await page.getByLabel("E-mail address", { exact: true }).fill(added)
      await button(page, "Add and invite").click()
      await page.getByText(`${added} was asked to sign.`).waitFor()
      await linkMailedTo(added)
      await button(page, `Remove ${signer}`).click()
      await page.getByText(`${signer} was removed.`).waitFor()
      await button(page, "Remind").click()
      await page.getByText(/Next reminder possible at/).waitFor()
      await button(page, "Withdraw").click()
      await page.getByLabel(/Message to the signers/).fill("It has changed.")
      await button(page, "Withdraw for everyone").click()
      await page.getByText("The request was withdrawn.").waitFor()
      const { body } = await service.caller.get(`/${v}/signature-requests/${made.id}`)
      expect(body.status_overall).toBe("WITHDRAWN")
      await page.context().close()
      if (v !== "v3") return
      const looking = await openConsole(
        browser,
        service,
        await member(service, reader),
        `/console/requests/${made.id}`,
      )
      await looking.getByText("You can see this request, but not change it.").waitFor()
      expect(await button(looking, "Delete").count()).toBe(0)
      await looking.context().close()
    },
  )

  it("[SR-08] opens a request without signers, which waits until one is added, who signs it", async () => {
    const late = newAddress("late")
    const page = await open("/console/send")
    await begin(page)
    for (const step of ["Where do they sign?", "How do they sign?", "Ready to send?"]) {
      await button(page, "Continue").click()
      await heading(page, step).waitFor()
    }
    await button(page, "Open without signers").click()
    await page.getByText("The request is open.").waitFor()
    expect(await requestOn(page)).toMatchObject({ status_overall: "OPEN", signatures: [] })
    await button(page, "Add a signer").click()
    await page.getByLabel("E-mail address", { exact: true }).fill(late)
    await button(page, "Add and invite").click()
    const signing = await openLink(browser, await linkMailedTo(late))
    await sign(signing, "Late Signer")
    await signing.context().close()
    await until("it is SIGNED", async () => (await requestOn(page)).status_overall === "SIGNED")
    await page.context().close()
  })

  it("keeps a draft on the server: what was typed is there again after the tab was closed", async () => {
    const page = await open("/console/send")
    await begin(page)
    await addPerson(page, "kept@example.org", "Kept", "Person")
    await page.getByText("Draft saved").waitFor()
    const address = new URL(page.url())
    await page.context().close()
    const again = await open(`${address.pathname}${address.search}`)
    await again.getByLabel("First name").waitFor()
    expect(await again.getByLabel("E-mail address").inputValue()).toBe("kept@example.org")
    await again.context().close()
  })

  it("says what is wrong with a file, and goes on with the others", async () => {
    const page = await open("/console/send")
    const bad = { name: "Notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF at all") }
    await page.locator("input[type=file]").setInputFiles([PDF, bad])
    await page.getByText("This PDF is damaged.").waitFor()
    await button(page, "Continue with 1 document").click()
    await heading(page, "Who signs?").waitFor()
    await page.context().close()
  })

  it("keeps filters and pages in the address", async () => {
    const addresses = Array.from({ length: 21 }, () => [newAddress("many")])
    const more = { title: "One of many", write_access: [adaEmail] }
    for (const emails of addresses) await sentTo(service.caller, "v3", emails, more)
    const page = await open("/console/requests?search=one%20of%20many&status_overall=OPEN")
    await page.getByRole("link", { name: "Older" }).click()
    await page.waitForURL(/cursor=/)
    await until(
      "one is left",
      async () => (await page.getByRole("link", { name: "One of many" }).count()) === 1,
    )
    await page.reload()
    await page.getByRole("link", { name: "Newer" }).click()
    await page.getByRole("link", { name: "Signed" }).click()
    await page.getByText("Nothing found").waitFor()
    expect(new URL(page.url()).search).toContain("status_overall=SIGNED")
    await page.context().close()
  })

  it("shows the secret of a webhook once, lists events, and tells the position of a box", async () => {
    const page = await open("/console/developers/webhooks")
    await button(page, "Add a webhook").click()
    await page.getByLabel("Address").fill("https://localhost:9/hook")
    await button(page, "Create").click()
    expect(await page.getByTestId("secret").textContent()).toMatch(/^whsec_/)
    await button(page, "I have saved it").click()
    await page.getByTestId("secret").waitFor({ state: "detached" })
    await page.getByRole("heading", { name: "https://localhost:9/hook" }).waitFor()
    expect(await page.content()).not.toContain("whsec_")
    await page.getByRole("link", { name: "Events" }).click()
    await button(page, /^Send signature_request\.\w+ of .* again$/)
      .first()
      .click()
    await page.getByText("The event is sent once more.").waitFor()
    await page.getByRole("link", { name: "Position helper" }).click()
    await page.locator("input[type=file]").setInputFiles(PDF)
    await button(page, "Add a field for Signature 1 on page 2").click()
    const told = JSON.parse((await page.locator("pre").textContent()) ?? "")
    expect(told.visual_signature.position).toMatchObject({ page: "1", width: 180, height: 54 })
    await page.context().close()
  })

  it("parts test and production, and speaks four languages", async () => {
    const page = await open("/console/requests")
    await page.getByText("TEST – no legal effect").waitFor()
    await button(page, /Account and settings/).click()
    await page.getByRole("menuitemradio", { name: "Production" }).click()
    await page.getByText("Nothing has been sent yet").waitFor()
    expect(await page.getByText("TEST – no legal effect").count()).toBe(0)
    await page.goto(`${service.url}/console/requests`)
    for (const [name, word] of [
      ["Deutsch", "Anfragen"],
      ["Français", "Demandes"],
      ["Italiano", "Richieste"],
    ] as const) {
      await page.locator("header button[aria-haspopup=menu]").click()
      await page.getByRole("menuitemradio", { name }).click()
      await heading(page, word).waitFor()
    }
    expect(await page.locator("html").getAttribute("lang")).toBe("it")
    await page.context().close()
  })

  it.each([
    [
      "is free of axe's findings, light and dark, and of sideways scrolling on a desktop",
      {},
      mustBeSoundInBoth,
    ],
    ["is free of them on a phone", PHONE, mustBeSoundInBoth],
    ["fits 320 pixels", { viewport: { width: 320, height: 568 } }, mustFit],
  ])("%s, on every screen", async (name, options, check) => {
    const page = await open("/console/requests", options)
    const sound = (what: string) => check(page, `${what}: ${name}`)
    await page.getByRole("link", { name: "One of many" }).first().waitFor()
    await sound("the list")
    await button(page, /Account and settings/).click()
    await sound("the menu")
    await page.keyboard.press("Escape")
    await page.getByRole("link", { name: "One of many" }).first().click()
    await page.getByRole("heading", { name: "Documents" }).waitFor()
    await sound("a request")
    for (const act of ["Add a signer", "Withdraw", "Delete"]) {
      await page.getByRole("button", { name: act, exact: true }).click()
      await sound(`the sheet ${act}`)
      await page.keyboard.press("Escape")
    }
    await page.goto(`${service.url}/console/send`)
    await heading(page, "Send a document").waitFor()
    await sound("the beginning")
    await begin(page)
    await addPerson(page, "somebody@example.org", "Annemarie-Louise", "von Hohenstein-Bergerhausen")
    await page.getByRole("switch").click()
    await sound("the people")
    await button(page, "Continue").click()
    await page.getByRole("img", { name: "Picture of page 1" }).click({ position: { x: 150, y: 200 } })
    await sound("the fields")
    for (const step of ["How do they sign?", "Ready to send?"]) {
      await button(page, "Continue").click()
      await heading(page, step).waitFor()
      await sound(step)
    }
    for (const [path, seen] of [
      ["webhooks", "https://localhost:9/hook"],
      ["events", "signature_request.initiated"],
      ["position", "Drop a PDF here"],
    ] as const) {
      await page.goto(`${service.url}/console/developers/${path}`)
      await page.getByText(seen).first().waitFor()
      await sound(path)
    }
    await page.goto(`${service.url}/console/nowhere`)
    await heading(page, "There is no such page").waitFor()
    await sound("nowhere")
    await page.context().close()
  })

  it("weighs at most 250 kB compressed on each route, asks nobody but us, and runs under a strict policy", async () => {
    const sent = await sentTo(service.caller, "v3", [newAddress("light")], { write_access: [adaEmail] })
    await service.caller.put(`/v3/documents/${sent.document_id}/access`, { read_access: [adaEmail] })
    const developers = ["keys", "mails", "webhooks", "events", "position"].map((name) => `developers/${name}`)
    const business = ["", "groups", "groups/new", "members", "audit"]
    for (const path of [...business, "requests", `requests/${sent.id}`, "send", ...developers]) {
      const page = await (await openConsole(browser, service, ada, "/console/icon.svg")).context().newPage()
      const files: Response[] = []
      const bad: string[] = []
      page.on("request", (request) => isOurs(request.url()) || bad.push(request.url()))
      page.on("console", (message) => message.type() === "error" && bad.push(message.text()))
      page.on("response", (response) => /\/console\//.test(response.url()) && files.push(response))
      const answer = await page.goto(`${service.url}/console/${path}`)
      expect(answer?.headers()["content-security-policy"]).toMatch(/^default-src 'none'(?!.*unsafe)/)
      await page.getByRole("heading", { level: 1 }).first().waitFor()
      await page.waitForLoadState("networkidle")
      const bodies = await Promise.all(files.map((file) => file.body()))
      const weight = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
      expect(weight, path).toBeLessThan(250_000)
      expect(bad, path).toEqual([])
      await page.context().close()
    }
  })
})
