import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, it } from "vitest"
import { operatorOf, type Person, registered } from "../service/account.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { withStream } from "../service/validation.ts"
import { ALL_SIZES, newPage, type Size, take } from "./album.ts"
import { writeContract } from "./contract.ts"
import { deskOf, furnish, giveHistory } from "./furniture.ts"
import type { AREAS } from "./journeys.ts"
import { drawLogo, mustBeTaken, type Office, openOffice, TITLE } from "./office.ts"

const COLLEAGUES = [
  ["leo.brunner@acme.example", "Leo Brunner", "admin"],
  ["zoe.favre@acme.example", "Zoë Favre", "developer"],
] as const

let office: Office
let receiver: Receiver
let people: Readonly<Record<"mia" | "olga" | "nora", Person>>
/** What Mia has in the console: by name, the id. */
let real: Record<string, string> = {}
let test: Record<string, string> = {}
/** What Jan signed, as everybody has it. */
let signed: Buffer

beforeAll(async () => {
  office = await openOffice()
  const mia = await hired("mia.keller@acme.example", "Mia Keller", "owner")
  for (const [email, name, role] of COLLEAGUES) await hired(email, name, role)
  await join("jan.novak@acme.example", "Jan Novák", "member")
  const { operator: olga } = await operatorOf(office.service, "olga@operator.example", "Olga Meier")
  people = { mia, olga, nora: await newcomer() }
  // One event that its receiver does not take, so that there is something to look into.
  receiver = await startReceiver(({ text }) => ({ status: text.includes("signature.opened") ? 503 : 204 }))
  real = await furnish(office, await deskOf(office, mia, "production"), "production", receiver.url)
  test = await furnish(office, await deskOf(office, mia, "demo"), "demo", receiver.url)
  signed = await signedOf(mia, real.signed ?? "")
  await giveHistory(office)
  await giveFace(mia)
})
afterAll(async () => {
  await office?.close()
  await receiver?.close()
})

async function hired(email: string, name: string, role: string): Promise<Person> {
  const who = await registered(office.service.url, email, name)
  await join(email, name, role)
  return who
}

const join = (email: string, name: string, role: string, business = office.business) =>
  office.service.paraph(
    ...["admin", "add-member", "--business", business, "--email", email, "--name", name, "--role", role],
  )

/** Whose business began today. */
async function newcomer(): Promise<Person> {
  const who = await registered(office.service.url, "nora@garden.example", "Nora Weiss")
  const { business = "" } = await office.service.paraph("admin", "create-business", "--name", "Garden GmbH")
  await join("nora@garden.example", "Nora Weiss", "owner", business)
  return who
}

async function giveFace(mia: Person): Promise<void> {
  const desk = await deskOf(office, mia, "production")
  mustBeTaken(
    await desk.put("/settings/logo", await drawLogo(office.browser), { "content-type": "image/png" }),
  )
  mustBeTaken(
    await desk.patch("/settings", {
      branding: { accent: "#0b5d5b" },
      exit_origins: ["https://app.example.org", "https://tenants.example.org"],
      embed_origins: [],
    }),
  )
}

async function signedOf(who: Person, request: string): Promise<Buffer> {
  const desk = await deskOf(office, who, "production")
  const { documents } = mustBeTaken(await desk.get(`/signature-requests/${request}`))
  return (await desk.get(`/documents/${documents[0].version_id}/content`)).bytes
}

/** Somebody would rather have three days than three months. */
function forged(): Buffer {
  const [, stream = ""] = /\n6 0 obj\n.*?stream\n(.*?)\nendstream/s.exec(signed.toString("latin1")) ?? []
  return withStream(signed, 6, stream.replace("three months", "three days"))
}

type Scene = {
  readonly at: string
  /** Mia, unless another is named; and for real, unless as a test. */
  readonly by?: "olga" | "nora"
  readonly kind?: "demo"
  readonly act?: (page: Page) => Promise<unknown>
}
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click()
const pressing = (name: string) => (page: Page) => press(page, name)
const step = (name: string) => `/send/${real.draft}?step=${name}`
const paper = (page: Page) => page.getByRole("img", { name: /^Picture of page/ }).first()
const test_ = (at: string, act?: Scene["act"]): Scene => ({
  at: `/developers${at}`,
  kind: "demo",
  ...(act && { act }),
})
const operating = (at: string, act?: Scene["act"]): Scene => ({
  at: `/operator${at}`,
  by: "olga",
  ...(act && { act }),
})

const validating = (buffer: Buffer, verdict: string, look?: Scene["act"]): Scene => ({
  at: "/validate",
  act: async (page) => {
    const file = { name: "Employment contract Jan Novák.pdf", mimeType: "application/pdf", buffer }
    await page.locator("input[type=file]").setInputFiles(file)
    await page.getByRole("heading", { name: verdict, exact: true }).waitFor()
    await look?.(page)
  },
})

