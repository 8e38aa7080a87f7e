import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import type { Browser, BrowserContextOptions, Page, Response } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { changingRoutes } from "../../apps/server/src/testing/changing-routes.ts"
import { openLink, PHONE, pressSign, readyToSign, startBrowser } from "../service/browser.ts"
import { startForeignSite } from "../service/foreign-site.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { dumpWords, type Service, startService } from "../service/service.ts"
import { pathOf } from "../service/signer.ts"
import { mustBeSound } from "../service/sound.ts"
import { until } from "../service/until.ts"

const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ["a desktop", { viewport: { width: 1280, height: 800 } }],
  ["a phone in the dark", { ...PHONE, colorScheme: "dark" }],
  ["320 pixels", { viewport: { width: 320, height: 640 } }],
]

describe("the pages on which people sign", () => {
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

  const invite = async (more: object = {}) => {
    const signer = newAddress("web")
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Mietvertrag für François Müller",
      message: "Hello <b>Ada</b>,\nplease sign.",
      content: contractPdf("Read me.", 3).toString("base64"),
      signatures: [{ account_email: signer }],
      ...more,
    })
    return { id: body.id as string, link: await linkMailedTo(signer) }
  }

  it.each(SCREENS)(
    "are free of axe's findings and of sideways scrolling on %s, from the door to the end",
    async (_, options) => {
      const page = await openLink(browser, (await invite()).link, options)
      await mustBeSound(page)
      await eachWayToRead(page)
      await page.getByRole("button", { name: "More choices" }).click()
      await mustBeSound(page)
      await page.getByRole("button", { name: /^Decline/ }).click()
      await mustBeSound(page)
      await page.getByRole("button", { name: "Continue", exact: true }).click()
      await mustBeSound(page)
      await page.keyboard.press("Escape")
      await readyToSign(page, "François Müller")
      await mustBeSound(page)
      await pressSign(page)
      await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
      await mustBeSound(page)
      await page.context().close()
    },
  )

  it.each(SCREENS)("so are the sheets in which a signature is placed and made, on %s", async (_, options) => {
    const page = await openLink(browser, (await invite()).link, options)
    await page.getByRole("button", { name: "More choices" }).click()
    await page.getByRole("button", { name: /the signature.* …$/i }).click()
    await page.getByRole("heading", { name: "Where should your signature appear?" }).waitFor()
    await mustBeSound(page)
    await page.getByRole("button", { name: "Place it here" }).click()
    await page.getByRole("button", { name: "Continue to sign" }).click()
    for (const tab of ["Type", "Draw", "Upload"]) {
      await page.getByRole("tab", { name: tab }).click()
      await mustBeSound(page)
    }
    await page.context().close()
  })

  it.each(SCREENS)("the door itself too, on %s", async (_, options) => {
    const page = await (await browser.newContext({ locale: "en", ...options })).newPage()
    await page.goto((await invite()).link)
    await page.getByRole("button", { name: "Open document" }).waitFor()
    await mustBeSound(page)
    // What the sender wrote is shown as words, never as markup.
    expect(await page.getByText("Hello <b>Ada</b>").count()).toBe(1)
    await page.goto(`${service.url}/sign/unknown`)
    await mustBeSound(page)
    await page.context().close()
  })

  it("say calmly what has become of a request, and are sound then", async () => {
    const { id, link } = await invite()
    const page = await openLink(browser, link)
    await service.caller.post(`/v2/signature-requests/${id}/withdraw`, { message: "A mistake." })
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "This request was withdrawn" }).waitFor()
    await mustBeSound(page)
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole("heading", { level: 1, name: /open the link from your e-mail/i }).waitFor()
    await mustBeSound(page)
    await page.context().close()
  })

  it("weigh at most 110 kB before the first page, the sheet 25 kB, and ask nobody but us for anything", async () => {
    const page = await (await browser.newContext({ locale: "en" })).newPage()
    const foreign: string[] = []
    const complaints: string[] = []
    page.on("request", (request) => request.url().startsWith(service.url) || foreign.push(request.url()))
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    const response = await page.goto((await invite()).link)
    const policy = response?.headers()["content-security-policy"] ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe/)

    const atDoor = weigh(page)
    await page.getByRole("button", { name: "Open document" }).click()
    await page.locator("[aria-busy=false] img").first().waitFor()
    const bytes = await atDoor()
    expect(bytes).toBeLessThanOrEqual(110_000)
    expect(bytes).toBeGreaterThan(50_000)

    const atSheet = weigh(page)
    await page.getByRole("button", { name: "Continue to sign" }).click()
    await page.getByRole("tab", { name: "Draw" }).click()
    expect(await atSheet()).toBeLessThanOrEqual(25_000)
    await page.waitForLoadState("networkidle")
    expect(foreign).toEqual([])
    expect(complaints).toEqual([])
    // The token is gone from the address, and with it from history and screenshots.
    expect(page.url()).toBe(`${service.url}/app/`)
    await page.context().close()
  })

  describe("beside a site of somebody else", () => {
    let site: Awaited<ReturnType<typeof startForeignSite>>
    beforeAll(async () => {
      site = await startForeignSite()
    })
    afterAll(() => site?.close())

    it("[R25] are shown in no frame of it, and its window keeps no hold on ours", async () => {
      const { link } = await invite()
      const person = (await openLink(browser, link)).context()
      const shown = [link, "/app/", "/account/login", "/account/security", "/console/", "/verify/"]
      const addresses = [...shown.map((each) => new URL(each, service.url).href), `${site.url}/own`]
      site.show("/frames", addresses.map((each) => `<iframe src="${each}"></iframe>`).join(""))
      const page = await person.newPage()
      await page.goto(`${site.url}/frames`, { waitUntil: "load" })
      // What a browser shows in the place of a page that refuses; a page of the site's own it does show.
      const refused = "chrome-error://chromewebdata/"
      const wanted = [...shown.map(() => refused), `${site.url}/own`].join(" ")
      const inside = () => page.frames().slice(1)
      await until("each frame has been decided", () => inside().every((frame) => frame.url() !== ""))
      expect(
        inside()
          .map((frame) => frame.url())
          .join(" "),
      ).toBe(wanted)
      const coming = person.waitForEvent("page")
      await page.evaluate(`void (window.opened = open(${JSON.stringify(link)}))`)
      const popup = await coming
      await popup.getByRole("button", { name: "Open document" }).waitFor()
      expect(await popup.evaluate("[window.opener, isSecureContext].join()")).toBe(",true")
      await until("the one window has lost the other", () => page.evaluate("window.opened.closed"))
      await person.close()
    })

    it("[R27] take no word of it, with the person's cookies in the browser, on any route that changes something", async () => {
      const { routes } = await changingRoutes()
      const { id, link } = await invite()
      const person = (await openLink(browser, link)).context()
      const kept = () => service.sql(stateOf(id))
      const before = await kept()
      const page = await person.newPage()
      const logged = service.api.log().length
      /** What the server has answered since, by method and route: browsers do not tell the page. */
      const answers = () =>
        service.api
          .log()
          .slice(logged)
          .split("\n")
          .filter((line) => line.startsWith("{") && line.endsWith("}"))
          .map((line) => JSON.parse(line) as { method?: string; route?: string; status?: number })
          .filter(({ route, method }) => routes.some((each) => each.url === route && each.method === method))
      const pathname = pathOf(link)
      const posts = routes.filter(({ method }) => method === "POST")
      const asked = posts.map(({ url }) =>
        url === "/sign/:token" ? pathname : url.replaceAll(/:\w+/g, () => crypto.randomUUID()),
      )
      await page.goto(`${site.url}/`)
      // What needs no leave of ours to be sent: other methods, and JSON, a browser asks for first, and is told nothing.
      for (const path of asked) await page.evaluate(posting, service.url + path)
      await until("each was answered", () =>
        posts.every(({ url }) => answers().some(({ route }) => route === url)),
      )
      for (const { method, url } of routes.filter(({ method }) => method !== "POST")) {
        const address = service.url + url.replaceAll(/:\w+/g, () => crypto.randomUUID())
        expect(
          await page.evaluate(`fetch(${JSON.stringify(address)}, { method: "${method}",
          credentials: "include" }).then(() => "sent", () => "kept back")`),
        ).toBe("kept back")
      }
      // And as a form in the whole window, which is how a cookie would come along most easily.
      site.show("/form", `<form method="post" action="${service.url}${pathname}"><button>Win</button></form>`)
      await page.goto(`${site.url}/form`)
      await page.getByRole("button", { name: "Win" }).click()
      await page.waitForURL(`${service.url}${pathname}`)
      const statuses = new Set(answers().map(({ status }) => status))
      expect([posts.length > 35, [...statuses]]).toEqual([true, [403]])
      expect(await kept()).toBe(before)
      await person.close()
    })

    it("[ASVS 14.2.1] say what to do where no script runs, and open links of before", async () => {
      const { link } = await invite()
      for (const javaScriptEnabled of [false, true]) {
        const context = await browser.newContext({ locale: "en", javaScriptEnabled })
        const page = await context.newPage()
        await page.goto(javaScriptEnabled ? service.url + pathOf(link) : link)
        if (javaScriptEnabled) await page.getByRole("button", { name: "Open document" }).waitFor()
        else await page.getByText("Please turn JavaScript on").waitFor()
        await context.close()
      }
    })

    it("[R06] [R28] [R39] [ASVS 14.2.1] tell it no address that holds a token, nor their own logs, nor the database", async () => {
      const { link } = await invite()
      const token = new URL(link).hash.slice(1)
      expect(token.length).toBeGreaterThanOrEqual(22)
      const context = await browser.newContext({ locale: "en" })
      const page = await context.newPage()
      const asked: string[] = []
      page.on("request", (request) => asked.push(request.url()))
      await page.goto(link)
      await page.getByRole("button", { name: "Open document" }).waitFor()
      await page.evaluate(`location.assign(${JSON.stringify(`${site.url}/from-the-door`)})`)
      await page.waitForURL(`${site.url}/from-the-door`)
      await page.goto(link)
      await page.getByRole("button", { name: "Open document" }).click()
      await page
        .getByRole("img", { name: /page 1/i })
        .first()
        .waitFor()
      // ASVS 14.2.1: no request has the secret in its address.
      expect(asked.filter((url) => new URL(url).href.replace(/#.*/s, "").includes(token))).toEqual([])
      const history = await page.evaluate("[location.href, document.referrer, name].join(' ')")
      await page.evaluate(`location.assign(${JSON.stringify(`${site.url}/from-the-pages`)})`)
      await page.waitForURL(`${site.url}/from-the-pages`)
      const visits = site.visits.filter(({ path }) => path.startsWith("/from-"))
      expect(visits.map(({ path }) => path)).toEqual(["/from-the-door", "/from-the-pages"])
      for (const { headers } of visits) expect(headers.referer).toBeUndefined()
      const [session] = (await context.cookies(service.url)).filter(({ name }) => name.endsWith("-signer"))
      expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" })
      const places = { history, logs: service.api.log() + service.worker.log(), database: await wholeDump() }
      expect(places.database).toContain("CREATE TABLE public.signing_link")
      for (const [place, text] of Object.entries(places))
        for (const secret of [token, session?.value ?? token, service.caller.token, service.demoKey])
          expect([place, String(text).includes(secret)]).toEqual([place, false])
      await context.close()
    })

    /** All of it, with the queue of jobs and what they are about. */
    const wholeDump = async () =>
      (await run("pg_dump", [...dumpWords(service.env.DATABASE_OWNER_URL)], { maxBuffer: 500_000_000 }))
        .stdout
  })
})

const run = promisify(execFile)

const posting = (address: string) =>
  fetch(address, { method: "POST", mode: "no-cors", credentials: "include", body: "x=1" }).catch(() => null)

const stateOf = (id: string) => `select (select count(*) from evidence where request_id = '${id}'),
  (select count(*) from event), (select count(*) from signer_session), (select count(*) from account),
  (select xmin from signature_request where id = '${id}'),
  (select xmin from signature where request_id = '${id}')`

/** The pages as words, larger, and as the browser's own PDF engine draws them. */
async function eachWayToRead(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Read as text" }).click()
  await page.getByText("Read me. Page 1.").waitFor()
  await mustBeSound(page)
  await page.getByRole("button", { name: "Larger" }).click()
  await mustBeSound(page)
  await page.getByRole("button", { name: "More choices" }).click()
  await page.getByRole("button", { name: "Show the exact PDF" }).click()
  await page.locator("canvas").first().waitFor()
  await mustBeSound(page)
  await page.getByRole("button", { name: "Smaller" }).click()
  await page.getByRole("button", { name: "More choices" }).click()
  await page.getByRole("button", { name: "Show the pages" }).click()
}

/** From now on: how many bytes of page, style and script are fetched, as small as gzip makes them, each file once. */
function weigh(page: Page): () => Promise<number> {
  const addresses = new Set<string>()
  const add = (response: Response) => {
    const type = response.headers()["content-type"] ?? ""
    if (response.status() === 200 && /html|css|javascript/.test(type)) addresses.add(response.url())
  }
  page.on("response", add)
  return async () => {
    page.off("response", add)
    // Asked for once more: the browser forgets the body of what it was led away from.
    const answers = await Promise.all([...addresses].map((address) => page.request.get(address)))
    const bodies = await Promise.all(answers.map((answer) => answer.body()))
    return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  }
}
