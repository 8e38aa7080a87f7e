import { once } from "node:events"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { until } from "../service/until.ts"

// Mail servers say more than we may write down: the address they refuse, and what they think of it.
const WORDS = "quixotic mailbox of"

describe("the mail server refuses", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  it.each(["recipient", "message"] as const)(
    "the %s with 550: the log tells of a failed job, and neither the address nor the server's words",
    async (refused) => {
      const server = await startRefusing(refused)
      const worker = await service.startWorker({ SMTP_URL: `smtp://127.0.0.1:${server.port}` })
      try {
        const address = `refused-${Date.now()}@example.org`
        const { body } = await service.caller.post("/v2/signature-requests", {
          title: "Contract",
          content: contractPdf().toString("base64"),
          signatures: [{ account_email: address }],
        })
        await until("the job has failed", () => failedJobs(worker, body.id).length > 0)
        expect(server.refusals()).toBeGreaterThan(0)
        // The line with the error comes after the one with the outcome.
        await until("the failure is told", () => worker.log().includes('"msg":"job failed"'))
        const logs = worker.log() + service.api.log()
        expect(logs).not.toContain(address)
        expect(logs).not.toContain(address.split("@")[0])
        expect(logs).not.toContain(WORDS)
      } finally {
        await worker.kill()
        await server.close()
      }
    },
  )
})

const failedJobs = (worker: ServerProcess, requestId: string) =>
  worker
    .log()
    .split("\n")
    .filter((line) => line.includes(requestId) && line.includes('"outcome":"failed"'))

async function startRefusing(what: "recipient" | "message") {
  const port = await freePort()
  let refusals = 0
  const refusal = (address: string) => {
    refusals += 1
    return Object.assign(new Error(`5.1.1 <${address}>: ${WORDS} ${address}`), { responseCode: 550 })
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
