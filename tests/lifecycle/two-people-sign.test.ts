import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, pressSign, readyToSign, sign, startBrowser } from "../service/browser.ts"
import { judge } from "../service/judges.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

describe("two people sign", () => {
  let service: Service
  let receiver: Receiver
  let browser: Browser

  beforeAll(async () => {
    service = await startService()
    receiver = await startReceiver()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await receiver?.close()
    await service?.close()
  })

  const requestFor = async (tag: string, signatures: object[]) => {
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: `Contract, ${tag}`,
      content: contractPdf("For two.", 2).toString("base64"),
      signatures,
      callback_success_url: `${receiver.url}/${tag}/success/SERVICE_DOCUMENT_ID`,
      callback_update_url: `${receiver.url}/${tag}/update/SERVICE_DOCUMENT_ID`,
      callback_error_url: `${receiver.url}/${tag}/error`,
    })
    return body.id as string
  }
  const read = async (id: string) => (await service.caller.get(`/v2/signature-requests/${id}`)).body
  const signedPdf = async (id: string) =>
    (await service.caller.get(`/v2/documents/${(await read(id)).document_id}/content`)).bytes
  const callbacksOf = (tag: string) =>
    receiver.received.map((c) => c.path).filter((path) => path.startsWith(`/${tag}/`))

  it("[SR-11 v2] [ST-02 v2] [EVT-03 v2] in order: the second is written to and may sign only after the first", async () => {
    const first = `first-${Date.now()}@example.org`
    const second = `second-${Date.now()}@example.org`
    const id = await requestFor("in-order", [
      { account_email: second, sequence: 20 },
      { account_email: first, sequence: 10 },
    ])
    const firstPage = await openLink(browser, await linkMailedTo(first))
    expect(await mailsTo(second)).toHaveLength(0)
    await sign(firstPage, "First Person")

    await until("the update callback comes", () => callbacksOf("in-order").length === 1)
    const halfway = await read(id)
    expect(halfway.status_overall).toBe("OPEN")
    expect(callbacksOf("in-order")).toEqual([`/in-order/update/${halfway.document_id}`])

    await sign(await openLink(browser, await linkMailedTo(second)), "Second Person")
    await until("the success callback comes", () => callbacksOf("in-order").length === 2)
    const finished = await read(id)
    expect(finished.status_overall).toBe("SIGNED")
    expect(callbacksOf("in-order")[1]).toBe(`/in-order/success/${finished.document_id}`)
    const verdict = await judge(await signedPdf(id))
    expect(verdict.pdfsig).toEqual(["Signature is Valid.", "Signature is Valid."])
    expect(verdict.pyhanko.map((s) => s.bottomLine)).toEqual([true, true])
    expect(verdict.openssl).toBe("CAdES Verification successful")
  })

  it("[SR-11 v2] [ST-10 v2] at once: both press “Sign” in the same second, and the PDF holds both, valid", async () => {
    const people = ["left", "right"].map((who) => `${who}-${Date.now()}@example.org`)
    const id = await requestFor(
      "at-once",
      people.map((account_email) => ({ account_email })),
    )
    const pages = await Promise.all(people.map(async (who) => openLink(browser, await linkMailedTo(who))))
    await Promise.all(pages.map((page, index) => readyToSign(page, `Person ${index}`)))
    await Promise.all(pages.map(pressSign))
    await Promise.all(
      pages.map((page) => page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()),
    )

    await until("both callbacks come", () => callbacksOf("at-once").length === 2)
    const finished = await read(id)
    expect(finished.status_overall).toBe("SIGNED")
    expect(callbacksOf("at-once").map((path) => path.split("/")[2])).toEqual(["update", "success"])
    const { pyhanko, pdfsig } = await judge(await signedPdf(id))
    expect(pdfsig).toEqual(["Signature is Valid.", "Signature is Valid."])
    expect(pyhanko.map((s) => s.bottomLine)).toEqual([true, true])
    expect(pyhanko.at(-1)?.coverage).toBe("ENTIRE_FILE")
    expect(new Set(pyhanko.map((s) => s.field)).size).toBe(2)
  })

  it("a second press on “Sign” changes nothing", async () => {
    const who = `double-${Date.now()}@example.org`
    const id = await requestFor("double", [{ account_email: who }])
    const page = await openLink(browser, await linkMailedTo(who))
    await readyToSign(page, "Double Tap")
    await page.getByRole("button", { name: "Sign", exact: true }).dblclick()
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
    await until("the callback comes", () => callbacksOf("double").length === 1)
    expect((await judge(await signedPdf(id))).pyhanko).toHaveLength(1)
  })
})
