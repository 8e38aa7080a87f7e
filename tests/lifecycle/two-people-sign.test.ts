import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, pressSign, readyToSign, sign, startBrowser } from "../service/browser.ts"
import { judge } from "../service/judges.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { intentsNoted, noteIntents } from "../service/noted-intents.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession, pressDoor } from "../service/signer.ts"
import { until } from "../service/until.ts"

describe("two people sign", () => {
  let service: Service
  let receiver: Receiver
  let browser: Browser

  beforeAll(async () => {
    service = await startService()
    await noteIntents(service)
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

  it("[SR-11 v2] out of turn: whoever is invited before their turn finds a door without a button", async () => {
    const [early, late] = [`early-${Date.now()}@example.org`, `late-${Date.now()}@example.org`]
    const id = await requestFor("added", [])
    for (const [account_email, sequence] of [[early, 1] as const, [late, 2] as const]) {
      const added = { account_email, sequence }
      expect((await service.caller.post(`/v2/signature-requests/${id}/signatures`, added)).status).toBe(200)
    }
    const link = await linkMailedTo(late)
    const page = await browser.newPage({ locale: "en" })
    await page.goto(link)
    await page.getByRole("heading", { level: 1, name: "It is not your turn yet" }).waitFor()
    expect(await page.getByRole("button").count()).toBe(0)
    await page.close()

    const sessions = () =>
      service.sql(`select count(*) from signer_session join signature s on s.id = signature_id
        where s.request_id = '${id}'`)
    const pressed = await pressDoor(service.url, link)
    expect([pressed.status, pressed.headers.get("location")]).toEqual([409, null])
    expect(pressed.headers.get("set-cookie")).toBeNull()
    expect(await sessions()).toBe("0")
    // The same press in turn does open one.
    expect((await pressDoor(service.url, await linkMailedTo(early))).headers.get("set-cookie")).not.toBeNull()
    expect(await sessions()).toBe("1")
  })

  it("[SR-11 v2] out of turn: a session from before somebody was put first cannot sign until they have", async () => {
    const [inserted, waiting] = [`inserted-${Date.now()}@example.org`, `waiting-${Date.now()}@example.org`]
    const id = await requestFor("overtaken", [{ account_email: waiting, sequence: 2 }])
    const second = await openSession(service.url, await linkMailedTo(waiting))
    const added = { account_email: inserted, sequence: 1 }
    expect((await service.caller.post(`/v2/signature-requests/${id}/signatures`, added)).status).toBe(200)

    const refused = await second.press("Second Person")
    expect([refused.status, refused.body.key]).toEqual([400, "error.sr.invalid_state"])
    expect((await second.view()).body.screen).toBe("not-your-turn")
    const agreed = `select count(*) from signature where request_id = '${id}' and consent is not null`
    expect(await service.sql(agreed)).toBe("0")

    const first = await openSession(service.url, await linkMailedTo(inserted))
    expect((await first.press("First Person")).status).toBe(202)
    await until("it is the second one's turn", async () => (await second.view()).body.screen === "read")
    expect((await second.press("Second Person")).status).toBe(202)
    await until("the request is SIGNED", async () => (await read(id)).status_overall === "SIGNED")
    expect((await judge(await signedPdf(id))).pyhanko.map((s) => s.bottomLine)).toEqual([true, true])
  })

  /** Two who press in the same moment, and whether one of them had to sign again on the other's version. */
  const signAtOnce = async (tag: string): Promise<boolean> => {
    const people = ["left", "right"].map((who) => `${tag}-${who}-${Date.now()}@example.org`)
    const id = await requestFor(
      tag,
      people.map((account_email) => ({ account_email })),
    )
    const pages = await Promise.all(people.map(async (who) => openLink(browser, await linkMailedTo(who))))
    await Promise.all(pages.map((page, index) => readyToSign(page, `Person ${index}`)))
    await Promise.all(pages.map(pressSign))
    await Promise.all(
      pages.map((page) => page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()),
    )

    await until("both callbacks come", () => callbacksOf(tag).length === 2)
    expect((await read(id)).status_overall).toBe("SIGNED")
    expect(callbacksOf(tag).map((path) => path.split("/")[2])).toEqual(["update", "success"])
    const { pyhanko, pdfsig, documentTimestamps } = await judge(await signedPdf(id))
    expect(pdfsig).toEqual(["Signature is Valid.", "Signature is Valid."])
    expect(pyhanko.map((s) => s.bottomLine)).toEqual([true, true])
    expect(pyhanko.at(-1)).toMatchObject({ coverage: "ENTIRE_REVISION", modification: "LTA_UPDATES" })
    expect(documentTimestamps).toBe(1)
    expect(new Set(pyhanko.map((s) => s.field)).size).toBe(2)
    await Promise.all(pages.map((page) => page.context().close()))
    return Number((await intentsNoted(service, id)).split("|")[0]) > people.length
  }

  it("[SR-11 v2] [ST-10 v2] at once: both press “Sign” in the same second, and the PDF holds both, valid", async () => {
    // A worker signs one document of demo keys at a time (ADR 0093).
    await service.startWorker()
    let collisions = 0
    for (let round = 1; round <= 5 && collisions === 0; round += 1)
      if (await signAtOnce(`at-once-${round}`)) collisions += 1
    // Without one, the way back onto the newer version was never gone.
    expect(collisions).toBe(1)
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
