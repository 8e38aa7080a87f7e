import { readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Browser, BrowserContextOptions, Page, Response } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Person } from "../service/account.ts"
import { PHONE, SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { encryptedPdf } from "../service/odd-pdfs.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type SealingService, startSealing } from "../service/sealing.ts"
import { startService } from "../service/service.ts"
import { sendForSignature, signBy } from "../service/signed.ts"
import { mustBeSoundInBoth } from "../service/sound.ts"
import { until } from "../service/until.ts"
import { changedAfterwards, sealed } from "../service/validation.ts"
import { button, heading, member, openConsole, tabTo } from "./console-page.ts"

const asFile = (name: string, buffer: Buffer) => ({ name, mimeType: "application/pdf", buffer })

describe("the page where anybody validates a document", { timeout: 300_000 }, () => {
  let service: SealingService
  let browser: Browser
  let mia: Person
  let signed: Buffer
  let twice: Buffer
  let changed: Buffer
  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startSealing({ validation: true }), startBrowser()])
    // Of all roles the one that may the least.
    mia = await member(service, newAddress("mia"), "member")
    signed = await sealed(service.caller, contractPdf("Rent: 1500 francs a month.", 1))
    twice = await sealed(service.caller, signed)
    changed = changedAfterwards(signed, "Rent: 9500 francs a month.")
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const open = (options?: BrowserContextOptions, query = "") =>
    openConsole(browser, service, mia, `/console/validate${query}`, options)
  const give = (page: Page, file: ReturnType<typeof asFile> | string) =>
    page.locator("input[type=file]").setInputFiles(file)
  const verdict = (page: Page, word: string) =>
    page.getByRole("heading", { level: 2, name: word, exact: true })
  const signer = (page: Page, name = "Demo: Acme AG") => page.getByRole("article", { name })

  it("says that a document which was signed here is valid, by whom, when, and how that is known", async () => {
    const page = await open()
    await page.getByRole("link", { name: "Validate", exact: true }).first().waitFor()
    await heading(page, "Validate a document").waitFor()
    await page.getByText("PDF, up to 50 MB").waitFor()
    await page.getByText("A test costs nothing.").waitFor()
    await page.getByText("The document is not kept.").waitFor()
    await mustBeSoundInBoth(page, "validate-choose")
    await give(page, asFile("Lease.pdf", twice))
    await verdict(page, "Valid").waitFor()
    await page.getByText("All 2 signatures are genuine, and what was signed has not been altered.").waitFor()
    await page.getByText("(TOTAL-PASSED)").first().waitFor()
    await page.getByText("Lease.pdf").waitFor()
    expect(await signer(page).count()).toBe(2)
    const first = signer(page).first()
    const said = (await first.textContent()) ?? ""
    expect(said).toMatch(new RegExp(`${new Date().getFullYear()}.*(UTC|GMT|CE)`))
    for (const words of [
      "Proved by a time-stamp.",
      "Advanced (AES)",
      "All that is needed to check it in years is in the document (LTV).",
    ])
      expect(said).toContain(words)
    expect(said).toContain("Nothing was changed that matters.")
    await first.getByText("Certificate and details").click()
    await first.getByText("PAdES-BASELINE-LT").waitFor()
    await mustBeSoundInBoth(page, "validate-valid")
    // Nothing of it is in the browser's memory for later.
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    expect(kept).not.toMatch(/Lease|Acme AG|TOTAL/)
    await page.context().close()
  })

  it("names the person whom the service signed for, and says that the certificate is not theirs", async () => {
    const content = contractPdf("Rent: 1500 francs a month.", 1).toString("base64")
    const { body: made } = await service.caller.post("/v2/documents", { title: "Lease", content })
    const { id, signer: email } = await sendForSignature(service, made.id)
    const { document_id } = await signBy(service, id, email)
    const { bytes } = await service.caller.get(`/v2/documents/${document_id}/content`)
    const page = await open()
    await give(page, asFile("Lease.pdf", bytes))
    await verdict(page, "Valid").waitFor()
    const card = page.getByRole("article")
    await card
      .getByText("The signature names “Ada Lovelace”; the certificate does not confirm that name.")
      .waitFor()
    await card.getByText("Simple (SES)").waitFor()
    expect(await card.getByRole("heading", { level: 3 }).textContent()).not.toContain("Ada")
    await mustBeSoundInBoth(page, "validate-person")
    await page.context().close()
  })

  it("does not call valid what was changed after it was signed, and shows before, after and where", async () => {
    const page = await open()
    await give(page, asFile("Lease.pdf", changed))
    await verdict(page, "Not valid").waitFor()
    await page.getByText("(TOTAL-FAILED, FORMAT_FAILURE)").first().waitFor()
    expect(await verdict(page, "Valid").count()).toBe(0)
    const card = signer(page)
    await card.getByText("Page 1 looks different from when it was signed.").last().scrollIntoViewIfNeeded()
    await until("all three pictures are drawn", async () => (await card.locator(".page img").count()) === 3)
    await card.getByText(/What was changed: \d+ place/).click()
    await card.getByText("/Pages/Kids[0]/Contents").first().waitFor()
    await mustBeSoundInBoth(page, "validate-changed")

    const thumb = button(page, "Show large: Page 1 as it was signed")
    await thumb.focus()
    await page.keyboard.press("Enter")
    const large = page.getByRole("dialog", { name: "Page 1" })
    await large.getByRole("img", { name: "Page 1 as it was signed" }).waitFor()
    await large.getByRole("button", { name: "Now", exact: true }).click()
    await large.getByRole("img", { name: "Page 1 as it is now" }).waitFor()
    await large.getByRole("button", { name: "Difference" }).click()
    await large.getByRole("img", { name: "Page 1: where the two differ is marked" }).waitFor()
    await mustBeSoundInBoth(page, "validate-large")
    await page.keyboard.press("Escape")
    await large.waitFor({ state: "detached" })
    expect(await thumb.and(page.locator(":focus")).count()).toBe(1)
    await page.context().close()
  })

  it("is done by keys alone, and everybody hears how far it is and how it ends", async () => {
    const page = await open()
    const choose = button(page, "Choose a file")
    // Asked for well before the key is pressed: until the browser has heard of it, a picker opens that nobody sees.
    const picking = page.waitForEvent("filechooser")
    await tabTo(page, choose)
    await page.keyboard.press("Enter")
    await page.evaluate(`globalThis.heard = []; new MutationObserver(() => {
      for (const each of document.querySelectorAll("[role=status]"))
        if (each.textContent !== "") globalThis.heard.push(each.textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`)
    await (await picking).setFiles(asFile("Lease.pdf", signed))
    await verdict(page, "Valid").waitFor()
    await until("the verdict has the focus", async () => {
      return (await verdict(page, "Valid").and(page.locator(":focus")).count()) === 1
    })
    expect(await page.evaluate("globalThis.heard.join()")).toContain("The signatures are being looked at …")
    const details = page.locator("summary", { hasText: "Certificate and details" })
    await tabTo(page, details)
    await page.keyboard.press("Enter")
    await page.getByText("Serial number").waitFor()
    await tabTo(page, button(page, "Delete the result now"))
    await page.keyboard.press("Enter")
    await page.getByText("The result is deleted.").waitFor()
    await until("the title has the focus", async () => {
      return (await heading(page, "Validate a document").and(page.locator(":focus")).count()) === 1
    })
    await tabTo(page, choose)
    await page.context().close()
  })

  it("hands over the reports for people and for programs and the answer, and forgets the result when it is told to", async () => {
    const page = await open()
    await give(page, asFile("Lease.pdf", signed))
    await verdict(page, "Valid").waitFor()
    const save = async (name: string) => {
      const coming = page.waitForEvent("download")
      await button(page, name).click()
      const download = await coming
      return [download.suggestedFilename(), await readFile(await download.path(), "utf8")] as const
    }
    const [pdfName, pdf] = await save("Report to read (PDF)")
    expect([pdfName, pdf.slice(0, 5)]).toEqual(["Lease – validation.pdf", "%PDF-"])
    const [xmlName, xml] = await save("Report for programs (ETSI, XML)")
    expect([xmlName, xml.slice(0, 5)]).toEqual(["Lease – validation.xml", "<?xml"])
    const [jsonName, json] = await save("Answer for programs (JSON)")
    const answer = JSON.parse(json)
    expect([jsonName, answer.valid, answer.additionalInfos.signer.length]).toEqual([
      "Lease – validation.json",
      true,
      1,
    ])
    const left = () => service.sql(`select count(*) from validation where id = '${answer.id}'`)
    expect(await left()).toBe("1")
    await button(page, "Delete the result now").click()
    await page.getByText("The result is deleted.").waitFor()
    expect(await left()).toBe("0")
    await page.getByText("Drop a PDF here").waitFor()
    await page.context().close()
  })

  it("says in plain words what carries no signature, is no PDF, or is too large", async () => {
    const page = await open(PHONE)
    await give(page, asFile("Letter.pdf", contractPdf("Nobody signed this.", 1)))
    await verdict(page, "No signature").waitFor()
    await page.getByText("This document carries no electronic signature.").waitFor()
    expect(await page.getByRole("article").count()).toBe(0)
    await mustBeSoundInBoth(page, "validate-unsigned-phone")
    await button(page, "Validate another").click()
    await give(page, asFile("Letter.pdf", Buffer.from("Dear Sir or Madam")))
    await page.getByRole("alert").getByText("Letter.pdf: This file cannot be read as a PDF.").waitFor()
    await mustBeSoundInBoth(page, "validate-refused-phone")
    await give(page, asFile("Secret.pdf", await encryptedPdf("password")))
    await page.getByRole("alert").getByText("Secret.pdf: This PDF is protected with a password").waitFor()
    const large = join(tmpdir(), `paraph-large-${process.pid}.pdf`)
    await writeFile(large, pdfOfSize(50_000_001))
    try {
      await give(page, large)
      await page.getByRole("alert").getByText("Up to 50 MB can be validated here.").waitFor()
    } finally {
      await rm(large)
    }
    await page.context().close()
  })

  it("takes a file that is dropped, beside the zone too, where the browser would have left the page", async () => {
    const counted = Number(await service.sql("select count(*) from validation"))
    const page = await open()
    for (const place of [".drop", "h1"]) {
      await page.locator(".drop").waitFor()
      // In the words of the page, which has more names than Node.
      const dropped = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer()
        const bytes = Uint8Array.from(atob("${signed.toString("base64")}"), (letter) => letter.charCodeAt(0))
        transfer.items.add(new File([bytes], "Dropped.pdf", { type: "application/pdf" }))
        return transfer
      })()`)
      await page.dispatchEvent(place, "drop", { dataTransfer: dropped })
      await verdict(page, "Valid").waitFor()
      await page.getByText("Dropped.pdf").waitFor()
      await button(page, "Validate another").click()
    }
    // Once each: neither was taken twice.
    expect(await service.sql("select count(*) from validation")).toBe(String(counted + 2))
    await page.context().close()
  })

  it("can be cancelled while the file is on its way", async () => {
    const page = await open()
    await page.getByText("Drop a PDF here").waitFor()
    const network = await page.context().newCDPSession(page)
    await network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 50_000,
    })
    await give(page, asFile("Slow.pdf", pdfOfSize(2_000_000)))
    await page.getByRole("heading", { name: "Slow.pdf" }).waitFor()
    await page.getByText("Uploading …").first().waitFor()
    await mustBeSoundInBoth(page, "validate-running")
    await button(page, "Cancel").click()
    await page.getByText("Drop a PDF here").waitFor()
    expect(await page.getByRole("alert").getByText(/./).count()).toBe(0)
    await page.context().close()
  })

  it("speaks German on a phone, and changes its language with the result on the screen", async () => {
    const page = await open({ ...PHONE, locale: "de" })
    await heading(page, "Dokument prüfen").waitFor()
    await mustBeSoundInBoth(page, "validate-choose-german")
    await give(page, asFile("Mietvertrag.pdf", changed))
    await verdict(page, "Nicht gültig").waitFor()
    const why = "Nach dieser Signatur wurde das Dokument auf eine Weise geändert, die keine Regel erklärt"
    await page.getByText(why).first().waitFor()
    await page.locator("figure").first().scrollIntoViewIfNeeded()
    await until("the pictures are drawn", async () => (await page.locator(".page img").count()) === 3)
    await mustBeSoundInBoth(page, "validate-changed-german")
    await page.getByRole("button", { name: /^Konto und Einstellungen/ }).click()
    await page.getByRole("menuitemradio", { name: "Français" }).click()
    await verdict(page, "Non valable").waitFor()
    await page.getByText("Après cette signature").first().waitFor()
    await page.context().close()
    // The narrowest that there is.
    const small = await open({ ...SMALL_PHONE, locale: "it" })
    await give(small, asFile("Contratto.pdf", twice))
    await verdict(small, "Valida").waitFor()
    await mustBeSoundInBoth(small, "validate-valid-italian")
    await small.context().close()
  })

  it("tells what is left of this month before it begins, and does not begin where nothing is", async () => {
    const agree = (included: string) =>
      service.paraph(
        ...["admin", "set-credits", "--business", service.business, "--price", "2", "--included", included],
      )
    const real = await sealed(service.production, contractPdf("For real.", 1))
    await agree("unlimited")
    const page = await open({}, "?kind=production")
    await page.getByText("A validation costs 2 credits. There is no limit this month.").waitFor()
    await agree("3")
    await page.reload()
    await page.getByText("A validation costs 2 credits. 3 credits are left this month.").waitFor()
    await give(page, asFile("Real.pdf", real))
    await verdict(page, "Valid").waitFor()
    await button(page, "Validate another").click()
    await page.getByText("Not enough credits are left this month").waitFor()
    await page.getByText("1 credit is left this month.").waitFor()
    expect(await button(page, "Choose a file").count()).toBe(0)
    await mustBeSoundInBoth(page, "validate-used-up")
    // Whoever had the page open all the while is refused in words.
    await agree("4")
    await page.reload()
    await page.getByText("2 credits are left this month.").waitFor()
    await agree("3")
    await give(page, asFile("Real.pdf", real))
    await page.getByRole("alert").getByText("The credits of this month are used up.").waitFor()
    await page.context().close()
  })

  it("weighs at most 250 kB compressed, asks nobody but us, and keeps to the policy of the console", async () => {
    const page = await (await open({}, "/../icon.svg")).context().newPage()
    const files: Response[] = []
    const bad: string[] = []
    page.on("console", (message) => message.type() === "error" && bad.push(message.text()))
    page.on("request", (request) => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith("blob:"))
        bad.push(request.url())
    })
    page.on("response", (response) => /\/console\//.test(response.url()) && files.push(response))
    await page.goto(`${service.url}/console/validate`)
    await give(page, asFile("Lease.pdf", changed))
    await page.locator("figure").first().scrollIntoViewIfNeeded()
    await until("the pictures are drawn", async () => (await page.locator(".page img").count()) === 3)
    const bodies = await Promise.all(files.map((file) => file.body()))
    const weight = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
    expect(weight).toBeGreaterThan(50_000)
    expect(weight).toBeLessThan(250_000)
    expect(bad).toEqual([])
    await page.context().close()
  })

  it("says so where the service has no such role", async () => {
    const without = await startService()
    try {
      const who = await member(without, newAddress("max"), "member")
      const page = await openConsole(browser, without, who, "/console/validate")
      await page.getByText("This service does not offer validation").waitFor()
      expect(await button(page, "Choose a file").count()).toBe(0)
      await mustBeSoundInBoth(page, "validate-none")
      await page.context().close()
    } finally {
      await without.close()
    }
  })
})
