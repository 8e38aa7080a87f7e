import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { writeStory } from "@paraph/evidence/story"
import { samplePdf } from "@paraph/pades/sample"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { later, type ToldWorld, toldWorld } from "../../packages/verifying/src/testing/told-world.ts"
import { PHONE, SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { mustBeSoundInBoth, mustFit } from "../service/sound.ts"

const VERIFY = resolve(import.meta.dirname, "../../apps/verify")
const BUILT = join(VERIFY, "dist/verify.html")

describe("the page that checks without us, opened from a disk without a network", {
  timeout: 300_000,
}, () => {
  let browser: Browser
  let told: ToldWorld
  let folder: string
  const at = (name: string) => join(folder, name)

  beforeAll(async () => {
    // Of the sources of today, whenever it was built last.
    await promisify(execFile)(process.execPath, [join(VERIFY, "src/build/main.ts")])
    ;[browser, told] = await Promise.all([startBrowser(), toldWorld()])
    folder = mkdtempSync(join(tmpdir(), "paraph-verify-page-"))
    const changed = Buffer.from(told.contract)
    changed.write("X", changed.indexOf("A contract"), "latin1")
    const { world } = told
    const first = world.sign(later(0), samplePdf(), { fieldName: "One" })
    const place = { page: 0, x: 50, y: 50, width: 100, height: 40 }
    const second = world.sign(later(0), first, { fieldName: "Two", place })
    for (const [name, content] of [
      ["contract.pdf", told.contract],
      ["twice.pdf", await world.raise(second, "B-LTA", later(0))],
      ["changed.pdf", changed],
      ["report.pdf", told.report],
      ["story.json", writeStory(told.story)],
      ["forged.json", writeStory(told.story).replace("Ada", "Eve")],
      ["root.der", told.root],
    ] as const)
      writeFileSync(at(name), content)
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })

  /** Whatever is asked for besides the file itself, and whatever goes wrong, ends up in `noticed`. */
  async function open(options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: "en", offline: true, ...options })
    const page = await context.newPage()
    const noticed: string[] = []
    page.on("request", (request) => {
      if (!request.url().startsWith("file:") && !request.url().startsWith("blob:"))
        noticed.push(request.url())
    })
    page.on("pageerror", (error) => noticed.push(String(error)))
    page.on("console", (message) => noticed.push(message.text()))
    await page.goto(pathToFileURL(BUILT).href)
    return { page, noticed }
  }

  const give = (page: Page, ...names: readonly string[]) =>
    page.locator("#files").setInputFiles(names.map(at))
  const headline = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 2, name })
  const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

  async function trust(page: Page): Promise<void> {
    await page.getByText("Whom do you trust?").click()
    await page.locator("#roots").setInputFiles(at("root.der"))
    await page.getByText("root.der").waitFor()
    await page.getByLabel("Published key of the log").fill(told.keyLine)
    await page.getByLabel("Published key of the log").blur()
  }

  /** As from a folder of the desktop. */
  async function drop(page: Page, name: string): Promise<void> {
    const content = readFileSync(at(name)).toString("base64")
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob("${content}"), (character) => character.charCodeAt(0))
      transfer.items.add(new File([bytes], "${name}"))
      return transfer
    })()`)
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: data })
  }

  it("says that contract, report and story hold, by whom and when, to whoever brings whom they trust", async () => {
    const { page, noticed } = await open()
    await mustBeSoundInBoth(page, "verify-empty")
    await trust(page)
    await drop(page, "contract.pdf")
    await headline(page, "Everything that was checked holds.").waitFor()
    await drop(page, "report.pdf")
    await part(page, "The story in report.pdf").waitFor()
    await headline(page, "Everything that was checked holds.").waitFor()
    const contract = (await part(page, "contract.pdf").textContent()) ?? ""
    expect(contract).toContain("Event 4 of the story names exactly this file")
    expect(contract).toMatch(/Signed by\s*Ada/)
    expect(contract).toContain("16 November 2026, 12:00:00 UTC (proved by a time-stamp)")
    const story = part(page, "The story in report.pdf")
    await story.getByText("The head of the log is signed with the key that you gave.").waitFor()
    await story.getByText("What happened (5)").click()
    await story.getByText("3. Signer agreed to sign").waitFor()
    await mustBeSoundInBoth(page, "verify-holds")
    expect(noticed).toEqual([])
    await page.context().close()
  })

  it("without anybody trusted says what cannot be said, and which key to compare", async () => {
    const { page, noticed } = await open(PHONE)
    await give(page, "contract.pdf", "story.json")
    await headline(page, "Nothing wrong was found, but not everything can be said.").waitFor()
    await page.getByText("You have not said whom you trust.").waitFor()
    await page.getByText("this only shows that the story agrees with itself").waitFor()
    await page.getByText(told.keyLine).waitFor()
    await mustBeSoundInBoth(page, "verify-unsure-phone")
    await page.setViewportSize(SMALL_PHONE.viewport ?? { width: 320, height: 568 })
    await mustFit(page, "verify-unsure-small-phone")
    expect(noticed).toEqual([])
    await page.context().close()
  })

  it("[B1] says that it draws no page, where a page had to be compared", async () => {
    const { page, noticed } = await open()
    await trust(page)
    await give(page, "twice.pdf")
    await headline(page, "Nothing wrong was found, but not everything can be said.").waitFor()
    await page.getByText("nothing here draws pages to compare them").waitFor()
    await part(page, "twice.pdf").getByText("Not all changed pages could be compared").first().waitFor()
    expect(noticed).toEqual([])
    await page.context().close()
  })

  it("says what does not hold, of a PDF and of a story", async () => {
    const { page, noticed } = await open()
    await trust(page)
    await give(page, "changed.pdf")
    await headline(page, "Something does not hold. Do not rely on it.").waitFor()
    await part(page, "changed.pdf")
      .getByText("The document is not the one that was signed.")
      .first()
      .waitFor()
    await page.getByRole("button", { name: "Start again" }).click()
    await headline(page, /./).waitFor({ state: "detached" })
    await give(page, "forged.json")
    await page
      .getByText("Event 3 is not in the log as it is told here: it was altered, or made up.")
      .waitFor()
    await mustBeSoundInBoth(page, "verify-fails")
    expect(noticed).toEqual([])
    await page.context().close()
  })

  it("speaks the language of whoever opens it, and another when asked", async () => {
    for (const [locale, title, words] of [
      [
        "de-CH",
        "Eine Signatur prüfen",
        "Es wurde nichts Falsches gefunden, aber nicht alles lässt sich sagen.",
      ],
      ["fr-CH", "Vérifier une signature", "Rien de faux n’a été trouvé, mais tout ne peut pas être affirmé."],
      ["it-CH", "Verificare una firma", "Non è stato trovato nulla di falso, ma non tutto si può affermare."],
    ] as const) {
      const { page } = await open({ ...PHONE, locale })
      expect(await page.title()).toBe(title)
      await give(page, "contract.pdf", "report.pdf")
      await headline(page, words).waitFor()
      expect(await page.locator("html").getAttribute("lang")).toBe(locale.slice(0, 2))
      await mustBeSoundInBoth(page, `verify-${locale}`)
      await page.locator("#language").selectOption("en")
      await headline(page, "Nothing wrong was found, but not everything can be said.").waitFor()
      await page.context().close()
    }
  })

  it("works by the keyboard alone, and saves the report for programs", async () => {
    const { page, noticed } = await open()
    await page.keyboard.press("Tab")
    expect(await focused(page)).toBe("language")
    await page.keyboard.press("Tab")
    expect(await focused(page)).toBe("files")
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Space")])
    await chooser.setFiles(at("contract.pdf"))
    await headline(page, /Nothing wrong was found/).waitFor()
    // Whoever listens hears the answer first.
    await expect.poll(() => focused(page)).toBe("headline")
    const save = page.getByRole("button", { name: "Save the report for programs (XML): contract.pdf" })
    await save.focus()
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")])
    expect(download.suggestedFilename()).toBe("contract.xml")
    const xml = readFileSync(await download.path(), "utf8")
    expect(xml).toContain("http://uri.etsi.org/19102/v1.4.1#")
    expect(noticed).toEqual([])
    await page.context().close()
  })

  it("refuses what is no certificate and no key, in words, and trusts neither", async () => {
    const { page } = await open()
    await page.getByText("Whom do you trust?").click()
    await page.locator("#roots").setInputFiles(at("story.json"))
    await page.getByText("This is no certificate in PEM or DER: story.json").waitFor()
    await page.getByLabel("Published key of the log").fill("nonsense")
    await page.getByLabel("Published key of the log").blur()
    await page.getByText("This is no key of a log.").waitFor()
    await mustBeSoundInBoth(page, "verify-wrong-trust")
    await page.context().close()
  })

  it("cannot send anything, even where there is a network and a script would", async () => {
    const { page } = await open({ offline: false })
    const refused = await page.evaluate(`(async () => {
      const violations = []
      document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective))
      await fetch("http://127.0.0.1:9/").catch(() => undefined)
      const picture = new Image()
      picture.src = "http://127.0.0.1:9/a.png"
      const script = document.createElement("script")
      script.textContent = "globalThis.wasRun = true"
      document.body.append(picture, script)
      while (violations.length < 3) await new Promise((wake) => setTimeout(wake, 10))
      return [...violations, String(globalThis.wasRun)].sort()
    })()`)
    expect(refused).toEqual(["connect-src", "img-src", "script-src-elem", "undefined"])
    await page.context().close()
  })
})

const focused = (page: Page): Promise<string> => page.evaluate("document.activeElement?.id ?? ''")
