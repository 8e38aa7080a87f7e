import { once } from "node:events"
import type { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { linksIn } from "../service/mime.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { openSession } from "../service/signer.ts"
import { asIfTriedOften } from "../service/tried-often.ts"
import { until } from "../service/until.ts"

// Mail servers say more than we may write down: the address they refuse, and what they think of it.
const WORDS = "quixotic mailbox of"

describe("the mail server refuses", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  const invite = async () => {
    const address = `refused-${Date.now()}@example.org`
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      content: contractPdf().toString("base64"),
      signatures: [{ account_email: address }],
    })
    return { id: body.id as string, address }
  }
  const problemOf = async (id: string): Promise<string | null> =>
    (await service.caller.get(`/v2/signature-requests/${id}`)).body.signatures[0].mail_problem
  const evidenceOf = (id: string) =>
    service.sql(
      `select string_agg(type, ' ' order by seq) from evidence where request_id = '${id}' and signature_id is not null`,
    )
  const tellsNothing = (worker: ServerProcess, address: string) => {
    const logs = worker.log() + service.api.log()
    expect(logs).not.toContain(address)
    expect(logs).not.toContain(address.split("@")[0])
    expect(logs).not.toContain(WORDS)
  }

  it.each(["recipient", "message"] as const)(
    "the %s for good: the sender sees it at once, and the log tells neither the address nor the server's words",
    async (refused) => {
      const server = await startRefusing(refused, "550 5.1.1")
      const worker = await service.startWorker({ SMTP_URL: `smtp://127.0.0.1:${server.port}` })
      try {
        const { id, address } = await invite()
        await until("the sender sees it", async () => (await problemOf(id)) !== null)
        expect(await problemOf(id)).toBe("5.1.1 The mailbox does not exist.")
        expect(await evidenceOf(id)).toBe("signature.invitation-failed signature.mail-bounced")
        expect(server.refusals()).toBe(1)
        tellsNothing(worker, address)
      } finally {
        await worker.kill()
        await server.close()
      }
    },
  )

  it.each([
    ["for now", "451 4.2.0"],
    ["because it does not know us", "554 5.7.1"],
  ] as const)("the recipient %s: it is tried again, and given up after 72 hours", async (_, reply) => {
    const server = await startRefusing("recipient", reply)
    const worker = await service.startWorker({ SMTP_URL: `smtp://127.0.0.1:${server.port}` })
    try {
      const { id, address } = await invite()
      await until("the job has failed", () => failedJobs(worker, id).length > 0)
      // The line with the error comes after the one with the outcome.
      await until("the failure is told", () => worker.log().includes('"msg":"job failed"'))
      expect(await problemOf(id)).toBeNull()
      tellsNothing(worker, address)

      await asIfTriedOften(service)
      service.moveClock(73 * 3_600_000)
      const late = await createApi(service.url, service.username, service.demoKey)
      const path = `/v2/signature-requests/${id}`
      const seen = async () => (await late.get(path)).body.signatures[0].mail_problem
      expect(await until("it is given up", seen)).toBe("No mail server took the mail within 72 hours.")
      expect(await evidenceOf(id)).toBe("signature.invitation-failed signature.mail-bounced")
    } finally {
      service.moveClock(0)
      await worker.kill()
      await server.close()
    }
  })

  it("a mail that is too large: it goes again without what was attached, and says so", async () => {
    const server = await startSmall(60_000)
    const worker = await service.startWorker({ SMTP_URL: `smtp://127.0.0.1:${server.port}` })
    try {
      const { body } = await service.caller.post("/v2/signature-requests", {
        title: "Contract",
        content: pdfOfSize(100_000).toString("base64"),
        attach_on_success: ["SIGNED_DOCUMENT"],
        signatures: [{ account_email: `small-${Date.now()}@example.org` }],
      })
      const mails = server.mails
      const link = await until("the invitation comes", () => linksIn(mails[0] ?? {})[0])
      await (await openSession(service.url, link)).press("Ada Lovelace")
      const done = await until("the last mail comes", () => mails[1])
      expect(done.subject).toBe("Signed: Contract")
      expect(done.text).toContain("too large for an e-mail")
      expect([done.attachments, server.refusals()]).toEqual([[], 1])
      await until("it is noted", async () => (await evidenceOf(body.id)).endsWith("mail.sent"))
    } finally {
      await worker.kill()
      await server.close()
    }
  })
})

const failedJobs = (worker: ServerProcess, requestId: string) =>
  worker
    .log()
    .split("\n")
    .filter((line) => line.includes(requestId) && line.includes('"outcome":"failed"'))

async function startRefusing(what: "recipient" | "message", reply: string) {
  const [code = "", status = ""] = reply.split(" ")
  const port = await freePort()
  let refusals = 0
  const refusal = (address: string) => {
    refusals += 1
    return Object.assign(new Error(`${status} <${address}>: ${WORDS} ${address}`), {
      responseCode: Number(code),
    })
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _, done) => done(what === "recipient" ? refusal(address) : undefined),
    onData: (stream, session, done) => {
      stream.resume().once("end", () => done(refusal(session.envelope.rcptTo[0]?.address ?? "")))
    },
  })
  server.listen(port, "127.0.0.1")
  await once(server.server, "listening")
  return {
    port,
    refusals: () => refusals,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** A mail server that takes small mails only, and keeps them. */
async function startSmall(bytesMax: number) {
  const port = await freePort()
  const mails: Email[] = []
  let refusals = 0
  const take = async (stream: Readable, done: (error?: Error) => void) => {
    const raw = await buffer(stream)
    if (raw.length <= bytesMax) mails.push(await PostalMime.parse(raw))
    else refusals += 1
    done(raw.length <= bytesMax ? undefined : Object.assign(new Error("5.3.4 no"), { responseCode: 552 }))
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onData: (stream, _, done) => void take(stream, done),
  })
  server.listen(port, "127.0.0.1")
  await once(server.server, "listening")
  return {
    port,
    mails,
    refusals: () => refusals,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
