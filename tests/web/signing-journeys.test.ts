import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  draw,
  inkOnCanvas,
  openLink,
  PHONE,
  pressSign,
  readyToSign,
  SMALL_PHONE,
  sign,
  startBrowser,
  tabTo,
} from "../service/browser.ts"
import { judge, pdfsigOf } from "../service/judges.ts"
import { inkOf, textOf } from "../service/looks.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { soundMail } from "../service/mime.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"
import { until } from "../service/until.ts"

const PAGE = { width: 595, height: 842 }
const MM = 72 / 25.4

/** How much of the sheet lies beside the window. */
const SIDEWAYS = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("dialog"))`

describe("a signer's way through the pages", () => {
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

  const invite = async (more: object = {}, visual_signature?: object) => {
    const signer = newAddress("way")
    const { status, body } = await service.caller.post("/v2/signature-requests", {
      title: "Rental agreement",
      content: contractPdf("Read me.", 3).toString("base64"),
      signatures: [{ account_email: signer, ...(visual_signature && { visual_signature }) }],
      ...more,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    return { id: body.id as string, link: await linkMailedTo(signer), signer }
  }
  const signedPdf = async (id: string): Promise<Buffer> => {
    const { document_id } = await until("the request is signed", async () => {
      const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED" && body
    })
    return (await service.caller.get(`/v2/documents/${document_id}/content`)).bytes
  }

  it("[VIS-01] by keyboard alone: reads, places by arrow keys, types, signs; and the ink is where it was placed", async () => {
    const { id, link } = await invite()
    const page = await (await browser.newContext({ locale: "en" })).newPage()
    await page.goto(link)
    await pressByKey(page, "Open document")
    await page.getByRole("img", { name: /page 1/i }).waitFor()
    await pressByKey(page, "More choices")
    await pressByKey(page, "Move the signature …")
    await tabTo(page, page.getByLabel(/Page number/).last())
    await page.keyboard.type("2")
    await page.keyboard.press("Enter")
    // Backwards, because the page stands before the panel.
    await tabTo(page, page.getByRole("button", { name: /Your signature on page 2/ }), "Shift+Tab")
    for (let press = 0; press < 4; press += 1) await page.keyboard.press("Shift+ArrowUp")
    await page.keyboard.press("ArrowRight")
    const placed = await placeSaid(page)
    await pressByKey(page, "Place it here")
    await pressByKey(page, "Continue to sign")
    await tabTo(page, page.getByLabel("Your name"))
    await page.keyboard.type("François Müller-Łoś")
    await tabTo(page, page.getByRole("radio", { name: "Handwriting 1" }))
    await page.keyboard.press("ArrowDown")
    await pressByKey(page, "Use this signature")
    await pressByKey(page, "Sign")
    const heading = page.getByRole("heading", { level: 1, name: /you signed/i })
    await heading.waitFor()
    expect(await heading.and(page.locator(":focus")).count()).toBe(1)
    await page.context().close()

    const pdf = await signedPdf(id)
    expect((await judge(pdf)).pdfsig).toEqual(["Signature is Valid."])
    await mustHaveInk(pdf, placed)
  })

  it.each([
    ["390 × 844", PHONE],
    ["320 × 568", SMALL_PHONE],
  ] as const)(
    "[VIS-07] by touch on %s: in the field that the request fixes, drawn by hand",
    async (_, options) => {
      const at = { page: "2", x: 300, y: 120, width: 200, height: 70 }
      const { id, link } = await invite({}, { position: at })
      const page = await openLink(browser, link, options)
      await page.getByRole("button", { name: "Next field" }).tap()
      const field = page.getByRole("button", { name: /Signature field 1 of 1, page 3, empty/ })
      await field.and(page.locator(":focus")).waitFor()
      await mustBeInWindow(page)
      await field.tap()
      await page.getByRole("tab", { name: "Draw" }).tap()
      await draw(page)
      await page.getByRole("button", { name: "Use this signature" }).tap()
      await page.getByRole("button", { name: /Signature field 1 of 1, page 3, ready/ }).waitFor()
      await sign(page, "Ada Lovelace")
      await page.context().close()
      await mustHaveInk(await signedPdf(id), { ...at, page: 2 })
    },
  )

  it("[VIS-06] offers what the PDF hints at, and lets it be left out", async () => {
    const content = contractPdf("Unterschrift: __________", 2).toString("base64")
    const { id, link } = await invite({ content })
    const page = await openLink(browser, link)
    await page.getByRole("button", { name: "More choices" }).click()
    await page.getByRole("button", { name: "Move the signature …" }).click()
    const suggestions = page.getByRole("list", { name: "Suggestions" }).getByRole("button")
    await suggestions.filter({ hasText: "Line for a signature" }).first().waitFor()
    await page.getByRole("button", { name: "No visible signature" }).click()
    await sign(page, "Ada Lovelace")
    await page.context().close()
    const pdf = await signedPdf(id)
    expect((await textOf(pdf)).join("")).not.toContain("Ada Lovelace")
  })

  it("[VIS-07] takes a picture of the signature, and shows it in the field", async () => {
    const at = { page: "0", x: 300, y: 120, width: 200, height: 70 }
    const { id, link } = await invite({}, { position: at })
    const page = await openLink(browser, link)
    await page.getByRole("button", { name: "Continue to sign" }).click()
    await page.getByRole("tab", { name: "Upload" }).click()
    const picture = page.getByLabel("Picture of your signature")
    await picture.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") })
    await page.getByRole("alert").filter({ hasText: "not a PNG or JPEG" }).waitFor()
    const buffer = await page.getByRole("tablist").screenshot()
    await picture.setInputFiles({ name: "signature.png", mimeType: "image/png", buffer })
    await page.locator("figure img").waitFor()
    await mustBeSound(page)
    await page.getByRole("button", { name: "Use this signature" }).click()
    await page.getByLabel("Your name").fill("Ada Lovelace")
    await pressSign(page)
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
    await page.context().close()
    await mustHaveInk(await signedPdf(id), { ...at, page: 0 })
  })

  it.each(["Handwriting 1", "Handwriting 2", "Handwriting 3"])(
    "writes every letter of a name from elsewhere in %s: on the screen, in the PDF and in the mail",
    async (hand) => {
      const name = "Françoise Müßler-Wałęsa Dvořák Beşir Ionuț"
      const at = { page: "0", x: 60, y: 120, width: 400, height: 80 }
      const { id, link, signer } = await invite({ title: `Vertrag mit ${name}` }, { position: at })
      const [mail] = await mailsTo(signer)
      if (mail === undefined) throw new Error("There is no mail.")
      const { subject, text, html } = await soundMail(mail, "en")
      for (const said of [subject, text, html]) expect(said).toContain(name)

      const page = await openLink(browser, link, PHONE)
      await page.getByRole("button", { name: "Continue to sign" }).click()
      await page.getByLabel("Your name").fill(name)
      await page.getByRole("radio", { name: hand }).check()
      // A letter that the handwriting lacks would be borrowed from another one.
      expect(await lettersBorrowed(page, name)).toEqual([])
      expect(await page.evaluate(SIDEWAYS)).toBe(0)
      await page.getByRole("button", { name: "Use this signature" }).click()
      await pressSign(page)
      await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
      await page.context().close()
      const pdf = await signedPdf(id)
      expect(await pdfsigOf(pdf)).toEqual(["Signature is Valid."])
      expect((await textOf(pdf))[0]).toContain(name)
      // ISO 32000-2, 7.9.2.2: a text string in UTF-16BE, which a reader shows as who signed.
      expect(pdf.includes(`/Name <feff${Buffer.from(name, "utf16le").swap16().toString("hex")}>`)).toBe(true)
      await mustHaveInk(pdf, { ...at, page: 0 })
    },
  )

  it("keeps the ink when the phone is turned in the middle of drawing", async () => {
    const { link } = await invite({}, { position: { page: "0", x: 100, y: 100, width: 200, height: 70 } })
    const page = await openLink(browser, link, PHONE)
    await page.getByRole("button", { name: "Continue to sign" }).click()
    await page.getByRole("tab", { name: "Draw" }).click()
    await draw(page)
    expect(await inkOnCanvas(page)).toBeGreaterThan(100)
    const narrow = await canvasWidth(page)
    await page.setViewportSize({ width: 844, height: 390 })
    await until("the canvas has its new width", async () => (await canvasWidth(page)) > narrow)
    await until("the ink is there again", async () => (await inkOnCanvas(page)) > 100)
    await page.getByRole("button", { name: "Undo" }).click()
    expect(await inkOnCanvas(page)).toBe(0)
    await page.context().close()
  })

  it("goes on after the connection was lost: nothing typed is gone, and the press counts once", async () => {
    const { id, link } = await invite()
    const page = await openLink(browser, link)
    await readyToSign(page, "Ada Lovelace")
    await page.context().setOffline(true)
    await page.getByText("You are offline.").waitFor()
    await pressSign(page)
    await page.getByText("We could not reach the service.").waitFor()
    await page.context().setOffline(false)
    expect(await page.getByLabel("Your name").inputValue()).toBe("Ada Lovelace")
    await pressSign(page)
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
    await page.context().close()
    expect((await judge(await signedPdf(id))).pdfsig).toEqual(["Signature is Valid."])
  })

  it.each([
    ["de", "Sie haben unterschrieben", "Weiter", "Diese Unterschrift verwenden", "Unterschreiben"],
    ["fr", "Vous avez signé", "Continuer", "Utiliser cette signature", "Signer"],
    ["it", "Ha firmato", "Continua", "Usa questa firma", "Firma"],
  ])("[URL-04] speaks %s when the address asks for it, to the end", async (lang, signed, goOn, use, last) => {
    const { link } = await invite()
    const page = await (await browser.newContext({ locale: "en", ...SMALL_PHONE })).newPage()
    await page.goto(link.replace("#", `?lang=${lang}#`))
    await page.locator("form button").click()
    await page.getByRole("img").nth(1).waitFor()
    expect(await page.locator("html").getAttribute("lang")).toBe(lang)
    await mustBeSound(page)
    await page.getByRole("button", { name: goOn, exact: true }).click()
    await page.locator("#name").fill("François Müller")
    await page.getByRole("button", { name: use }).click()
    await page.getByRole("button", { name: last, exact: true }).click()
    await page.getByRole("heading", { level: 1, name: new RegExp(signed) }).waitFor()
    await mustBeSound(page)
    await page.context().close()
  })

  it("[URL-04] speaks the browser's language otherwise, and another one at a touch", async () => {
    const { link } = await invite()
    const page = await (await browser.newContext({ locale: "fr-CH" })).newPage()
    await page.goto(link)
    await page.locator("form button").click()
    await page.getByText("vous demande de signer").waitFor()
    await page.getByRole("combobox", { name: "Langue" }).selectOption("it")
    await page.getByText("Le chiede di firmare").waitFor()
    await page.reload()
    await page.getByText("Le chiede di firmare").waitFor()
    await page.context().close()
  })

  it("is signed although the window was closed at once, and says so when it is opened again", async () => {
    const { id, link } = await invite()
    const page = await openLink(browser, link)
    const context = page.context()
    await readyToSign(page, "Ada Lovelace")
    await pressSign(page)
    await page.getByRole("heading", { level: 1, name: /signature is being made|you signed/i }).waitFor()
    await page.close()
    await signedPdf(id)
    const again = await context.newPage()
    await again.goto(`${service.url}/app/`)
    await again.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
    await context.close()
  })

  it("[R27] [R28] begins with a person's press: fifty scanners that run scripts and look at everything change nothing", async () => {
    const { id, link } = await invite()
    const context = await browser.newContext({ locale: "en" })
    const scanner = await context.newPage()
    const kept = () =>
      service.sql(`select (select count(*) from evidence where request_id = '${id}'),
        (select count(*) from event), (select count(*) from signer_session),
        (select xmin from signature_request where id = '${id}'),
        (select xmin from signature where request_id = '${id}'),
        (select max(xmin::text::bigint) from signing_link)`)
    const before = await kept()
    for (let visit = 0; visit < 50; visit += 1) {
      await scanner.goto(link)
      // Others look at the head alone, each from a network of its own.
      const headers = { "x-forwarded-for": `198.51.100.${visit % 10}` }
      expect((await context.request.head(link, { headers })).status()).toBe(200)
    }
    expect(await kept()).toBe(before)
    expect(await context.cookies()).toEqual([])
    const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
    expect(body).toMatchObject({ status_overall: "OPEN", signatures: [{ status_code: "OPEN" }] })
    await context.close()
    const page = await openLink(browser, link)
    await sign(page, "Ada Lovelace")
    await page.context().close()
  })
})

