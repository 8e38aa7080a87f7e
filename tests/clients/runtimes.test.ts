import { spawn } from "node:child_process"
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"

const here = (path: string) => resolve(import.meta.dirname, path)
const PROGRAM = here("runtimes/program.mjs")
const brought = (name: string) => here(`../../.tools/runtimes/node_modules/.bin/${name}`)

/** With no more rights than it needs, where a runtime has such. */
const RUNTIMES = {
  Node: [process.execPath, PROGRAM],
  Deno: [brought("deno"), "run", "--allow-net", "--allow-read", "--node-modules-dir=manual", PROGRAM],
  Bun: [brought("bun"), "run", PROGRAM],
} as const

describe("the client for integrators, as it is published", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())

  it.each(Object.entries(RUNTIMES))(
    "signs, waits, downloads, lists and checks a webhook on %s",
    async (_, words) => {
      const [signer, secret] = [newAddress("signer"), `whsec_${randomBytes(24).toString("base64")}`]
      const order = {
        sdk: pathToFileURL(here("../../packages/sdk/dist/index.js")).href,
        url: service.url,
        username: service.username,
        apiKey: service.demoKey,
        signer,
        pdf: contractPdf().toString("base64"),
        hook: { secret, ...signedCall(secret) },
      }
      const [command, ...rest] = words
      const running = spawn(command, [...rest, JSON.stringify(order)], {
        stdio: ["ignore", "pipe", "inherit"],
      })
      const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]()
      const next = async () => JSON.parse((await lines.next()).value ?? "null")
      const { id } = await next()
      await (await openSession(service.url, await linkMailedTo(signer))).press("Ada Lovelace")
      const { sha256, ...told } = await next()

      expect(told).toMatchObject({ status: "SIGNED", event: "signature_request.signed" })
      expect(told.listed).toContain(id)
      const { body: request } = await service.caller.get(`/v2/signature-requests/${id}`)
      const { bytes } = await service.caller.get(`/v2/documents/${request.document_id}/content`)
      expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
      if (running.exitCode === null) await once(running, "exit")
      expect(running.exitCode).toBe(0)
    },
  )
})

/** As Standard Webhooks says, written here once more. */
function signedCall(secret: string) {
  const [id, time] = [randomUUID(), String(Math.floor(Date.now() / 1_000))]
  const body = JSON.stringify({ id, type: "signature_request.signed", created_at: new Date(), data: {} })
  const key = Buffer.from(secret.replace("whsec_", ""), "base64")
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")
  const headers = { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` }
  return { body, headers }
}
