import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { API, codeMailedTo, codeOf, PASSWORD, registered } from "../service/account.ts"
import { authenticatorOf, PHONE, sign, startBrowser } from "../service/browser.ts"
import { entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"
import { until } from "../service/until.ts"

const SMALL_TARGETS = `Array.from(document.querySelectorAll("button, a, input:not([type=hidden]), select, summary"))
  .map((each) => (each.closest("label") ?? each).getBoundingClientRect())
  .filter(({ width, height }) => height > 0 && (height < 43.5 || width < 43.5))
  .map(({ width, height }) => width + " × " + height)`
const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ["a desktop", { viewport: { width: 1280, height: 800 }, locale: "en" }],
  ["a phone in German", { ...PHONE, locale: "de-CH" }],
  [
    "320 pixels in the dark, in French",
    { viewport: { width: 320, height: 568 }, colorScheme: "dark", locale: "fr" },
  ],
  [
    "a desktop in the dark, in Italian",
    { viewport: { width: 1280, height: 800 }, colorScheme: "dark", locale: "it" },
  ],
]

describe("the pages of a person's own account", () => {
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

  const open = async (path: string, options: BrowserContextOptions = { locale: "en" }): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${service.url}${path}`)
    return page
  }
  /** Logged in, as the same person in another browser. */
  const openAs = async (email: string, path: string, options: BrowserContextOptions = { locale: "en" }) => {
    const who = await registered(service.url, email)
    const context = await browser.newContext(options)
    const cookies = Array.from(who.cookies, ([name, value]) => ({ name, value, url: service.url }))
    await context.addCookies(cookies)
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${service.url}${path}`)
    return page
  }
  const requestFor = async (email: string): Promise<string> => {
    const documentId = await uploadTo(service.caller, "v2")
    return (await openRequest(service.caller, "v2", documentId, { signatures: [entry("v2", email)] })).id
  }

  it("[URL-06] somebody new registers on the way to the document, and signs it", async () => {
    const email = newAddress("web")
    const id = await requestFor(email)
    const page = await open(`/view/${id}`)
    await page.getByRole("link", { name: "Create an account" }).click()
    await page.getByLabel("E-mail address").fill(email)
    const code = await codeMailedTo(email, () => page.getByRole("button", { name: "Send me a code" }).click())
    await page.getByLabel("Code from the e-mail").fill(` ${code.replace(" ", "")} `)
    await page.getByLabel("Your name").fill("François Müller")
    await page.getByLabel("New password").fill(PASSWORD)
    await page.getByRole("button", { name: "Create account", exact: true }).click()
    await page.getByRole("button", { name: "Open document" }).click()
    await page
      .getByRole("img", { name: /page 1/i })
      .first()
      .waitFor()
    await sign(page, "François Müller")
    await until("it is signed", async () => {
      const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED"
    })
    await page.context().close()
  })

  it("tells somebody else that the document is not for them, and lets them be another", async () => {
    const [mine, other] = [newAddress("mine"), newAddress("other")]
    const id = await requestFor(mine)
    await registered(service.url, mine)
    const page = await openAs(other, `/view/${id}`)
    await page.getByText(`You are signed in as`).waitFor()
    expect(await page.textContent("main")).toContain(other)
    await page.getByRole("button", { name: "Use another account" }).click()
    await page.getByLabel("E-mail address").fill(mine)
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByRole("button", { name: "Open document" }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/view/${id}`)
    await page.context().close()
  })

  it("a passkey is made and opens the account, by the browser's own authenticator", async () => {
    const email = newAddress("passkey")
    const page = await openAs(email, "/account/security")
    await authenticatorOf(page)
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await page.getByRole("button", { name: /^Remove/ }).waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    // The browser offers it beside the field of the address by itself, and this one takes it at once.
    await page.waitForURL("**/account/login")
    await page.waitForURL("**/account/security")
    await page.getByText(email).waitFor()
    await page.context().close()
  })

  it("somebody registers with a passkey and no password at all", async () => {
    const email = newAddress("bare")
    const page = await open("/account/register")
    await authenticatorOf(page)
    await page.getByLabel("E-mail address").fill(email)
    const code = await codeMailedTo(email, () => page.getByRole("button", { name: "Send me a code" }).click())
    await page.getByLabel("Code from the e-mail").fill(code)
    await page.getByLabel("Your name").fill("Ada Lovelace")
    await page.getByRole("button", { name: "Use a passkey instead of a password" }).click()
    await page.getByRole("button", { name: "Create account with a passkey" }).click()
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor()
    expect(await page.locator(".codes li").count()).toBe(10)
    await mustBeSoundAndLarge(page, "passkey-recovery-codes")
    await page.getByRole("link", { name: "I have kept them: continue" }).click()
    await page.getByText("You have no password; you sign in with a passkey.").waitFor()
    // The only way in is not taken away.
    expect(await page.getByRole("button", { name: /^Remove/ }).count()).toBe(0)
    // A browser that offers nothing by itself has a button for it.
    await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.getByText(email).waitFor()
    await page.context().close()
  })

  it("an authenticator app is set up by its picture, asked for at the login, and stood in for by a recovery code", async () => {
    const email = newAddress("app")
    const page = await openAs(email, "/account/security")
    await page.getByRole("button", { name: "Set up an app" }).click()
    await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor()
    const secret = ((await page.locator("code").textContent()) ?? "").replace(/\s/g, "")
    await page.getByLabel("Code shown in the app").fill(codeOf(secret))
    await page.getByRole("button", { name: "Switch on" }).click()
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor()
    const recoveryCode = (await page.locator(".codes li").first().textContent()) ?? ""
    await mustBeSoundAndLarge(page, "recovery-codes")
    await page.getByRole("button", { name: "Sign out" }).click()
    const logIn = async (code: string) => {
      await page.getByLabel("E-mail address").fill(email)
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD)
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
      await page.getByLabel("Code from your app").fill(code)
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
    }
    await logIn("000000")
    await page.getByText("The code is wrong or was used before.").waitFor()
    await mustBeSoundAndLarge(page, "second-factor")
    await page.goto(`${service.url}/account/login`)
    await logIn(recoveryCode)
    await page.getByText("You have 9 recovery codes left.").waitFor()
    await page.context().close()
  })

  it("[ASVS 14.3.1] are cleared at the sign-out while the server is away", async () => {
    const email = newAddress("away")
    const page = await openAs(email, "/account/security")
    await page.getByText(email).waitFor()
    await page.route("**/app/api/account/logout", (route) => route.abort())
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "You are not signed out yet" }).waitFor()
    expect(await page.locator("body").textContent()).not.toContain(email)
    await mustBeSoundAndLarge(page, "not-signed-out")
    await page.unroute("**/app/api/account/logout")
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.context().close()
  })

  it("[ASVS 6.2.3] ask for the current password before a new one is kept", async () => {
    const page = await openAs(newAddress("change"), "/account/security")
    await page.getByRole("button", { name: "Change password" }).click()
    const fill = async (current: string) => {
      await page.getByLabel("Current password").fill(current)
      await page.getByLabel("New password").fill("another long walk by a lake")
      await page.getByRole("button", { name: "Save new password" }).click()
    }
    await fill("not the right one")
    await page.getByText("The current password is not right.").waitFor()
    await fill(PASSWORD)
    await page.getByText("Your password is changed").waitFor()
    await page.context().close()
  })

  it("go nowhere else after the login, whatever the address says", async () => {
    const email = newAddress("next")
    await registered(service.url, email)
    const page = await open("/account/login")
    for (const next of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      "/view/\\evil.example",
      "/view//evil.example",
      "javascript:alert(1)",
      "/app/api/account",
    ]) {
      await page.goto(`${service.url}/account/login?next=${encodeURIComponent(next)}`)
      await page.getByLabel("E-mail address").fill(email)
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD)
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
      await page.getByRole("heading", { name: "Your account" }).waitFor()
      expect(page.url()).toBe(`${service.url}/account/security`)
    }
    await page.context().close()
  })

  it.each(SCREENS)("are free of axe's findings and of sideways scrolling on %s", async (name, options) => {
    const shot = (screen: string) => `${screen} ${name}`
    const email = newAddress("sound")
    const page = await openAs(email, "/account/security", options)
    const elsewhere: string[] = []
    page.on("request", (request) => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith("data:"))
        elsewhere.push(request.url())
    })
    await page.locator(".row").first().waitFor()
    await page.locator("details summary").click()
    await page.locator("details li").first().waitFor()
    await mustBeSoundAndLarge(page, shot("security"))
    await page.locator("section[aria-labelledby=totp] button").click()
    await page.locator("section[aria-labelledby=password] button").click()
    await page.locator(".qr").waitFor()
    await mustBeSoundAndLarge(page, shot("security-open"))
    await page.goto(`${service.url}/view/00000000-0000-4000-8000-000000000000`)
    await page.locator("h1").waitFor()
    await mustBeSoundAndLarge(page, shot("wrong"))
    await page.context().clearCookies()
    for (const screen of ["login", "register", "recover"]) {
      await page.goto(`${service.url}/account/${screen}`)
      await page.locator("h1").waitFor()
      await mustBeSoundAndLarge(page, shot(screen))
      if (screen === "login") continue
      await page.locator("input[name=email]").fill(newAddress("nobody"))
      await page.locator("button[type=submit]").click()
      await page.locator("input[name=code]").waitFor()
      await mustBeSoundAndLarge(page, shot(`${screen}-code`))
    }
    expect(elsewhere).toEqual([])
    expect(await page.evaluate("document.documentElement.lang")).toBe((options.locale ?? "en").slice(0, 2))
    await page.context().close()
  })

  it("speaks the language of the document that was asked for, and another one when it is chosen", async () => {
    const id = await requestFor(newAddress("lang"))
    const page = await open(`/view/${id}?lang=it`)
    await page.getByRole("heading", { level: 1, name: "Accedi" }).waitFor()
    await page.getByLabel("Lingua").selectOption("fr")
    await page.getByRole("heading", { level: 1, name: "Connexion" }).waitFor()
    await page.goto(`${service.url}/account/register`)
    await page.getByRole("heading", { level: 1, name: "Créer un compte" }).waitFor()
    await page.context().close()
  })

  it("are walked by keyboard alone, and say in words what went wrong", async () => {
    const page = await open("/account/login")
    await page.locator("h1").waitFor()
    expect(await page.evaluate("document.activeElement?.tagName")).toBe("H1")
    await page.keyboard.press("Tab")
    await page.keyboard.type(newAddress("nobody"))
    await page.keyboard.press("Tab")
    await page.keyboard.type("not the right password")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("That did not work.").waitFor()
    const { status } = await fetch(`${service.url}${API}`)
    expect(status).toBe(401)
    await page.context().close()
  })

  async function mustBeSoundAndLarge(page: Page, what: string): Promise<void> {
    await mustBeSound(page, what)
    const sizes = await page.evaluate(SMALL_TARGETS)
    expect(sizes).toEqual([])
  }
})
