import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { addMember, codeOf, PASSWORD, registered, withSecondFactor } from "../service/account.ts"
import { PHONE, SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { CLIENT, type IdentityProvider, startProvider } from "../service/identity-provider.ts"
import { memberApi } from "../service/members.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"
import { button, openConsole } from "./console-page.ts"

const DOMAIN = "acme-web.example"
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, locale: "en" }

let service: Service
let provider: IdentityProvider
let browser: Browser
beforeAll(async () => {
  service = await startService({ env: { IDENTITY_ALLOWED_HOSTS: "localhost" } })
  provider = await startProvider([`${service.url}/account/sso/callback/${service.business}`], (login) => ({
    email: login,
    email_verified: login !== `unverified@${DOMAIN}`,
    name: "Ada Lovelace",
  }))
  await service.paraph("admin", "grant-domain", "--business", service.business, "--domain", DOMAIN)
  await set({})
  browser = await startBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await service?.close()
  await provider?.close()
})

async function set(more: object): Promise<void> {
  const owner = await memberApi(service, "owner")
  const wanted = { issuer: provider.issuer, ...CLIENT, enforced: false, join: "member", ...more }
  expect((await owner.put("/v3/settings/single-sign-on", wanted)).status).toBe(200)
}

/** The provider's certificate is of the stack's own authority. */
async function open(path: string, options = DESKTOP): Promise<Page> {
  const page = await (await browser.newContext({ ignoreHTTPSErrors: true, ...options })).newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(`${service.url}${path}`)
  return page
}

it("somebody writes their address, goes to their business's own sign-in, and comes back into the account", async () => {
  const page = await open("/account/login?next=%2Faccount%2Fsecurity")
  await page.getByLabel("E-mail address").fill(`ada@${DOMAIN}`)
  await page.getByRole("status").getByText("Acme AG").waitFor()
  // The password is still another way, as long as the business allows it.
  await page.getByLabel("Password", { exact: true }).waitFor()
  await page.getByRole("button", { name: /^Continue with .Acme AG.$/ }).click()
  await page.getByRole("heading", { name: "Login of Acme" }).waitFor()
  expect(await page.getByLabel("Who are you?").inputValue()).toBe(`ada@${DOMAIN}`)
  await page.getByRole("button", { name: "That is me" }).click()
  await page.getByRole("heading", { name: "Your account" }).waitFor()
  await page.getByText(`ada@${DOMAIN}`).waitFor()
  // What opens the account is not theirs to change, and the page says why.
  await page.getByRole("button", { name: "Set up an app" }).click()
  await page.getByText("You signed in through your business.").first().waitFor()
  await page.context().close()
})

it("is asked for the authenticator app too, and says it where the provider does not vouch for the address", async () => {
  const email = `app@${DOMAIN}`
  const { secret } = await withSecondFactor(await registered(service.url, email))
  await addMember(service, email)
  const page = await open("/account/login")
  const goThere = async (address: string) => {
    await page.getByLabel("E-mail address").fill(address)
    await page.getByRole("button", { name: /^Continue with/ }).click()
    await page.getByRole("button", { name: "That is me" }).click()
  }
  await goThere(email)
  await page.getByLabel("Code from your app").fill(codeOf(secret))
  expect(page.url()).not.toContain("#")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.getByRole("heading", { name: "Your account" }).waitFor()
  await page.context().clearCookies()
  await page.goto(`${service.url}/account/login`)
  await goThere(`unverified@${DOMAIN}`)
  await page.getByRole("alert").getByText("does not confirm your e-mail address").waitFor()
  await mustBeSound(page, "sso-trouble")
  await page.context().close()
})

it.each<[string, BrowserContextOptions]>([
  ["desktop", DESKTOP],
  ["phone-german", { ...PHONE, locale: "de-CH" }],
  ["small-dark-french", { ...SMALL_PHONE, locale: "fr", colorScheme: "dark" }],
  ["desktop-dark-italian", { ...DESKTOP, locale: "it", colorScheme: "dark" }],
])("is free of axe's findings on %s, with a password beside it and without", async (name, options) => {
  const page = await open("/account/login", options)
  const write = async () => {
    await page.locator("input[name=email]").fill(`ada@${DOMAIN}`)
    await page.getByRole("status").getByText("Acme AG").waitFor()
  }
  await write()
  await page.locator("input[name=password]").waitFor()
  await mustBeSound(page, `sso-login-${name}`)
  await service.sql("update single_sign_on set enforced = true")
  try {
    await page.reload()
    await write()
    await page.locator("input[name=password]").waitFor({ state: "detached" })
    await mustBeSound(page, `sso-enforced-${name}`)
    // Enter is enough.
    await page.locator("input[name=email]").press("Enter")
    await page.getByRole("heading", { name: "Login of Acme" }).waitFor()
  } finally {
    await service.sql("update single_sign_on set enforced = false")
  }
  await page.context().close()
})

it("is set up in the console by an owner who signed in a moment ago, and who comes back there after doing so", async () => {
  const email = newAddress("owner")
  const who = await registered(service.url, email)
  await addMember(service, email, "owner")
  const page = await openConsole(browser, service, who, "/console/settings/single-sign-on")
  const fill = async () => {
    await page.getByLabel("Client ID").fill(CLIENT.client_id)
    await page.getByLabel("Client secret").fill(CLIENT.client_secret)
  }
  await page.getByLabel("Address of the issuer").waitFor()
  await fill()
  await service.sql(`update account_session s set created_at = now() - interval '16 minutes' from account a
    where a.id = s.account_id and a.email = '${email}'`)
  await button(page, "Save").click()
  await page.getByText("For this you must have signed in a moment ago.").waitFor()
  await mustBeSound(page, "sso-sign-in-again")
  await button(page, "Sign in again").click()
  await page.locator("input[name=email]").fill(email)
  await page.locator("input[name=password]").fill(PASSWORD)
  await page.locator("input[name=password]").press("Enter")
  await page.waitForURL("**/console/settings/single-sign-on")
  await page.getByLabel("Address of the issuer").waitFor()
  await fill()
  await button(page, "Save").click()
  await page.getByText("Saved.").waitFor()
  // The secret was sent, and does not come back.
  await page.reload()
  expect(await page.getByLabel("Address of the issuer").inputValue()).toBe(provider.issuer)
  expect(await page.getByLabel("Client secret").inputValue()).toBe("")
  await button(page, "Switch off").click()
  await button(page, "Switch off").last().click()
  await page.getByText("Single sign-on is off.").waitFor()
  const left = await service.sql("select count(*) from single_sign_on")
  expect(left.trim()).toBe("0")
  await page.context().close()
})
