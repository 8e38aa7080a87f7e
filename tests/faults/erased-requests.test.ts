import { openCheckpoint } from "@paraph/tlog/checkpoint"
import { readEntryBundle } from "@paraph/tlog/entry-bundle"
import { grow } from "@paraph/tlog/grow"
import { leafHash } from "@paraph/tlog/hash"
import { readVerifierKey } from "@paraph/tlog/note-key"
import { entriesPath, tilesOf } from "@paraph/tlog/tile"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Api, Json } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { dumpOf, filesOf, objectsOf, plantedWords } from "../service/planted.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { isInBucket } from "../service/stored.ts"
import { until } from "../service/until.ts"

const DAY_MS = 86_400_000
/** In each half: most are plain, and some have been through everything. */
const PLAIN = 490
const WHOLE = 10
/** Of one document. */
const TOGETHER = 35
const AT_ONCE = 6

const planted = plantedWords()
const content = contractPdf().toString("base64")

describe("a thousand requests are erased", () => {
  let service: Service
  let receiver: Receiver
  let objects: readonly string[]
  const deleted: string[] = []
  const retired: string[] = []
  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startService()
    // They stay, so that no table is empty at the end.
    await throughEverything(
      service.caller,
      9000,
      () => "somebody",
      (n) => `+4179555${n}`,
    )
    for (const half of [deleted, retired]) {
      if (half === retired)
        await service.paraph("admin", "set-retention", "--business", service.business, "--days", "30")
      const first = half === deleted ? 0 : 500
      half.push(...(await plain(service.caller, first)))
      await inTurns(WHOLE, async (n) => {
        half.push(await throughEverything(service.caller, first + PLAIN + n, (of) => `${planted.word}${of}`))
      })
    }
    objects = (
      await service.sql("select blob_name from document union all select blob_name from attachment")
    ).split("\n")
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await receiver?.close()
  })

  /** Drafts, and some that are open, of people who are only asked. */
  async function plain(api: Api, first: number): Promise<string[]> {
    const ids: string[] = []
    let documentId = ""
    for (let done = 0; done < PLAIN; done += TOGETHER) {
      const title = `${planted.word} Contract ${first + done}`
      documentId = (await api.post("/v2/documents", { title, content })).body.id
      await inTurns(Math.min(TOGETHER, PLAIN - done), async (more) => {
        const n = first + done + more
        const { status, body } = await api.post("/v3/signature-requests", {
          title,
          document_id: documentId,
          message: `Dear ${planted.word} ${n}`,
          signatures: [signerOf(n, (of) => `${planted.word}${of}`, planted.number)],
        })
        expect([status, body.detail]).toEqual([200, undefined])
        if (n % 7 === 0) await api.post(`/v3/signature-requests/${body.id}/initiate`, undefined)
        ids.push(body.id)
      })
    }
    return ids
  }

  /** Mailed, opened, signed or declined, told by calls, observed, with an attachment, and made by a request that can be repeated. */
  async function throughEverything(
    api: Api,
    n: number,
    word: (of: string) => string,
    number = planted.number,
  ): Promise<string> {
    const email = `${word("s")}-${n}@${word("d")}.example`
    const { status, body } = await api.post(
      "/v2/signature-requests",
      {
        title: `${word("title")} ${n}`,
        content,
        message: `${word("message")} ${n}`,
        custom: word("custom"),
        cc_email_addresses: [`cc-${n}@${word("cc")}.example`],
        signatures: [signerOf(n, word, number, email)],
        callback_update_url: `${receiver.url}/${word("update")}/${n}`,
        callback_success_url: `${receiver.url}/${word("success")}/${n}`,
        callback_error_url: `${receiver.url}/${word("error")}/${n}`,
      },
      { "idempotency-key": `${word("key")}-${n}` },
    )
    expect([status, body.message]).toEqual([200, `${word("message")} ${n}`])
    const { id } = body
    const observer = await api.post(`/v3/signature-requests/${id}/observers`, {
      type: "USER",
      email: `o-${n}@${word("observer")}.example`,
    })
    expect(observer.status).toBe(200)
    const attachment = { filename: `${word("file")}.pdf`, content_type: "application/pdf", content }
    expect((await api.post(`/v3/signature-requests/${id}/attachments`, attachment)).status).toBe(200)
    const signer = await openSession(service.url, await linkMailedTo(email))
    const [document] = (await signer.view()).body.documents as Json[]
    expect((await signer.page(document.id)).status).toBe(200)
    if (n % 5 === 0) expect((await signer.decline(word("reason"))).status).toBe(200)
    else expect((await signer.press(word("name"))).status).toBe(202)
    await until("it has ended", async () =>
      ["SIGNED", "DECLINED"].includes((await api.get(`/v3/signature-requests/${id}`)).body.status_overall),
    )
    return id
  }

  const everywhere = async () => ({
    database: planted.foundIn(await dumpOf(service)),
    logs: planted.foundIn(Buffer.from(`${service.api.log()}${service.worker.log()}`)),
    objects: (await objectsOf(service)).map(planted.foundIn).find((found) => found !== null) ?? null,
  })

  it("what was planted is found while they are there: in rows, in the queue, and in files of the database", async () => {
    expect([deleted.length, retired.length, new Set([...deleted, ...retired]).size]).toEqual([500, 500, 1000])
    const { database, logs, objects: inObjects } = await everywhere()
    expect(database).toContain(planted.word)
    // What is stored is sealed, and what is logged names nobody, from the beginning.
    expect([logs, inObjects]).toEqual([null, null])
    expect(planted.foundIn(await filesOf(service))).not.toBeNull()
    const counts = await service.sql(`
      select (select count(*) from mail_log where request_id is not null) > 100,
             (select count(*) from delivery where webhook_id is null) > 20,
             (select count(*) from jobs.job where data ->> 'requestId' is not null) > 100,
             (select count(*) from idempotency_key where answer is not null) >= 20`)
    expect(counts).toBe("t|t|t|t")
    for (const name of objects.slice(0, 20)) expect(isInBucket(service, name)).toBe(true)
  }, 300_000)

  it("[R38] [SR-20] [SR-23] half is deleted, half is out of time: nothing is left in database, bucket and logs", async () => {
    await inTurns(deleted.length, async (n) => {
      expect((await service.caller.delete(`/v3/signature-requests/${deleted[n]}`)).status).toBe(204)
    })
    service.moveClock(31 * DAY_MS)
    const count = async (statement: string) => Number(await service.sql(`select count(*) from ${statement}`))
    await until("all are erased", async () => (await count("erasure")) === 1000, 240_000)
    // What is under way writes for a minute longer; after it nothing can come any more.
    await until(
      "what is owed was sent",
      async () => (await count("jobs.job where state < 'completed'")) === 0,
    )
    service.moveClock(31 * DAY_MS + 3 * 60_000)
    await until(
      "nothing is left elsewhere",
      async () => (await count("erasure where tidy_at is not null")) === 0,
    )
    await until(
      "the documents are gone",
      async () => (await count("document where removing_since is not null")) === 0,
    )
    await until("the objects are gone", async () => (await count("loose_blob")) === 0)

    // With it the planner takes new samples of values: until then it has some of those that are gone.
    const files = await filesOf(service)
    expect(await everywhere()).toEqual({ database: null, logs: null, objects: null })
    expect(planted.foundIn(files)).toBeNull()
    expect(await count("signature_request")).toBe(1)
    const kept = await service.sql(
      "select blob_name from document union all select blob_name from attachment",
    )
    for (const name of objects) expect([name, isInBucket(service, name)]).toEqual([name, kept.includes(name)])
    const reasons = await service.sql(
      "select string_agg(distinct reason || events / events, ' ') from erasure",
    )
    expect(reasons.split(" ").sort()).toEqual(["deleted1", "retention1"])
  }, 300_000)

  it("the tree is whole: its root follows from all entries, and the head is signed", async () => {
    const size = Number(await service.sql("select count(*) from evidence"))
    const ask = async (path: string) =>
      Buffer.from(await (await fetch(`${service.url}/log/demo/${path}`)).arrayBuffer())
    const key = readVerifierKey((await ask("key")).toString().trim())
    const head = await until("a head has all of it", async () => {
      const open = openCheckpoint(await ask("checkpoint"), key)
      return open?.size === size && open
    })
    const leaves: Uint8Array[] = []
    for (const tile of tilesOf(size))
      if (tile.level === 0) leaves.push(...readEntryBundle(await ask(entriesPath(tile))).map(leafHash))
    const none = async () => Buffer.alloc(0)
    const { root } = await grow(0, leaves, none)
    expect(Buffer.from(root).equals(Buffer.from(head.root))).toBe(true)
    expect(leaves.length).toBeGreaterThan(3000)
    const [first = Buffer.alloc(0), second = Buffer.alloc(0), ...rest] = leaves
    const swapped = await grow(0, [second, first, ...rest], none)
    expect(Buffer.from(swapped.root).equals(Buffer.from(head.root))).toBe(false)
  }, 300_000)
})

const signerOf = (
  n: number,
  word: (of: string) => string,
  number: (n: number) => string,
  email = `p-${n}@${word("plain")}.example`,
) => ({
  signer_identity_data: {
    first_name: word("first"),
    last_name: word("last"),
    mobile_number: number(n),
    email_address: email,
  },
})

/** Several at a time, as callers are. */
async function inTurns(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < count) {
      const n = next
      next += 1
      await work(n)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}
