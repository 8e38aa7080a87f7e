import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, PHONE, pressSign, readyToSign, sign, startBrowser } from "../service/browser.ts"
import { judge, pdfsigOf } from "../service/judges.ts"
import { textOf } from "../service/looks.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { mustBeSound } from "../service/sound.ts"
import { until } from "../service/until.ts"

const COUNT = 50
const NAMES = ["Ada Lovelace", "Grace Hopper"]

describe("much to read, and several who sign", () => {
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

  it("fifty documents are found by their titles, opened one after the other, and signed by one press", async () => {
    const email = newAddress("many")
    const documents = []
    for (let number = 1; number <= COUNT; number += 1)
      documents.push({ id: await uploadTo(service.caller, "v3", `Paper ${number}`) })
    const { body } = await service.caller.post("/v3/signature-requests", {
      title: "Papers",
      documents,
      signatures: [{ account_email: email }],
    })
    await service.caller.post(`/v3/signature-requests/${body.id}/initiate`, undefined)

    const page = await openLink(browser, await linkMailedTo(email), PHONE)
    await page.getByText(`1 of ${COUNT} opened`).last().waitFor()
    await page.getByRole("button", { name: /Documents$/ }).click()
    await mustBeSound(page)
    await page.getByRole("searchbox").fill("PAPER 35")
    await page.getByRole("button", { name: /Paper 35/ }).click()
    await page.getByRole("heading", { level: 2, name: "Paper 35" }).waitFor()
    await page.getByText(`2 of ${COUNT} opened`).last().waitFor()
    expect(await page.getByRole("button", { name: "Continue to sign" }).count()).toBe(0)
    await sign(page, "Ada Lovelace", COUNT)
    await page.getByRole("link", { name: /Download all as ZIP/ }).waitFor({ timeout: 200_000 })
    await mustBeSound(page)
    await page.context().close()
    await until("the request is signed", async () => {
      const { body: now } = await service.caller.get(`/v3/signature-requests/${body.id}`)
      return now.status_overall === "SIGNED"
    })
  }, 300_000)

  it("of two hundred pages only those are fetched that are near, and the last one can be signed", async () => {
    const email = newAddress("long")
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "A long contract",
      content: contractPdf("Read me.", 200).toString("base64"),
      signatures: [{ account_email: email }],
    })
    const page = await openLink(browser, await linkMailedTo(email), PHONE)
    const fetched = new Set<number>()
    page.on("request", (request) => {
      const index = /\/pages\/(\d+)\?/.exec(request.url())?.[1]
      if (index !== undefined) fetched.add(Number(index))
    })
    await page.getByLabel("Page number, of 200").fill("200")
    await page.keyboard.press("Enter")
    const last = page.locator("section[data-page='199']")
    await last.and(page.locator("[aria-busy=false]")).waitFor()
    await last.getByText("Read me. Page 200.").waitFor()
    expect(await last.getByRole("img").evaluate((image) => image.getBoundingClientRect().top < 844)).toBe(
      true,
    )
    expect(fetched.size).toBeLessThan(12)
    await mustBeSound(page)
    await sign(page, "Ada Lovelace")
    await page.context().close()
    const pdf = await signedPdf(body.id)
    expect(await pdfsigOf(pdf)).toEqual(["Signature is Valid."])
    expect((await textOf(pdf))[199]).toContain("Ada Lovelace")
  })

  it("two people who press at the same time both have signed in the end, and both signatures are valid", async () => {
    const emails = [newAddress("one"), newAddress("other")]
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Rental agreement",
      content: contractPdf("Read me.", 2).toString("base64"),
      signatures: emails.map((account_email) => ({ account_email })),
    })
    const links = await Promise.all(emails.map(linkMailedTo))
    const pages = await Promise.all(links.map((link) => openLink(browser, link, PHONE)))
    await Promise.all(pages.map((page, index) => readyToSign(page, NAMES[index] ?? "")))
    await Promise.all(pages.map(pressSign))
    const done = { level: 1, name: /you signed/i } as const
    await Promise.all(pages.map((page) => page.getByRole("heading", done).waitFor({ timeout: 150_000 })))
    const pdf = await signedPdf(body.id)
    for (const page of pages) {
      // The one who was first saw that somebody was still to sign, and was told to do nothing more.
      await page.reload()
      await page.getByText("Everyone has signed. The document is complete.").waitFor()
      await page.context().close()
    }
    const { pdfsig, pyhanko } = await judge(pdf)
    expect(pdfsig).toEqual(["Signature is Valid.", "Signature is Valid."])
    expect(pyhanko.map(({ valid, intact }) => valid && intact)).toEqual([true, true])
    const words = (await textOf(pdf)).join("")
    for (const name of NAMES) expect(words).toContain(name)
  })

  const signedPdf = async (id: string): Promise<Buffer> => {
    const { document_id } = await until("the request is signed", async () => {
      const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED" && body
    })
    return (await service.caller.get(`/v2/documents/${document_id}/content`)).bytes
  }
})
