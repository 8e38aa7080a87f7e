import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, it } from "vitest"
import { readyToSign } from "../service/browser.ts"
import { mailsTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { until } from "../service/until.ts"
import { ALL_SIZES, newPage, take } from "./album.ts"
import type { AREAS } from "./journeys.ts"
import { ADA, drawLogo, type Office, openOffice } from "./office.ts"

const NAME = "Ada Lovelace-Łoś"
const BEN = { account_email: "ben.mueller@example.org" }
const BOTH = { signatures: [{ account_email: ADA }, BEN] }
const DAY_MS = 86_400_000
const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

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

/** Requests that nobody ends, so that whoever only looks can share them. */
const shared = new Map<object, Promise<{ readonly id: string; readonly link: string }>>()
const ALONE = {}
const standing = (more: object) => {
  const sent = shared.get(more) ?? office.send(more)
  shared.set(more, sent)
  return sent
}

/** At the door. */
const door = async (page: Page, more: object = ALONE, behind = "") => {
  const { link } = await standing(more)
  await page.goto(link.replace("#", `${behind}#`))
}

const open = async (page: Page, word = "Open document") => {
  await press(page, word)
  await page.locator("[data-page] img").first().waitFor()
}

/** Before the document. */
const read = async (page: Page, more: object = ALONE, behind = "", word?: string) => {
  await door(page, more, behind)
  await open(page, word)
}

const toLook = async (page: Page) => {
  await read(page)
  await press(page, "Continue to sign")
  await page.getByLabel("Your name").fill(NAME)
  await page.waitForLoadState("networkidle")
}

/** Of a request of their own, which ends with it. */
const sign = async (page: Page, more: object = {}, behind = "") => {
  const sent = await office.send(more)
  await page.goto(sent.link.replace("#", `${behind}#`))
  await open(page)
  await readyToSign(page, NAME)
  await press(page, "Sign")
  await heading(page, /you signed/i)
  return sent
}

/** As a hand does it: a tall first letter, smaller ones, and a line below. */
const scribble = async (page: Page) => {
  const box = await page.getByRole("img", { name: /area to draw in/i }).boundingBox()
  if (box === null) throw new Error("There is no canvas to draw on.")
  const go = (x: number, y: number) => page.mouse.move(box.x + x * box.width, box.y + y * box.height)
  await go(0.12, 0.7)
  await page.mouse.down()
  for (let step = 0; step <= 90; step += 1) {
    const along = step / 90
    const height = 0.34 * (1 - along) ** 1.6 + 0.07
    const turn = step * 0.52
    await go(0.14 + 0.62 * along + 0.035 * Math.sin(turn), 0.52 + height * Math.cos(turn + 0.9))
  }
  await page.mouse.up()
  await go(0.2, 0.84)
  await page.mouse.down()
  for (let step = 0; step <= 20; step += 1) await go(0.2 + step * 0.032, 0.84 - 0.05 * Math.sin(step / 6))
  await page.mouse.up()
}

const decline = async (page: Page) => {
  const { link } = await office.send()
  await page.goto(link)
  await open(page)
  await choose(page, "Decline …")
}

type Scene = (page: Page) => Promise<unknown>

const DOOR: Readonly<Record<string, Scene>> = {
  mail: async (page) => {
    await standing(ALONE)
    const mail = await until("the invitation is there", async () =>
      (await mailsTo(ADA)).filter(({ text }) => text.includes(office.service.url)).at(0),
    )
    await page.setContent(mail.html)
  },
  door: (page) => door(page, UNTIL),
  "door-german": (page) => door(page, ALONE, "?lang=de"),
  "door-turn": async (page) => {
    const { id, link } = await office.send({ signatures: [{ account_email: ADA, sequence: 2 }] })
    await office.api.post(`/v3/signature-requests/${id}/signatures`, { ...BEN, sequence: 1 })
    await page.goto(link)
  },
  "door-signed": async (page) => {
    const { link } = await sign(page)
    await page.goto(link)
  },
  "door-withdrawn": async (page) => {
    const { id, link } = await office.send()
    await office.api.post(`/v3/signature-requests/${id}/withdraw`, {})
    await page.goto(link)
  },
  "door-unknown": (page) =>
    page.goto(`${office.service.url}/sign/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`),
}
const UNTIL = { ...BOTH, expires_at: day(40) }

const READ: Readonly<Record<string, Scene>> = {
  read: (page) => read(page, UNTIL),
  "read-about": async (page) => {
    await read(page, UNTIL)
    await page.locator("summary").first().click()
  },
  "read-french": (page) => read(page, ALONE, "?lang=fr", "Ouvrir le document"),
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
    const documents = []
    for (const title of TITLES) documents.push({ id: await office.upload(title, 1) })
    const { link } = await office.send({ documents })
    await page.goto(link)
    await open(page)
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
  preview: async (page) => {
    const signer = { email_address: "chiara.rossi@example.org", first_name: "Chiara", last_name: "Rossi" }
    const { body } = await office.api.post("/v2/signature-requests", {
      title: "Rental agreement",
      document_id: await office.upload(),
      signatures: [{ signer_identity_data: signer }],
    })
    await page.goto(body.signatures[0].signing_url)
    await open(page)
    await press(page, "Continue to sign")
    await page.getByLabel("Your name").fill("Chiara Rossi")
    const use = page.getByRole("button", { name: "Use this signature" })
    if (await use.isVisible()) await use.click()
    await press(page, "Send the code")
    await page.getByLabel("Code of six digits").waitFor()
  },
}
const TITLES = ["Rental agreement", "House rules", "Inventory of the flat", "Parking space"]

const SIGN: Readonly<Record<string, Scene>> = {
  place: async (page) => {
    await read(page)
    await choose(page, "Move the signature …")
    await press(page, /^Line for a signature.*\(1\)$/)
  },
  "look-type": toLook,
  "look-draw": async (page) => {
    await toLook(page)
    await page.getByRole("tab", { name: "Draw" }).click()
    await scribble(page)
    await page.locator(".preview > *").waitFor()
  },
  "look-upload": async (page) => {
    await toLook(page)
    await page.getByRole("tab", { name: "Upload" }).click()
  },
  confirm: async (page) => {
    await read(page)
    await readyToSign(page, NAME)
  },
  "done-waiting": (page) => sign(page, BOTH),
  done: async (page) => {
    await sign(page)
    await page.getByRole("link", { name: /Download signed document/ }).waitFor({ timeout: 30_000 })
  },
  "done-exit": (page) => sign(page, {}, "?exitURL=https%3A%2F%2Fapp.example.org%2Fback"),
}

const END: Readonly<Record<string, Scene>> = {
  decline,
  "decline-sure": async (page) => {
    await decline(page)
    await press(page, "Continue")
  },
  declined: async (page) => {
    await decline(page)
    await press(page, "Continue")
    await press(page, /^Decline for everyone –/)
    await heading(page, /declined/i)
  },
  "ended-withdrawn": async (page) => {
    const { id, link } = await office.send()
    await page.goto(link)
    await open(page)
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

type Name = keyof (typeof AREAS)["signing"]
const SCENES = Object.entries({ ...DOOR, ...READ, ...SIGN, ...END }) as [Name, Scene][]

describe.each(ALL_SIZES)("signing, %s", (size) => {
  it.each(SCENES)("%s", async (name, scene) => {
    const page = await newPage(office.browser, size)
    await scene(page)
    await page.locator("h1").first().waitFor()
    await take(page, size, "signing", name)
    await page.context().close()
  })
})

// What changes the service for everybody comes last.
describe("signing, with a face, without a worker, and later", () => {
  it.each(ALL_SIZES)("working, %s", async (size) => {
    const page = await newPage(office.browser, size)
    const { link } = await office.send()
    await page.goto(link)
    await open(page)
    await readyToSign(page, NAME)
    await office.service.worker.kill()
    await press(page, "Sign")
    await heading(page, /being made/)
    await take(page, size, "signing", "working")
    await page.context().close()
    await office.service.startWorker()
  })

  it("with the logo and the colour of the business", async () => {
    const owner = await memberApi(office.service, "owner", { business: office.business })
    await owner.put("/v3/settings/logo", await drawLogo(office.browser), { "content-type": "image/png" })
    await owner.patch("/v3/settings", { branding: { accent: "#0b5d5b" } })
    const { link } = await office.send()
    for (const size of ALL_SIZES) {
      const page = await newPage(office.browser, size)
      await page.goto(link)
      await take(page, size, "signing", "door-branded")
      await page.context().close()
    }
  })

  it("after the last day", async () => {
    const { id, link } = await office.send({ expires_at: day(1) })
    office.service.moveClock(3 * DAY_MS)
    const status = `select status from signature_request where id = '${id}'`
    await until("it has expired", async () => (await office.service.sql(status)) === "EXPIRED")
    for (const size of ALL_SIZES) {
      const page = await newPage(office.browser, size)
      await page.goto(link)
      await take(page, size, "signing", "door-expired")
      await page.context().close()
    }
  })
})
