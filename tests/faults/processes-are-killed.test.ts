import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openLink, pressSign, readyToSign, startBrowser } from "../service/browser.ts"
import { judge } from "../service/judges.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

// The named points of the signing job, in its order (core/src/signature-request/sign.ts).
const POINTS = ["intent-kept", "value-made", "value-kept", "blob-stored", "mark-applied"]

describe("processes are killed with SIGKILL", () => {
  let service: Service
  let receiver: Receiver
  let browser: Browser

  beforeAll(async () => {
    service = await startService({ worker: false })
    receiver = await startReceiver()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await receiver?.close()
    await service?.close()
  })

  const create = async (tag: string, signer: string) => {
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: `Contract, ${tag}`,
      content: contractPdf().toString("base64"),
      signatures: [{ account_email: signer }],
      callback_success_url: `${receiver.url}/${tag}/SERVICE_DOCUMENT_ID`,
    })
    return body.id as string
  }
  const callbacksOf = (tag: string) => receiver.received.filter((c) => c.path.startsWith(`/${tag}/`))

  /** Exactly one signature in the PDF, one success callback or more, no mail lost. */
  const expectOneSignature = async (id: string, tag: string, signer: string) => {
    await until("the success callback comes", () => callbacksOf(tag).length > 0, 90_000)
    const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
    expect(body.status_overall).toBe("SIGNED")
    for (const { path } of callbacksOf(tag)) expect(path).toBe(`/${tag}/${body.document_id}`)
    const { bytes } = await service.caller.get(`/v2/documents/${body.document_id}/content`)
    const verdict = await judge(bytes)
    expect(verdict.pyhanko.map((s) => s.bottomLine)).toEqual([true])
    expect(verdict.pdfsig).toEqual(["Signature is Valid."])
    expect((await mailsTo(signer)).length).toBeGreaterThan(0)
    const marks = `select count(*) from mark join signature s on s.id = signature_id where s.request_id = '${id}'`
    expect(await service.sql(`${marks} and version_id is not null`)).toBe("1")
    expect(
      await service.sql(`select count(*) from evidence where request_id = '${id}' and type = 'mark.made'`),
    ).toBe("1")
  }

  const begin = async (
    tag: string,
    worker: ServerProcess,
  ): Promise<{ id: string; signer: string; page: Page }> => {
    const signer = `${tag}-${Date.now()}@example.org`
    const id = await create(tag, signer)
    const page = await openLink(browser, await linkMailedTo(signer))
    await readyToSign(page, "Ada Lovelace")
    expect(worker.pid).toBeGreaterThan(0)
    return { id, signer, page }
  }

  it.each(POINTS)("the worker at %s: another one finishes, and there is one signature", async (point) => {
    const doomed = await service.startWorker({ FAULT_POINT: point })
    const { id, signer, page } = await begin(point, doomed)
    await pressSign(page)
    expect(await doomed.died).toBe("SIGKILL")
    const heir = await service.startWorker()
    await expectOneSignature(id, point, signer)
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
    await heir.kill()
  })

  it.each(["link-kept", "mail-sent"])("the worker at %s of an invitation: no mail is lost", async (point) => {
    const signer = `${point}-${Date.now()}@example.org`
    const doomed = await service.startWorker({ FAULT_POINT: point })
    const id = await create(point, signer)
    expect(await doomed.died).toBe("SIGKILL")
    const sent = (await mailsTo(signer)).length
    expect(sent).toBe(point === "mail-sent" ? 1 : 0)
    const heir = await service.startWorker()
    await until("the mail comes", async () => (await mailsTo(signer)).length > sent)
    // A mail that was sent twice is recognisably one mail.
    const ids = (await mailsTo(signer)).map((mail) => mail.headers["message-id"])
    expect(new Set(ids).size).toBe(1)
    const page = await openLink(browser, await linkMailedTo(signer))
    await readyToSign(page, "Ada Lovelace")
    await pressSign(page)
    await expectOneSignature(id, point, signer)
    await heir.kill()
  })

  it("the api, right after the press: the person's page finds its way back", async () => {
    const worker = await service.startWorker()
    const { id, signer, page } = await begin("api", worker)
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/sign") && response.status() === 202),
      pressSign(page),
    ])
    await service.api.kill()
    await service.startApi()
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor({ timeout: 60_000 })
    await expectOneSignature(id, "api", signer)
    await worker.kill()
  })
})
