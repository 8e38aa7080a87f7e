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
  let api: ServerProcess

  beforeAll(async () => {
    service = await startService({ worker: false })
    api = service.api
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

  /** Exactly one signature in the PDF and in the evidence, and one success callback or more. */
  const expectOneSignature = async (id: string, tag: string) => {
    await until("the success callback comes", () => callbacksOf(tag).length > 0, 240_000)
    const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
    expect(body.status_overall).toBe("SIGNED")
    for (const { path } of callbacksOf(tag)) expect(path).toBe(`/${tag}/${body.document_id}`)
    const { bytes } = await service.caller.get(`/v2/documents/${body.document_id}/content`)
    const verdict = await judge(bytes)
    expect(verdict.pyhanko.map((s) => s.bottomLine)).toEqual([true])
    expect(verdict.pdfsig).toEqual(["Signature is Valid."])
    const evidence = `select type from evidence where request_id = '${id}' order by seq`
    const types = (await service.sql(evidence)).split("\n")
    for (const once of ["signature.consented", "mark.made", "signature.signed", "request.completed"])
      expect(types.filter((type) => type === once)).toEqual([once])
  }

  const begin = async (tag: string): Promise<{ id: string; page: Page }> => {
    const signer = `${tag}-${Date.now()}@example.org`
    const id = await create(tag, signer)
    const page = await openLink(browser, await linkMailedTo(signer))
    await readyToSign(page, "Ada Lovelace")
    return { id, page }
  }

  it.each(POINTS)(
    "[R32] the worker at %s: another one finishes, and there is one signature",
    async (point) => {
      const doomed = await service.startWorker({ FAULT_POINT: point })
      const { id, page } = await begin(point)
      await pressSign(page)
      expect(await doomed.died).toBe("SIGKILL")
      const heir = await service.startWorker()
      await expectOneSignature(id, point)
      await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
      await heir.kill()
    },
  )

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
    expect([...new Set(ids)]).toEqual([expect.stringMatching(/^<[0-9a-f-]{36}@localhost>$/)])
    const page = await openLink(browser, await linkMailedTo(signer))
    await readyToSign(page, "Ada Lovelace")
    await pressSign(page)
    await expectOneSignature(id, point)
    await heir.kill()
  })

  it("the api, right after the press: the person's page finds its way back", async () => {
    const worker = await service.startWorker()
    const { id, page } = await begin("api")
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/sign") && response.status() === 202),
      pressSign(page),
    ])
    await api.kill()
    api = await service.startApi()
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor({ timeout: 150_000 })
    await expectOneSignature(id, "api")
    await worker.kill()
  })

  const pressAndKill = async (page: Page, heard: () => Promise<unknown>) => {
    await Promise.all([page.waitForRequest((request) => request.url().endsWith("/sign")), pressSign(page)])
    await heard()
    await api.kill()
    await page.getByText("We could not reach the service").waitFor()
    api = await service.startApi()
  }
  /** The person is told that the press may be lost, presses again, and signs once. */
  const expectSecondPressSigns = async (page: Page, id: string, tag: string) => {
    expect(await service.sql(`select consent from signature where request_id = '${id}'`)).toBe("")
    await pressSign(page)
    await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor({ timeout: 150_000 })
    await expectOneSignature(id, tag)
  }

  it("the api, before it has read the press: the person presses again and signs once", async () => {
    const worker = await service.startWorker()
    const { id, page } = await begin("unread")
    process.kill(api.pid, "SIGSTOP")
    await pressAndKill(page, async () => undefined)
    await expectSecondPressSigns(page, id, "unread")
    await worker.kill()
  })

  it("the api, in the middle of writing the press down: the person presses again and signs once", async () => {
    const worker = await service.startWorker()
    const { id, page } = await begin("half")
    // Somebody else holds the request's row, so the api waits within its transaction; the kill ends both.
    const holding = "pg_sleep(60) /* holds */"
    const held = service
      .sql(`select from signature_request where id = '${id}' for update; select ${holding}`)
      .catch(() => "ended")
    const active = (what: string) =>
      service.sql(`select pid from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and state = 'active' and ${what}`)
    await until("the row is held", () => active("wait_event = 'PgSleep'"))
    await pressAndKill(page, () =>
      until("the api waits for the row", () => active("wait_event_type = 'Lock'")),
    )
    await service.sql(`select pg_terminate_backend(${await active("wait_event = 'PgSleep'")})`)
    expect(await held).toBe("ended")
    await until(
      "the transaction of the dead api is gone",
      async () => !(await active("wait_event_type = 'Lock'")),
    )
    await expectSecondPressSigns(page, id, "half")
    await worker.kill()
  })
})
