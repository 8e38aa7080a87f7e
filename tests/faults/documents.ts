import { createHash } from "node:crypto"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createOwnBucket } from "@paraph/store/testing/own-bucket"
import { type S3Proxy, startS3Proxy } from "@paraph/store/testing/s3-proxy"
import { expect } from "vitest"
import type { Answer } from "../service/api.ts"
import { pdfOfSize } from "../service/pdf.ts"
import { type Service, type ServiceOptions, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

/** The service with a bucket and a spool folder of its own, and a proxy before S3 that can be told to misbehave. */
export type DocumentService = {
  readonly service: Service
  readonly proxy: S3Proxy
  readonly spool: string
  readonly close: () => Promise<void>
}

export async function startDocumentService(options: ServiceOptions = {}): Promise<DocumentService> {
  // A stack that one file has for itself has a bucket that nobody else uses.
  const own = options.stack ? null : await createOwnBucket()
  const proxy = await startS3Proxy(own?.settings.endpoint ?? options.stack?.env.S3_ENDPOINT ?? "")
  const spool = await mkdtemp(join(tmpdir(), "paraph-spool-"))
  const bucket = own ? { S3_BUCKET: own.settings.bucket } : {}
  const env = { ...bucket, S3_ENDPOINT: proxy.url, SPOOL_FOLDER: spool, ...options.env }
  const service = await startService({ ...options, env })
  const close = async () => {
    await service.close()
    await proxy.close()
    await own?.close()
    await rm(spool, { recursive: true })
  }
  return { service, proxy, spool, close }
}

export type Acknowledged = { readonly id: string; readonly pdf: Buffer }

/** What a client was told. Each acknowledgement is noted before anything else is asked. */
export type Journal = {
  readonly acknowledged: readonly Acknowledged[]
  /** Answers that looked complete and were not what had been sent. */
  readonly wrong: readonly string[]
  readonly upload: (sizeBytes: number) => Promise<Answer>
  readonly read: (one?: Acknowledged) => Promise<Answer>
  readonly readRange: (one?: Acknowledged) => Promise<Answer>
}

export function createJournal({ caller }: Service): Journal {
  const acknowledged: Acknowledged[] = []
  const wrong: string[] = []
  let turn = 0
  const next = () => {
    turn += 1
    const one = acknowledged[turn % acknowledged.length]
    if (one === undefined) throw new Error("Nothing is acknowledged yet.")
    return one
  }
  const compare = (what: string, answer: Answer, expected: Buffer) => {
    if (answer.status < 300 && !answer.bytes.equals(expected))
      wrong.push(`${what}: ${answer.bytes.length} bytes, not the ${expected.length} that were sent`)
    return answer
  }
  return {
    acknowledged,
    wrong,
    upload: async (sizeBytes) => {
      const pdf = pdfOfSize(sizeBytes)
      const answer = await caller.post("/v2/documents", {
        title: "Contract",
        content: pdf.toString("base64"),
      })
      if (answer.status === 200) acknowledged.push({ id: answer.body.id, pdf })
      return answer
    },
    read: async ({ id, pdf } = next()) =>
      compare(`content of ${id}`, await caller.get(`/v2/documents/${id}/content`), pdf),
    readRange: async ({ id, pdf } = next()) => {
      const [start, end] = [Math.floor(pdf.length / 3), Math.floor(pdf.length / 2)]
      const answer = await caller.get(`/v2/documents/${id}/content`, { range: `bytes=${start}-${end - 1}` })
      return compare(`a range of ${id}`, answer, pdf.subarray(start, end))
    },
  }
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")

/** When all is well again: the sweep has nothing left, each acknowledged document is whole, rows and objects agree. */
export async function expectNothingLost({ service }: DocumentService, journal: Journal): Promise<void> {
  await sweep(service)
  for (const { id, pdf } of journal.acknowledged) {
    const { status, bytes } = await service.caller.get(`/v2/documents/${id}/content`)
    expect([id, status, sha256(bytes)]).toEqual([id, 200, sha256(pdf)])
  }
  expect(journal.wrong).toEqual([])
  expect(await audit(service)).toEqual({ lost: 0, unnamed: 0, "wrong-size": 0 })
}

/** What nobody owns is due after an hour, and what a dead worker had claimed after minutes; here all of it is due now. */
export async function sweep({ sql }: Service): Promise<void> {
  await until("the sweep has nothing left", async () => {
    await sql("update loose_blob set due_at = now() where due_at > now()")
    return (await sql("select count(*) from loose_blob")) === "0"
  })
}

/** As the operator asks: ends with an error that tells the findings, if there are any. */
export const audit = (service: Service): Promise<Record<string, unknown>> =>
  service.paraph("documents", "audit")

/** What lies in the spool of processes that are gone. */
export async function leftBehind(spool: string): Promise<readonly string[]> {
  const isGone = (pid: number) => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  }
  return (await readdir(spool)).filter((name) => isGone(Number.parseInt(name, 10)))
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32), so that a run can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
