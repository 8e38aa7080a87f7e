// Whatever a time-stamping authority or a responder answers wrongly, nothing of it gets into a document: the signature waits and
// says for what, somebody else is asked where there is somebody else, and in the end EU DSS and pyHanko find nothing to say.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { startTrust, type Trust } from "../service/trust.ts"
import { until } from "../service/until.ts"
import { dss, pyhanko } from "./judges.ts"
import { dssFaults, pyhankoFaults } from "./level-faults.ts"

let folder = ""
/** Who is told to misbehave: the first of two who stamp, and the issuer of the service's own certificate. */
let first: Trust
/** The second who stamps. */
let second: Trust
let service: Service
/** Every document that was finished, and the field of its signature. */
const finished = new Map<string, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-wrong-"))
  first = await startTrust()
  second = await startTrust()
  const rootFile = join(folder, "roots.pem")
  await writeFile(
    rootFile,
    (await readFile(first.rootFile, "utf8")) + (await readFile(second.rootFile, "utf8")),
  )
  const both = (name: string) => `${first.env[name]},${second.env[name]}`
  service = await startService({
    env: {
      ...first.env,
      TRUST_ANCHORS_FILE: rootFile,
      TIMESTAMP_URLS: both("TIMESTAMP_URLS"),
      REVOCATION_ALLOWED_HOSTS: both("REVOCATION_ALLOWED_HOSTS"),
    },
  })
}, 300_000)
afterEach(() => {
  for (const trust of [first, second]) trust?.sandbox.misbehave({})
})
afterAll(async () => {
  await service?.close()
  for (const trust of [first, second]) await trust?.close()
  await rm(folder, { recursive: true })
})

const read = async (id: string) => (await service.caller.get(`/v2/signature-requests/${id}`)).body

/** Somebody who presses the button; answers the request. */
async function pressed(way: string): Promise<string> {
  const account_email = `wrong-${way}-${Date.now()}@example.org`
  const { body } = await service.caller.post("/v2/signature-requests", {
    title: "Contract",
    content: contractPdf("For the archive.").toString("base64"),
    signatures: [{ account_email }],
  })
  const session = await openSession(service.url, await linkMailedTo(account_email))
  expect((await session.press("Ada Lovelace")).status).toBe(202)
  return body.id
}

/** It says what it waits for, is tried again, and nothing of the document has changed. */
async function waits(id: string, lack: string): Promise<void> {
  const isSaid = async () => (await read(id)).signatures[0].waiting_for === lack
  await until(`it waits for ${lack}`, isSaid, 240_000)
  const { status_overall, document_id } = await read(id)
  expect(status_overall).toBe("OPEN")
  expect(await service.sql(`select count(*) from document where parent_id = '${document_id}'`)).toBe("0")
  const waiting = `type = 'signature.waiting' and request_id = '${id}'`
  expect(await service.sql(`select count(*) from evidence where ${waiting}`)).toBe("1")
  const job = `name = 'sign-document' and data->>'requestId' = '${id}'`
  expect(
    await service.sql(`select count(*) from jobs.job where ${job} and state in ('retry', 'active')`),
  ).toBe("1")
}

async function ends(id: string, way: string): Promise<Buffer> {
  await until("it is SIGNED", async () => (await read(id)).status_overall === "SIGNED", 240_000)
  const { document_id, signatures } = await read(id)
  expect(signatures[0].waiting_for).toBeNull()
  const { bytes } = await service.caller.get(`/v2/documents/${document_id}/content`)
  const file = join(folder, `${way}.pdf`)
  await writeFile(file, bytes)
  finished.set(file, `Paraph-${signatures[0].sid}`)
  return bytes
}

/** Certificates of time-stamps stand in the file as they are; hexadecimal, in the hole of a signature. */
const holds = (pdf: Buffer, der: Uint8Array) =>
  pdf.includes(Buffer.from(der)) ||
  pdf.toString("latin1").toLowerCase().includes(Buffer.from(der).toString("hex"))