/** Which letters are drawn by whatever font stands second, because the chosen handwriting lacks them. */
async function lettersBorrowed(page: Page, name: string): Promise<unknown> {
  return page.evaluate(`(async () => {
    const chosen = document.querySelector("input[type=radio]:checked").closest("label").querySelector(".hand-name")
    const [family] = getComputedStyle(chosen).fontFamily.split(",")
    await document.fonts.load("80px " + family, ${JSON.stringify(name)})
    const context = document.createElement("canvas").getContext("2d")
    const wide = (letter, fallback) => {
      context.font = "80px " + family + ", " + fallback
      return context.measureText(letter).width
    }
    return [...${JSON.stringify(name)}].filter((letter) => wide(letter, "monospace") !== wide(letter, "serif"))
  })()`)
}

async function pressByKey(page: Page, name: string): Promise<void> {
  await tabTo(page, page.getByRole("button", { name, exact: true }))
  await page.keyboard.press("Enter")
}

type Box = {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What a screen reader is told of the place. */
async function placeSaid(page: Page): Promise<Box> {
  const said = await page.getByText(/mm from the left/).textContent()
  const [number = 0, left = 0, top = 0, width = 0, height = 0] = (said?.match(/\d+/g) ?? []).map(Number)
  const tall = height * MM
  return { page: number - 1, x: left * MM, y: PAGE.height - top * MM - tall, width: width * MM, height: tall }
}

/** The lowest and rightmost thing on the page is the signature, and it stands within its place. */
async function mustHaveInk(pdf: Buffer, { page, x, y, width, height }: Box): Promise<void> {
  const before = await inkOf(contractPdf("Read me.", 3), page)
  const ink = await inkOf(pdf, page)
  const slack = 0.015
  expect(ink.bottom).toBeGreaterThan(before.bottom + 0.1)
  expect(ink.bottom).toBeLessThanOrEqual((PAGE.height - y) / PAGE.height + slack)
  expect(ink.bottom).toBeGreaterThan((PAGE.height - y - height) / PAGE.height)
  expect(ink.right).toBeLessThanOrEqual(Math.max((x + width) / PAGE.width, before.right) + slack)
}

/** What has the focus can be seen, and nothing lies over it (WCAG 2.2, 2.4.11). */
/** A page may still be scrolling there. */
const mustBeInWindow = (page: Page) =>
  until("what has the focus is seen", () =>
    page.locator(":focus").evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const above = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2)
      return above === element || element.contains(above)
    }),
  )

const canvasWidth = (page: Page): Promise<number> =>
  page.locator("canvas").evaluate((element) => element.clientWidth)
