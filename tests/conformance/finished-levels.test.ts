// What leaves the service: every finished document is B-LT at least, and B-LTA when nobody else is asked to sign it. Judged by
// EU DSS and pyHanko, offline, with the sandbox's root as their only anchor.

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { startTrust, type Trust } from "../service/trust.ts"
import { until } from "../service/until.ts"
import { dss, pyhanko } from "./judges.ts"
import { dssFaults, pyhankoFaults } from "./level-faults.ts"

const DAY_MS = 86_400_000
let folder = ""
/** How far the clocks of the service and of its authorities are ahead. */
let ahead = 0
let trust: Trust
let service: Service

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-finished-"))
  trust = await startTrust(() => new Date(Date.now() + ahead))
  service = await startService({ env: trust.env })
}, 300_000)
afterAll(async () => {
  await service?.close()
  await trust?.close()
  await rm(folder, { recursive: true })
})

const read = async (id: string) => (await service.caller.get(`/v2/signature-requests/${id}`)).body

async function sent(people: number): Promise<{ readonly id: string; readonly emails: readonly string[] }> {
  const emails = Array.from({ length: people }, (_, n) => `level-${n}-${Date.now()}@example.org`)
  const { body } = await service.caller.post("/v2/signature-requests", {
    title: "Contract",
    content: contractPdf("For the archive.", 2).toString("base64"),
    signatures: emails.map((account_email, n) => ({ account_email, sequence: n + 1 })),
  })
  return { id: body.id, emails }
}

async function pressed(email: string): Promise<void> {
  const session = await openSession(service.url, await linkMailedTo(email))
  expect((await session.press("Ada Lovelace")).status).toBe(202)
}

const isSigned = (id: string, n: number) =>
  until("the mark is made", async () => (await read(id)).signatures[n].status_code === "SIGNED", 240_000)

async function contentOf(id: string): Promise<Buffer> {
  const { document_id: document } = await read(id)
  return (await service.caller.get(`/v2/documents/${document}/content`)).bytes
}

async function keptAs(id: string, name: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, await contentOf(id))
  return file
}

describe("a finished document", () => {
  it("is B-LT after the first of two, and B-LTA after the last: TOTAL-PASSED, now and in ten years", async () => {
    const { id, emails } = await sent(2)
    const fields = (await read(id)).signatures.map(({ sid }: { sid: string }) => `Paraph-${sid}`)
    const files: string[] = []
    for (const [n, email] of emails.entries()) {
      await pressed(email)
      await isSigned(id, n)
      files.push(await keptAs(id, `signed-${n}.pdf`))
    }
    const [first = "", last = ""] = files
    const byDss = await dss({ anchors: [trust.rootFile] }, files)
    const byPyhanko = await pyhanko(trust.rootFile, files, { levels: true })
    const half = { level: "B-LT", fields: fields.slice(0, 1) } as const
    const whole = { level: "B-LTA", fields } as const
    expect(dssFaults(half, byDss.get(first))).toEqual([])
    expect(pyhankoFaults(half, byPyhanko.get(first))).toEqual([])
    expect(dssFaults(whole, byDss.get(last))).toEqual([])
    expect(pyhankoFaults(whole, byPyhanko.get(last))).toEqual([])
  }, 300_000)
})

describe("authorities that fail", () => {
  const OCSP = ["garbage", "unavailable", "unknown", "stale", "wrong-nonce", "try-later", "stranger"] as const
  // Who stamps is not believed while nobody says that its own certificate is good. What else they do: wrong-answers.test.ts.
  const ways = OCSP.map((ocsp) => ({
    of: "TIMESTAMP",
    way: ocsp,
    how: { ocsp, crl: "unavailable" as const },
  }))

  it.each(ways)(
    "leave the signature waiting for $of, and nothing of theirs in it: $way",
    async ({ of, how }) => {
      const { id, emails } = await sent(1)
      const before = await read(id)
      trust.sandbox.misbehave(how)
      await pressed(emails[0] ?? "")
      await until("it says what it waits for", async () => (await read(id)).signatures[0].waiting_for === of)
      expect(await read(id)).toMatchObject({ status_overall: "OPEN", document_id: before.document_id })
      trust.sandbox.misbehave({})
      await isSigned(id, 0)
      const { status_overall, signatures } = await read(id)
      expect([status_overall, signatures[0].waiting_for]).toEqual(["SIGNED", null])
    },
    60_000,
  )
})

describe("a document in the archive", () => {
  const kinds = async (id: string) => {
    const source = bytesSource(await contentOf(id))
    return readSignatures(openPdf(source)).map(({ type }) => type)
  }

  it("is stamped as a whole when the one who was missing is no longer asked", async () => {
    const { id, emails } = await sent(2)
    await pressed(emails[0] ?? "")
    await isSigned(id, 0)
    expect(await kinds(id)).toEqual(["approval"])
    const { sid } = (await read(id)).signatures[1]
    expect((await service.caller.delete(`/v2/signature-requests/${id}/signatures/${sid}`)).status).toBe(204)
    await until("it is stamped", async () => (await kinds(id)).length === 2, 240_000)
    expect(await kinds(id)).toEqual(["approval", "document-timestamp"])
  }, 300_000)

  it("is renewed before the certificate of its time-stamp ends: a new version, told as document.renewed", async () => {
    const { id, emails } = await sent(1)
    await pressed(emails[0] ?? "")
    await isSigned(id, 0)
    const before = await read(id)
    const early = await contentOf(id)
    // The sandbox's time-stamping authority has certificates of two years.
    ahead = (2 * 365 - 60) * DAY_MS
    await service.sql("update api_key set expires_at = expires_at + interval '10 years'")
    service.moveClock(ahead)
    service = { ...service, caller: await createApi(service.url, service.username, service.demoKey) }
    await until(
      "it has a new version",
      async () => (await read(id)).document_id !== before.document_id,
      60_000,
    )
    expect(await kinds(id)).toEqual(["approval", "document-timestamp", "document-timestamp"])
    const renewed = await contentOf(id)
    expect(renewed.subarray(0, early.length).equals(early)).toBe(true)
    expect((await service.caller.get(`/v2/documents/${before.document_id}`)).status).toBe(200)
    const { body } = await service.caller.get("/v2/events?page_size=500")
    const told = body.events.filter(({ type }: { type: string }) => type === "document.renewed")
    expect(told.at(-1).data).toMatchObject({
      signature_request_id: id,
      document_id: (await read(id)).document_id,
    })
  }, 300_000)
})