const SCENES: Readonly<Record<keyof (typeof AREAS)["console"], () => Scene>> = {
  overview: () => ({ at: "/" }),
  requests: () => ({ at: "/requests" }),
  "requests-none": () => ({ at: "/requests?search=Lighthouse" }),
  request: () => ({ at: `/requests/${real.request}` }),
  "request-signed": () => ({ at: `/requests/${real.signed}` }),
  "request-declined": () => ({ at: `/requests/${real.declined}` }),
  "request-signer": () => ({ at: `/requests/${real.request}`, act: pressing("Add a signer") }),
  "request-withdraw": () => ({ at: `/requests/${real.request}`, act: pressing("Withdraw") }),
  first: () => ({ at: "/", by: "nora" }),
  send: () => ({ at: "/send" }),
  "send-documents": () => ({ at: step("documents") }),
  "send-people": () => ({ at: step("people") }),
  "send-fields": () => ({
    at: step("fields"),
    act: async (page) => {
      await paper(page).waitFor()
      await page
        .getByRole("button", { name: /^Field for/ })
        .first()
        .scrollIntoViewIfNeeded()
    },
  }),
  "send-message": () => ({ at: step("message") }),
  "send-review": () => ({ at: step("review") }),
  validate: () => ({ at: "/validate" }),
  "validate-valid": () => validating(signed, "Valid"),
  "validate-changed": () =>
    validating(forged(), "Not valid", (page) => page.getByText("Since then").scrollIntoViewIfNeeded()),
  templates: () => ({ at: "/templates" }),
  template: () => ({ at: `/templates/${real.template}` }),
  "template-use": () => ({ at: `/templates/${real.template}`, act: pressing("Use") }),
  groups: () => ({ at: "/groups" }),
  group: () => ({ at: `/groups/${real.group}` }),
  members: () => ({ at: "/members" }),
  "member-new": () => ({ at: "/members", act: pressing("Invite a member") }),
  usage: () => ({ at: "/usage" }),
  audit: () => ({ at: "/audit" }),
  settings: () => ({ at: "/settings/business" }),
  branding: () => ({ at: "/settings/branding" }),
  retention: () => ({ at: "/settings/retention" }),
  origins: () => ({ at: "/settings/origins" }),
  "single-sign-on": () => ({ at: "/settings/single-sign-on" }),
  keys: () => test_("/keys"),
  "key-new": () => test_("/keys", pressing("Create a key")),
  "key-once": () =>
    test_("/keys", async (page) => {
      await press(page, "Create a key")
      await page.getByRole("textbox", { name: "Name" }).fill("Payroll, staging")
      await press(page, "Create the key")
      await page.getByTestId("secret").waitFor()
    }),
  mails: () => test_("/mails"),
  mail: () =>
    test_("/mails", async (page) => {
      await page
        .getByRole("link", { name: new RegExp(TITLE) })
        .first()
        .click()
      await page.frameLocator("iframe").getByRole("link").first().waitFor()
      await page.waitForTimeout(500)
    }),
  webhooks: () => test_("/webhooks"),
  webhook: () => test_(`/webhooks/${test.webhook}`),
  events: () => test_("/events"),
  position: () => test_("/position"),
  "position-box": () =>
    test_("/position", async (page) => {
      const file = { name: "Rental agreement.pdf", mimeType: "application/pdf", buffer: writeContract(1) }
      await page.locator("input[type=file]").setInputFiles(file)
      const { width = 0 } = (await paper(page).boundingBox()) ?? {}
      await paper(page).click({ position: { x: 0.3 * width, y: 0.62 * width } })
    }),
  operator: () => operating("/overview"),
  "operator-businesses": () => operating("/businesses"),
  "operator-business": () =>
    operating("/businesses", async (page) => {
      await page.getByRole("link", { name: /Acme Immobilien/ }).click()
      await page.getByRole("heading", { name: "API keys" }).waitFor()
    }),
  "operator-mails": () => operating("/mails"),
  "operator-jobs": () => operating("/jobs"),
  "operator-audit": () => operating("/audit"),
}

/** The console, as the person has left it: their business, for real or as a test. */
async function open(size: Size, { at, by, kind, act }: Scene): Promise<Page> {
  const page = await newPage(office.browser, size)
  const { url } = office.service
  await page
    .context()
    .addCookies([...people[by ?? "mia"].cookies].map(([name, value]) => ({ name, value, url })))
  await page.addInitScript(`localStorage.setItem("paraph.kind", "${kind ?? "production"}")`)
  await page.goto(`${url}/console${at}`)
  await page.getByRole("heading", { level: 1 }).first().waitFor()
  await page.waitForLoadState("networkidle")
  await act?.(page)
  return page
}

const NAMES = Object.keys(SCENES) as (keyof typeof SCENES)[]

describe.each(ALL_SIZES)("the console, %s", (size) => {
  it.each(NAMES)("%s", async (name) => {
    const page = await open(size, SCENES[name]())
    await take(page, size, "console", name)
    await page.context().close()
  })
})
