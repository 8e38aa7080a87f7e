import { execFile } from "node:child_process"
import { copyFile, rename, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { judge } from "../service/judges.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import {
  createJournal,
  type DocumentService,
  expectNothingLost,
  type Journal,
  startDocumentService,
} from "./documents.ts"
import { startLoad } from "./load.ts"
import { type OwnStack, startOwnStack } from "./own-stack.ts"

const run = promisify(execFile)
const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")
const DOCUMENTS = 40

// Security, R35. The operator begins with a key in a file and moves to one in an HSM; each test goes on where the one before ended.
describe("the operator's key moves, is replaced, and is away for a while", () => {
  let stack: OwnStack
  let documents: DocumentService
  let journal: Journal
  let api: ServerProcess
  let pinFile: string
  let inHsm: Record<string, string>
  beforeAll(async () => {
    stack = await startOwnStack()
    documents = await startDocumentService({ stack, worker: false })
    journal = createJournal(documents.service)
    api = documents.service.api
    // The folder of the spool goes when all is over, and this file with it.
    pinFile = join(documents.spool, "pin")
    await copyFile(stack.env.PKCS11_DEMO_PIN_FILE ?? "", pinFile)
    inHsm = {
      KEK_PROVIDER: "pkcs11",
      PKCS11_KEK_TOKEN: stack.env.PKCS11_DEMO_TOKEN ?? "",
      PKCS11_KEK_PIN_FILE: pinFile,
    }
  })
  afterAll(async () => {
    await documents?.close()
    await stack?.close()
  })
  const paraph = async (env: Readonly<Record<string, string>>, ...words: string[]) => {
    const all = { PATH: process.env.PATH, ...documents.service.env, ...env }
    return JSON.parse((await run(process.execPath, [PARAPH, ...words], { env: all })).stdout)
  }
  /** A process that has unwrapped no key yet: those of before are kept in memory for minutes. */
  const freshApi = async (env: Record<string, string>) => {
    await api.stop()
    api = await documents.service.startApi(env)
  }

  it("every key is wrapped anew under readers and writers, and no answer is an error", async () => {
    for (let nth = 0; nth < DOCUMENTS; nth += 1) expect((await journal.upload(3_000)).status).toBe(200)
    const { service } = documents
    const both = { ...inHsm, KEK_EARLIER_FILE: stack.env.KEK_FILE ?? "" }
    expect(await paraph(inHsm, "keys", "create")).toEqual({ created: "paraph-kek" })
    await freshApi(both)
    const business = await service.sql("select id from business")
    const load = startLoad(
      { read: () => journal.read(), range: () => journal.readRange(), upload: () => journal.upload(3_000) },
      4,
    )
    try {
      expect((await paraph(both, "keys", "rewrap")).rewrapped).toBe(1)
      for (let nth = 0; nth < 2; nth += 1)
        expect(
          (await paraph(both, "keys", "rotate", "--business", business)).rewrapped,
        ).toBeGreaterThanOrEqual(DOCUMENTS)
    } finally {
      await load.stop()
    }
    expect(load.answers.filter((a) => a.status !== 200 && a.status !== 206)).toEqual([])
    expect(load.answers.length).toBeGreaterThan(20)
    const kekIds = await service.sql("select distinct kek_id from business_key")
    expect(kekIds).toMatch(/^pkcs11:[^\n]+$/)
  })

  it("the key in the HSM alone opens all documents, and a new one is uploaded, signed and read", async () => {
    await freshApi({ ...inHsm, KEK_FILE: "", KEK: "" })
    const worker = await documents.service.startWorker({ ...inHsm, KEK_FILE: "", KEK: "" })
    await expectNothingLost(documents, journal)
    const { caller, url } = documents.service
    const address = `signer-${Date.now()}@example.org`
    const { body } = await caller.post("/v2/signature-requests", {
      title: "Contract",
      content: contractPdf().toString("base64"),
      signatures: [{ account_email: address }],
    })
    const signer = await openSession(url, await stack.linkMailedTo(address))
    expect((await signer.press("Ada Lovelace")).status).toBe(202)
    const signed = await until("it is signed", async () => {
      const { body: now } = await caller.get(`/v2/signature-requests/${body.id}`)
      return now.status_overall === "SIGNED" && (now.document_id as string)
    })
    const { bytes } = await caller.get(`/v2/documents/${signed}/content`)
    expect((await judge(bytes)).pdfsig).toEqual(["Signature is Valid."])
    await worker.stop()
  })

  const expectComeBackLater = async () => {
    for (const { status, headers } of [await journal.upload(3_000), await journal.read()])
      expect([status, Number(headers.get("retry-after")) > 0]).toEqual([503, true])
  }
  const expectService = async () => {
    expect((await journal.upload(3_000)).status).toBe(200)
    expect((await journal.read()).status).toBe(200)
    expect(journal.wrong).toEqual([])
  }

  it("the token is away: who knows the keys goes on, who does not answers 503 until it is back", async () => {
    const tokens = join(dirname(stack.env.SOFTHSM2_CONF ?? ""), "tokens")
    await rename(tokens, `${tokens}-away`)
    try {
      await expectService()
      await freshApi(inHsm)
      await expectComeBackLater()
    } finally {
      await rename(`${tokens}-away`, tokens)
    }
    await until("the key is found again", async () => (await journal.read()).status === 200)
    await expectService()
  })

  it("the PIN is wrong: 503, and it is tried once, so that the token does not lock itself", async () => {
    await writeFile(pinFile, "000000")
    await freshApi(inHsm)
    for (let nth = 0; nth < 5; nth += 1) await expectComeBackLater()
    await copyFile(stack.env.PKCS11_DEMO_PIN_FILE ?? "", pinFile)
    // It stays a fault until somebody has looked at it and starts the process again.
    await expectComeBackLater()
    await freshApi(inHsm)
    await expectService()
  })
})
