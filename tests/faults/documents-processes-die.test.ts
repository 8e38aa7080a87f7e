import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import {
  createJournal,
  type DocumentService,
  expectNothingLost,
  leftBehind,
  seeded,
  startDocumentService,
  sweep,
} from "./documents.ts"
import { holdTable, untilWaiting } from "./held-table.ts"
import { faultsOf, isGood, startLoad } from "./load.ts"

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
const KILLS = 3

describe("processes are killed with SIGKILL while documents come and go", () => {
  let documents: DocumentService
  let api: ServerProcess
  let worker: ServerProcess
  beforeAll(async () => {
    documents = await startDocumentService()
    ;({ api, worker } = documents.service)
  })
  afterEach(async () => {
    expect(await leftBehind(documents.spool)).toEqual([])
  })
  afterAll(() => documents?.close())

  const service = () => documents.service
  const apiAgain = async () => {
    await api.kill()
    api = await service().startApi()
  }

  it(`the api at random moments under uploads and reads, with FAULT_SEED=${SEED}`, async () => {
    const random = seeded(SEED)
    const journal = createJournal(service())
    await journal.upload(3_000)
    const load = startLoad(
      {
        "upload of some kB": () => journal.upload(3_000),
        read: () => journal.read(),
        "upload of several segments": () => journal.upload(700_000),
      },
      4,
    )
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const before = load.answers.filter(isGood).length
        await until("the load runs", () => load.answers.filter(isGood).length >= before + 6)
        await pause(random() * 200)
        await apiAgain()
      }
    } finally {
      await load.stop()
    }
    // Who was being served sees the connection break; nobody is told anything wrong.
    const { length: broken } = load.answers.filter((a) => a.status === 0)
    expect(broken).toBeGreaterThan(0)
    expect(faultsOf(load.answers).filter((a) => a.status !== 0)).toEqual([])
    await expectNothingLost(documents, journal)
  })

  it("the api when the object is stored and no row owns it: the sweep finds the object", async () => {
    await api.kill()
    const doomed = await service().startApi({ FAULT_POINT: "object-stored" })
    const journal = createJournal(service())
    await expect(journal.upload(700_000)).rejects.toThrow("fetch failed")
    expect(await doomed.died).toBe("SIGKILL")
    expect(await service().sql("select count(*) from loose_blob")).toBe("1")
    api = await service().startApi()
    await expectNothingLost(documents, journal)
  })

  it("the api while its transaction waits to insert the row: nothing is half there", async () => {
    const journal = createJournal(service())
    const held = await holdTable(service(), "document")
    const uploading = journal.upload(3_000).catch((error: Error) => error.message)
    await untilWaiting(service(), "document", 1)
    await api.kill()
    expect(await uploading).toBe("fetch failed")
    await held.letGo()
    await untilWaiting(service(), "document", 0)
    api = await service().startApi()
    await expectNothingLost(documents, journal)
  })

  it.each(["objects-claimed", "objects-removed"])(
    "the worker at %s: another one sweeps what it had claimed",
    async (point) => {
      const journal = createJournal(service())
      for (const sizeBytes of [3_000, 3_000, 3_000])
        expect((await journal.upload(sizeBytes)).status).toBe(200)
      const [removed] = journal.acknowledged
      await worker.kill()
      const doomed = await service().startWorker({ FAULT_POINT: point })
      await remove(removed?.id ?? "")
      expect(await doomed.died).toBe("SIGKILL")
      expect(await service().sql("select count(*) from loose_blob where claimed")).toBe("1")
      worker = await service().startWorker()
      await sweep(service())
      const rest = { ...journal, acknowledged: journal.acknowledged.slice(1) }
      await expectNothingLost(documents, rest)
      expect((await service().caller.get(`/v2/documents/${removed?.id}`)).status).toBe(404)
    },
  )

  it("the worker when a signed version is stored and no row owns it: there is one version, and no other object", async () => {
    const { url, caller } = service()
    await worker.kill()
    const doomed = await service().startWorker({ FAULT_POINT: "object-stored" })
    const address = `signer-${randomUUID()}@example.org`
    const { body } = await caller.post("/v2/signature-requests", {
      title: "Contract",
      content: contractPdf().toString("base64"),
      signatures: [{ account_email: address }],
    })
    const signer = await openSession(url, await linkMailedTo(address))
    expect((await signer.press("Ada Lovelace")).status).toBe(202)
    expect(await doomed.died).toBe("SIGKILL")
    expect(await service().sql("select count(*) from loose_blob")).toBe("1")
    worker = await service().startWorker()
    const isSigned = async () =>
      (await caller.get(`/v2/signature-requests/${body.id}`)).body.status_overall === "SIGNED"
    await until("the request is SIGNED", isSigned, 240_000)
    const versions = `select count(*) from document where parent_id = '${body.document_id}'`
    expect(await service().sql(versions)).toBe("1")
    await expectNothingLost(documents, createJournal(service()))
  })

  const remove = async (id: string) => {
    const { url, caller } = service()
    const headers = { authorization: `Bearer ${caller.token}` }
    const { status } = await fetch(`${url}/v2/documents/${id}`, { method: "DELETE", headers })
    expect(status).toBe(204)
  }
})