type Misbehaviour = Parameters<TrustSandbox["misbehave"]>[0]
type Tsa = NonNullable<Misbehaviour["tsa"]>
const STAMPS: readonly Tsa[] = [
  ...(["unavailable", "silence", "wrong-nonce", "wrong-imprint", "expired", "stale"] as const),
  ...(["garbage", "huge", "rejection", "stranger"] as const),
]

describe("a time-stamping authority", { timeout: 300_000 }, () => {
  it.each(STAMPS)("that is wrong (%s): the signature waits; then another one stamps", async (tsa) => {
    first.sandbox.misbehave({ tsa })
    second.sandbox.misbehave({ tsa: "unavailable" })
    const id = await pressed(tsa)
    await waits(id, "TIMESTAMP")
    second.sandbox.misbehave({})
    const pdf = await ends(id, `tsa-${tsa}`)
    expect(holds(pdf, await second.sandbox.timestampCertificate())).toBe(true)
    expect(holds(pdf, await first.sandbox.timestampCertificate())).toBe(false)
  })

  it("that is not there at all is passed over without waiting", async () => {
    first.sandbox.misbehave({ tsa: "unavailable" })
    const id = await pressed("down")
    await ends(id, "tsa-down")
    const waiting = `type = 'signature.waiting' and request_id = '${id}'`
    expect(await service.sql(`select count(*) from evidence where ${waiting}`)).toBe("0")
  })

  it("whose own certificate is revoked is passed over for good", async () => {
    const revoked = await startTrust()
    try {
      await revoked.sandbox.revoke(await revoked.sandbox.timestampCertificate())
      const rootFile = join(folder, "more-roots.pem")
      const roots = await Promise.all(
        [service.env.TRUST_ANCHORS_FILE ?? "", revoked.rootFile].map((one) => readFile(one, "utf8")),
      )
      await writeFile(rootFile, roots.join(""))
      await service.worker.stop()
      const env = {
        TRUST_ANCHORS_FILE: rootFile,
        TIMESTAMP_URLS: `${revoked.env.TIMESTAMP_URLS},${service.env.TIMESTAMP_URLS}`,
        REVOCATION_ALLOWED_HOSTS: `${revoked.env.REVOCATION_ALLOWED_HOSTS},${service.env.REVOCATION_ALLOWED_HOSTS}`,
      }
      const worker = await service.startWorker(env)
      const pdf = await ends(await pressed("revoked"), "tsa-revoked")
      expect(holds(pdf, await revoked.sandbox.timestampCertificate())).toBe(false)
      await worker.stop()
      await service.startWorker()
    } finally {
      await revoked.close()
    }
  })
})

type Ocsp = NonNullable<Misbehaviour["ocsp"]>
const ANSWERS: readonly Ocsp[] = [
  ...(["unavailable", "silence", "wrong-nonce", "another", "expired", "revoked"] as const),
  ...(["unknown", "stale", "garbage", "huge", "try-later", "stranger"] as const),
]

describe("a responder", { timeout: 300_000 }, () => {
  it.each(ANSWERS)("that is wrong (%s): the signature waits until it is right", async (ocsp) => {
    // Its lists are away too: they would say what the answers do not.
    first.sandbox.misbehave({ ocsp, crl: "unavailable" })
    const id = await pressed(ocsp)
    await waits(id, "REVOCATION")
    first.sandbox.misbehave({})
    await ends(id, `ocsp-${ocsp}`)
  })
})

describe("the documents of all of these", () => {
  it("are B-LTA, and TOTAL-PASSED without a warning; now and in ten years", async () => {
    const files = [...finished.keys()]
    const roots = [first.rootFile, second.rootFile]
    const byDss = await dss({ anchors: roots }, files)
    const byPyhanko = await pyhanko(roots, files, { levels: true })
    const faults = files.flatMap((file) => {
      const claim = { level: "B-LTA", fields: [finished.get(file) ?? ""] } as const
      const all = [...dssFaults(claim, byDss.get(file)), ...pyhankoFaults(claim, byPyhanko.get(file))]
      return all.map((fault) => `${file}: ${fault}`)
    })
    expect(faults).toEqual([])
    expect(files).toHaveLength(STAMPS.length + ANSWERS.length + 2)
  }, 900_000)
})
