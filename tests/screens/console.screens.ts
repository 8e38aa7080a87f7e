import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, it } from "vitest"
import {
  API,
  codeOf,
  PASSWORD,
  type Person,
  person,
  registered,
  withSecondFactor,
} from "../service/account.ts"
import { type Api, call, type Json } from "../service/api.ts"
import { newPage, SIZES, type Size, take } from "./album.ts"
import { writeContract } from "./contract.ts"
import { type Office, openOffice, TITLE } from "./office.ts"

const MIA = "mia.keller@acme.example"
const COLLEAGUES = [
  ["leo.brunner@acme.example", "Leo Brunner", "admin"],
  ["zoë.favre@acme.example", "Zoë Favre", "developer"],
  ["jan.novak@acme.example", "Jan Novák", "member"],
] as const
const PEOPLE = [{ account_email: "ada.lovelace@example.org" }, { account_email: "ben.muller@example.org" }]

let office: Office
let mia: Person
let olga: Person
/** What Mia has in the console: by name, the id. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  office = await openOffice()
  mia = await registered(office.service.url, MIA, "Mia Keller")
  await join(MIA, "Mia Keller", "owner")
  for (const [email, name, role] of COLLEAGUES) await join(email, name, role)
  olga = await operator()
  await furnish(await apiOf("production"), "production")
  await furnish(await apiOf("demo"), "demo")
})
afterAll(() => office?.close())

const join = (email: string, name: string, role: string) =>
  office.service.paraph(
    "admin",
    "add-member",
    ...["--business", office.business, "--email", email, "--name", name, "--role", role],
  )

/** Who runs the service, works for no business, and came in with an authenticator app. */
async function operator(): Promise<Person> {
  const { service } = office
  const email = "olga@operator.example"
  await service.paraph("admin", "add-operator", "--email", email, "--name", "Olga Operator")
  const { secret } = await withSecondFactor(await registered(service.url, email, "Olga Operator"))
  const who = person(service.url)
  const { body } = await who.post(`${API}/login`, { email, password: PASSWORD })
  await who.post(`${API}/login/second`, { step: body.step, code: codeOf(secret, 1) })
  return who
}

async function apiOf(kind: "demo" | "production"): Promise<Pick<Api, "post">> {
  const { url } = office.service
  const { body } = await mia.post(`${API}/token`, { businessId: office.business, kind })
  const headers = { authorization: `Bearer ${body.token}` }
  return { post: (path, sent) => call(url, "POST", path, sent, headers) }
}

/** Work that is there when somebody looks: requests under way, a draft, a template, a group, a webhook, keys. */
async function furnish(api: Pick<Api, "post">, kind: string): Promise<void> {
  const make = async (path: string, body: object): Promise<Json> => {
    const answer = await api.post(`/v3${path}`, body)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body.message}`)
    return answer.body
  }
  const upload = async (title: string) =>
    (await make("/documents", { title, content: writeContract(2).toString("base64") })).id as string
  const titles = [TITLE, "Employment contract Jan Novák", "Mandate of the caretaker", "Garage 14, addendum"]
  for (const title of titles) {
    const documents = [{ id: await upload(`${title}.pdf`) }]
    const { id } = await make("/signature-requests", {
      title,
      documents,
      signatures: PEOPLE,
      message: "Please sign.",
    })
    await make(`/signature-requests/${id}/initiate`, {})
    ids[`${kind} request`] = id
  }
  const documents = [{ id: await upload("House rules.pdf") }]
  ids[`${kind} draft`] = (
    await make("/signature-requests", { title: "House rules", documents, signatures: PEOPLE })
  ).id
  const tenancy = {
    title: TITLE,
    message: "Welcome!",
    signatures: [{ label: "Tenant" }, { label: "Landlord" }],
  }
  const template = { name: "Tenancy", request: tenancy, document_ids: [await upload("Tenancy.pdf")] }
  ids[`${kind} template`] = (await make("/templates", template)).id
  await make("/groups", {
    name: "Auditors",
    members: [{ email: "vera@audit.example" }, { email: "tom@audit.example" }],
  })
  ids[`${kind} webhook`] = (await make("/webhooks", { url: "https://hooks.example.ch/paraph" })).id
  await make("/api-keys", { name: kind === "demo" ? "Tests of the web shop" : "Web shop", kind })
}

type Scene = { readonly at: string; readonly by?: "olga"; readonly act?: (page: Page) => Promise<unknown> }
const real = (path: string): string => `${path}?business=${office.business}&kind=production`
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click()

const scenes = (): Readonly<Record<string, Scene>> => ({
  overview: { at: real("/") },
  requests: { at: real("/requests") },
  request: { at: real(`/requests/${ids["production request"]}`) },
  send: { at: real("/send") },
  "send-people": { at: `${real(`/send/${ids["production draft"]}`)}&step=people` },
  "send-fields": { at: `${real(`/send/${ids["production draft"]}`)}&step=fields` },
  "send-message": { at: `${real(`/send/${ids["production draft"]}`)}&step=message` },
  "send-review": { at: `${real(`/send/${ids["production draft"]}`)}&step=review` },
  templates: { at: real("/templates") },
  template: { at: real(`/templates/${ids["production template"]}`) },
  usage: { at: real("/usage") },
  groups: { at: real("/groups") },
  members: { at: real("/members") },
  audit: { at: real("/audit") },
  settings: { at: real("/settings/business") },
  branding: { at: real("/settings/branding") },
  retention: { at: real("/settings/retention") },
  "single-sign-on": { at: real("/settings/single-sign-on") },
  keys: { at: "/developers/keys" },
  "key-new": { at: "/developers/keys", act: (page) => press(page, "New key") },
  mails: { at: "/developers/mails" },
  webhooks: { at: "/developers/webhooks" },
  webhook: { at: `/developers/webhooks/${ids["demo webhook"]}` },
  events: { at: "/developers/events" },
  position: { at: "/developers/position" },
  operator: { at: "/operator", by: "olga" },
  "operator-businesses": { at: "/operator/businesses", by: "olga" },
  "operator-mails": { at: "/operator/mails", by: "olga" },
})

describe.each(Object.keys(SIZES) as Size[])("the console, %s", (size) => {
  it("every screen", async () => {
    for (const [name, { at, by, act }] of Object.entries(scenes())) {
      const page = await newPage(office.browser, size)
      const { url } = office.service
      const { cookies } = by === "olga" ? olga : mia
      await page.context().addCookies([...cookies].map(([key, value]) => ({ name: key, value, url })))
      await page.goto(`${url}/console${at}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.waitForLoadState("networkidle")
      await act?.(page)
      await take(page, size, "console", name)
      await page.context().close()
    }
  })
})

const ACCOUNT = ["login", "register", "recover", "security"] as const

describe.each(Object.keys(SIZES) as Size[])("the account, %s", (size) => {
  it.each(ACCOUNT)("%s", async (name) => {
    const page = await newPage(office.browser, size)
    const { url } = office.service
    const cookies = [...mia.cookies].map(([key, value]) => ({ name: key, value, url }))
    if (name === "security") await page.context().addCookies(cookies)
    await page.goto(`${url}/account/${name}`)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await take(page, size, "account", name)
    await page.context().close()
  })
})
