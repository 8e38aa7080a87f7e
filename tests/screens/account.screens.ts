import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, it } from "vitest"
import { codeMailedTo, PASSWORD, type Person, registered, withSecondFactor } from "../service/account.ts"
import { ALL_SIZES, newPage, take } from "./album.ts"
import type { AREAS } from "./journeys.ts"
import { type Office, openOffice } from "./office.ts"

const ADA = "ada.lovelace@example.org"
const BEN = "ben.mueller@example.org"

let office: Office
let ada: Person
beforeAll(async () => {
  office = await openOffice()
  ada = await registered(office.service.url, ADA, "Ada Lovelace")
  await withSecondFactor(await registered(office.service.url, BEN, "Ben Müller"))
})
afterAll(() => office?.close())

type Scene = (page: Page) => Promise<unknown>
const go = (page: Page, path: string) => page.goto(`${office.service.url}/account/${path}`)
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const login = async (page: Page, email: string, password: string) => {
  await go(page, "login")
  await page.getByLabel("E-mail address").fill(email)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await press(page, "Sign in")
}
const security = async (page: Page) => {
  const { url } = office.service
  await page.context().addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url })))
  await go(page, "security")
  await page.getByRole("heading", { name: "Authenticator app" }).waitFor()
}

const SCENES: Readonly<Record<keyof (typeof AREAS)["account"], Scene>> = {
  login: (page) => go(page, "login"),
  "login-wrong": async (page) => {
    await login(page, ADA, "not the right one")
    await page.getByRole("alert").first().waitFor()
  },
  "login-second": async (page) => {
    await login(page, BEN, PASSWORD)
    await page.getByLabel("Code from your app").waitFor()
  },
  register: (page) => go(page, "register"),
  "register-code": async (page) => {
    await go(page, "register")
    await page.getByLabel("E-mail address").fill("chiara.rossi@example.org")
    await codeMailedTo("chiara.rossi@example.org", () => press(page, "Send me a code"))
    await page.getByLabel("Code from the e-mail").waitFor()
  },
  recover: (page) => go(page, "recover"),
  security,
  "security-app": async (page) => {
    await security(page)
    await press(page, "Set up an app")
    await page.getByRole("img", { name: /QR code/ }).scrollIntoViewIfNeeded()
  },
}

const NAMES = Object.keys(SCENES) as (keyof typeof SCENES)[]

describe.each(ALL_SIZES)("the account, %s", (size) => {
  it.each(NAMES)("%s", async (name) => {
    const page = await newPage(office.browser, size)
    await SCENES[name](page)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.waitForLoadState("networkidle")
    await take(page, size, "account", name)
    await page.context().close()
  })
})
