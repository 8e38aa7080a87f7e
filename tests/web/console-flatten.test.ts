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
    await page.getByText("Page 1 looks different on screen and in print.").waitFor()
    await mustBeSoundInBoth(page, "an upload")
    await mustFit(page, "an upload")
    await button(page, "Flatten and upload").click()
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
