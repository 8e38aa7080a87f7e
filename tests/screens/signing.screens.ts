import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, it } from "vitest"
import { draw, readyToSign } from "../service/browser.ts"
import { newPage, SIZES, type Size, take } from "./album.ts"
import { ADA, type Office, openOffice } from "./office.ts"

const NAME = "Ada Lovelace-Łoś"
const BEN = { account_email: "ben.muller@example.org" }
const LATER = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)

let office: Office
beforeAll(async () => {
  office = await openOffice()
})
afterAll(() => office?.close())

const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click()
const choose = async (page: Page, name: string | RegExp) => {
  await press(page, "More choices")
  await press(page, name)
}
const heading = (page: Page, name: RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

/** At the door. */
const door = async (page: Page, more: object = {}, behind = "") => {
  const { id, link } = await office.send(more)
  await page.goto(`${link}${behind}`)
  return id
}

/** Before the document. */
const read = async (page: Page, more: object = {}, behind = "") => {
  const id = await door(page, more, behind)
  await press(page, "Open document")
  await page
    .getByRole("img", { name: /page 1/i })
    .first()
    .waitFor()
  return id
}

const toLook = async (page: Page) => {
  await read(page)
  await press(page, "Continue to sign")
  await page.getByLabel("Your name").fill(NAME)
  await page.waitForLoadState("networkidle")
}

const signed = async (page: Page, more: object = {}, behind = "") => {
  await read(page, more, behind)
  await readyToSign(page, NAME)
  await press(page, "Sign")
  await heading(page, /you signed/i)
}

type Scene = (page: Page) => Promise<unknown>

const SCENES: Readonly<Record<string, Scene>> = {
  door: (page) => door(page, { expires_at: LATER }),
  "door-german": (page) => door(page, {}, "?lang=de"),
  "door-unknown": (page) =>
    page.goto(`${office.service.url}/sign/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`),
  "door-withdrawn": async (page) => {
    const id = await door(page)
    await office.api.post(`/v3/signature-requests/${id}/withdraw`, {})
    await page.reload()
  },
  "door-signed": async (page) => {
    const { link } = await office.send()
    await page.goto(link)
    await press(page, "Open document")
    await readyToSign(page, NAME)
    await press(page, "Sign")
    await heading(page, /you signed/i)
    await page.goto(link)
  },
  read: (page) => read(page, { signatures: [{ account_email: ADA }, BEN], expires_at: LATER }),
  "read-about": async (page) => {
    await read(page, { signatures: [{ account_email: ADA }, BEN] })
    await page.locator("summary").first().click()
  },
  "read-french": (page) => read(page, {}, "?lang=fr"),
  "read-menu": async (page) => {
    await read(page)
    await press(page, "More choices")
  },
  "read-text": async (page) => {
    await read(page)
    await press(page, "Read as text")
    await page.getByText("It has three rooms").first().waitFor()
  },
  "read-exact": async (page) => {
    await read(page)
    await choose(page, "Show the exact PDF")
    await page.locator("canvas").first().waitFor()
    await page.waitForLoadState("networkidle")
  },
  "read-documents": async (page) => {
    const titles = [
      "Rental agreement.pdf",
      "House rules.pdf",
      "Inventory of the flat.pdf",
      "Parking space.pdf",
    ]
    const documents = []
    for (const title of titles) documents.push({ id: await office.upload(title, 1) })
    const { link } = await office.send({ documents })
    await page.goto(link)
    await press(page, "Open document")
    await press(page, "Next document")
    const list = page.getByRole("button", { name: /Documents$/ })
    if (await list.isVisible()) await list.click()
  },
  "read-offline": async (page) => {
    await read(page)
    await page.context().setOffline(true)
    await page
      .getByText(/You are offline/)
      .first()
      .waitFor()
  },
  place: async (page) => {
    await read(page)
    await choose(page, "Move the signature …")
  },
  "look-type": toLook,
  "look-draw": async (page) => {
    await toLook(page)
    await page.getByRole("tab", { name: "Draw" }).click()
    await draw(page)
  },
  "look-upload": async (page) => {
    await toLook(page)
    await page.getByRole("tab", { name: "Upload" }).click()
  },
  confirm: async (page) => {
    await read(page)
    await readyToSign(page, NAME)
  },
  decline: async (page) => {
    await read(page)
    await choose(page, "Decline …")
  },
  "decline-sure": async (page) => {
    await read(page)
    await choose(page, "Decline …")
    await press(page, "Continue")
  },
  declined: async (page) => {
    await read(page)
    await choose(page, "Decline …")
    await press(page, "Continue")
    await page
      .getByRole("button", { name: /^Decline/ })
      .last()
      .click()
    await heading(page, /declined/i)
  },
  "done-waiting": (page) => signed(page, { signatures: [{ account_email: ADA }, BEN] }),
  done: async (page) => {
    await signed(page)
    await page.getByRole("link", { name: /Download signed document/ }).waitFor({ timeout: 60_000 })
  },
  "done-exit": (page) => signed(page, {}, "?exitURL=https%3A%2F%2Fapp.example.ch%2Fback"),
  "ended-withdrawn": async (page) => {
    const id = await read(page)
    await office.api.post(`/v3/signature-requests/${id}/withdraw`, { message: "A mistake." })
    await page.reload()
    await heading(page, /withdrawn/i)
  },
  "no-session": async (page) => {
    await read(page)
    await page.context().clearCookies()
    await page.reload()
    await heading(page, /link from your e-mail/i)
  },
}

describe.each(Object.keys(SIZES) as Size[])("signing, %s", (size) => {
  it.each(Object.entries(SCENES))("%s", async (name, scene) => {
    const page = await newPage(office.browser, size)
    await scene(page)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await take(page, size, "signing", name)
    await page.context().close()
  })
})

// The working screen lasts while nobody works: the worker is stopped for it, last of all.
describe("signing, while it is made", () => {
  it.each(Object.keys(SIZES) as Size[])("working, %s", async (size) => {
    const page = await newPage(office.browser, size)
    const { link } = await office.send()
    await page.goto(link)
    await press(page, "Open document")
    await readyToSign(page, NAME)
    await office.service.worker.kill()
    await press(page, "Sign")
    await heading(page, /being made/)
    await take(page, size, "signing", "working")
    await page.context().close()
    await office.service.startWorker()
  })
})
