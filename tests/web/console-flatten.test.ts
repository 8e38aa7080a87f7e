import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Person } from "../service/account.ts"
import { PHONE, startBrowser } from "../service/browser.ts"
import { oddPdf, stream } from "../service/odd-pdfs.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSoundInBoth, mustFit } from "../service/sound.ts"
import { button, heading, member, openConsole } from "./console-page.ts"

/** A stamp that print alone shows. */
const PDF = {
  name: "Offer.pdf",
  mimeType: "application/pdf",
  buffer: oddPdf({
    page: "/Annots [6 0 R]",
    objects: [
      "<< /Type /Annot /Subtype /Stamp /Rect [72 700 272 740] /F 36 /AP << /N 7 0 R >> >>",
      stream("/Type /XObject /Subtype /Form /BBox [0 0 200 40]", "1 0 0 rg 0 0 200 40 re f"),
    ],
  }),
}

let service: Service
let browser: Browser
let ada: Person
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), startBrowser()])
  ada = await member(service, newAddress("ada"))
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

it.each([
  ["a desktop", {}],
  ["a phone", PHONE],
] as const)(
  "[B2] on %s a refused PDF says why, and goes on flattened with the list of changes",
  async (_, device) => {
    const page = await openConsole(browser, service, ada, "/console/send", device)
    await page.locator("input[type=file]").setInputFiles(PDF)
    await page.getByText("Technical details, in English").click()
    await page.getByText("Page 1 looks different on screen and in print.").waitFor()
    await mustBeSoundInBoth(page, "an upload")
    await mustFit(page, "an upload")
    await button(page, "Remove this and upload").click()
    await page
      .getByText('The "Stamp" annotation on page 1 is now part of the page, as it is printed.')
      .waitFor()
    await mustBeSoundInBoth(page, "an upload")
    await mustFit(page, "an upload")
    await button(page, "Continue with 1 document").click()
    await heading(page, "Who signs?").waitFor()
    expect(page.url()).toMatch(/[0-9a-f-]{36}/)
    await page.context().close()
  },
)

const SCRIPT = {
  name: "Script.pdf",
  mimeType: "application/pdf",
  buffer: oddPdf({ catalog: "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>", objects: [] }),
}
/** A square without an appearance, which readers draw each in their own way, and a script. */
const SQUARE = {
  name: "Square.pdf",
  mimeType: "application/pdf",
  buffer: oddPdf({
    catalog: "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>",
    page: "/Annots [6 0 R]",
    objects: ["<< /Type /Annot /Subtype /Square /Rect [72 600 272 640] /F 4 /C [1 0 0] /IC [1 0 0] >>"],
  }),
}

it.each([
  ["a desktop", { viewport: { width: 1280, height: 800 } }],
  ["a phone", PHONE],
] as const)(
  "[B2] on %s scripts are removed, what cannot be removed says what to do, and a document can be left out",
  async (_, device) => {
    const page = await openConsole(browser, service, ada, "/console/send", device)
    const removing = button(page, "Remove this and upload")
    await page.locator("input[type=file]").setInputFiles([SCRIPT, SQUARE])
    await page.getByText("This PDF contains scripts or actions, so it cannot be signed.").nth(1).waitFor()
    await mustBeSoundInBoth(page, "two uploads")
    await mustFit(page, "two uploads")
    await removing.nth(1).click()
    await page.getByText("We could not remove this without changing what is printed.").waitFor()
    await page.getByText("Please open the file, choose Print").waitFor()
    await page.getByText("Technical details, in English").nth(1).click()
    await page.getByText("Page 1 would not look as it is printed.").waitFor()
    await removing.click()
    await page.getByText('An action of type "JavaScript" was removed.').waitFor()
    await mustBeSoundInBoth(page, "one upload that failed")
    await mustFit(page, "one upload that failed")
    await button(page, "Remove Script.pdf").click()
    await page.getByText('An action of type "JavaScript" was removed.').waitFor({ state: "detached" })
    await page.context().close()
  },
)
