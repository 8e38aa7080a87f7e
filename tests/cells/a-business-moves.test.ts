import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { templateOf } from "../../scripts/stack/template.ts"
import { call } from "../service/api.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { sharedStack } from "../service/settings.ts"
import { until } from "../service/until.ts"
import { type Integrator, sha256, signByLink, startIntegrator } from "./integrator.ts"
import { type Business, type Region, startRegion } from "./region.ts"

describe("a business that is moved from one cell to another while everybody works", {
  timeout: 300_000,
}, () => {
  let region: Region
  let receiver: Receiver
  let moving: Business
  let staying: Business
  let theirs: Integrator
  let others: Integrator
  /** What the journal told before, and where it was to be read on. */
  let told: { readonly ids: readonly string[]; readonly next: string }

  beforeAll(async () => {
    region = await startRegion()
    receiver = await startReceiver()
    ;[moving, staying] = await Promise.all([
      region.a.newBusiness("acme-moves"),
      region.b.newBusiness("globex-stays"),
    ])
    theirs = startIntegrator(region.url, moving, `${receiver.url}/acme`)
    others = startIntegrator(region.url, staying, `${receiver.url}/globex`)
    // Some are signed, some wait for their mail, and some for their signature.
    await until("both have begun", () => theirs.acknowledged.length > 5 && others.acknowledged.length > 5)
    await until("somebody has signed", () => receiver.received.some(({ path }) => path.startsWith("/acme")))
  })
  afterAll(async () => {
    await receiver?.close()
    await region?.close()
  })

  async function eventsFrom(
    after: string | null,
  ): Promise<{ readonly ids: readonly string[]; readonly next: string }> {
    const ids: string[] = []
    for (let next = after; ; ) {
      const { body } = await theirs.ask(
        "GET",
        `/v3/events?page_size=500${next === null ? "" : `&after=${next}`}`,
      )
      ids.push(...body.events.map(({ id }: { id: string }) => id))
      next = body.next
      if (!body.has_more) return { ids, next: body.next }
    }
  }

  it("is in the other cell, and each of its integrator's calls was answered, or asked to come again", async () => {
    const before = theirs.acknowledged.length
    told = await eventsFrom(null)
    const { code, out, err } = await region.paraph([
      "cells",
      "move",
      "--business",
      moving.id,
      "--to",
      "b",
      "--grace",
      "3",
      "--json",
    ])
    expect({ code, err }).toMatchObject({ code: 0 })
    const moved = JSON.parse(out)
    expect(moved.rows).toBeGreaterThan(100)
    const after = theirs.acknowledged.length
    await until("they go on in the new cell", () => theirs.acknowledged.length > after + 5)
    await Promise.all([theirs.stop(), others.stop()])
    expect(before).toBeLessThan(after + 5)
    for (const { status, retryAfter } of theirs.refused) {
      expect([401, 409, 503]).toContain(status)
      if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    await writeFile(join(region.folder, "moved.json"), out)
  })

  it("has lost no request: each is there, is signed, and has its documents byte by byte", async () => {
    for (const { signer, pressed } of theirs.acknowledged) if (!pressed) await signByLink(region.url, signer)
    for (const { requestId, documentId, sha256: sum } of theirs.acknowledged) {
      const signed = await until(`${requestId} is signed`, async () => {
        const { body } = await theirs.ask("GET", `/v2/signature-requests/${requestId}`)
        return body.status_overall === "SIGNED" && body
      })
      const content = await theirs.ask("GET", `/v2/documents/${documentId}/content`)
      expect(sha256(content.bytes)).toBe(sum)
      const newest = await theirs.ask("GET", `/v2/documents/${signed.document_id}/content`)
      expect(newest.bytes.subarray(0, 5).toString()).toBe("%PDF-")
    }
    const ids = theirs.acknowledged.map(({ requestId }) => `'${requestId}'`).join()
    expect(await region.b.sql(`select count(*) from signature_request where id in (${ids})`)).toBe(
      String(theirs.acknowledged.length),
    )
    // And none twice: what was repeated was repeated with its Idempotency-Key.
    expect(
      await region.b.sql(`select count(*) from signature_request where business_id = '${moving.id}'`),
    ).toBe(String(theirs.acknowledged.length))
  })

  it("has made every callback that was owed", async () => {
    const called = () => new Set(receiver.received.map(({ path }) => path.split("/")[2]))
    for (const { requestId } of theirs.acknowledged)
      await until(`${requestId} is called back`, () => called().has(requestId))
  })

  it("has its evidence in the log of the new cell, and what the old one has of it holds too", async () => {
    await until(
      "nothing waits for its place in the log",
      async () => (await region.b.sql("select count(*) from log_waiting")) === "0",
    )
    for (const cell of [region.a, region.b]) {
      const { code, out } = await cell.check(["log", "check"])
      expect({ cell: cell.name, code, out: out.trim() }).toEqual({
        cell: cell.name,
        code: 0,
        out: '{"holds":true,"findings":[]}',
      })
    }
    const [first] = theirs.acknowledged
    const report = await until("the report is sealed", async () => {
      const { bytes } = await theirs.ask("GET", `/v2/signature-requests/${first?.requestId}/report`)
      return bytes.subarray(0, 5).toString() === "%PDF-" && bytes
    })
    const key = await call(region.url, "GET", "/cells/b/log/demo/key", undefined, {})
    expect(key.bytes.toString()).toMatch(/^localhost:\d+\/cells\/b\/log\/demo\+/)
    const [pdf, logKey] = [join(region.folder, "report.pdf"), join(region.folder, "log.key")]
    await writeFile(pdf, report)
    await writeFile(logKey, key.bytes)
    const roots = [templateOf(sharedStack().dir).rootFiles.demo, sharedStack().env.TRUST_ANCHORS_FILE ?? ""]
    const trust = roots.flatMap((root) => ["--trust", root])
    const at = ["--at", new Date(Date.now() + 120_000).toISOString()]
    const verified = await region.paraph(["verify", pdf, "--log-key", logKey, ...trust, ...at, "--json"])
    expect(JSON.parse(verified.out)).toMatchObject({ standing: "holds" })
  })

  it("has left nothing in the old cell but what its logs refer to, and no object", async () => {
    const tables = [
      "signature_request",
      "signature",
      "document",
      "delivery",
      "event",
      "webhook",
      "api_user",
      "api_key",
      "business_key",
      "story_key",
    ]
    for (const table of tables) {
      const column =
        table === "signature"
          ? "request_id in (select id from signature_request where business_id"
          : "business_id"
      const end = table === "signature" ? ")" : ""
      expect([
        table,
        await region.a.sql(`select count(*) from ${table} where ${column} = '${moving.id}'${end}`),
      ]).toEqual([table, "0"])
    }
    expect(await region.a.sql(`select leaving, name from business where id = '${moving.id}'`)).toBe(
      "moved|moved",
    )
    expect(
      await region.a.sql(`select count(*) from jobs.job where data ->> 'businessId' = '${moving.id}'`),
    ).toBe("0")
    // What the move let go is due at once. An upload that it cut off between its object and its row is due after an hour, as any other,
    // and no document was ever made of it.
    const left = (where: string) => region.a.sql(`select name from loose_blob where ${where}`)
    await until(
      "the sweep has removed the objects",
      async () => (await left("due_at < now() + interval '50 minutes'")) === "",
    )
    const owned = (await region.b.sql("select blob_name from document")).split("\n")
    const cutOff = (await left("true")).split("\n").filter((name) => name !== "")
    expect(cutOff.filter((name) => owned.includes(name))).toEqual([])
    expect(owned.length).toBeGreaterThan(theirs.acknowledged.length)
    const audited = await region.b.check(["documents", "audit", "--json"])
    expect(audited.code, audited.out).toBe(0)
  })

  it("was no trouble to the other business, which never saw an error", async () => {
    expect(others.refused).toEqual([])
    expect(others.acknowledged.length).toBeGreaterThan(5)
    expect(await readFile(join(region.folder, "moved.json"), "utf8")).toContain("stoodMs")
  })

  it("goes on with its places in the journal, and its key", async () => {
    const since = await eventsFrom(told.next)
    const all = await eventsFrom(null)
    expect(told.ids.length).toBeGreaterThan(5)
    expect(since.ids.length).toBeGreaterThan(5)
    // In the same order, none twice and none lost.
    expect([...told.ids, ...since.ids]).toEqual(all.ids)
    const { code, out } = await region.paraph(["cells", "status", "--json"])
    expect({ code, doubts: JSON.parse(out).doubts }).toEqual({ code: 0, doubts: [] })
  })
})
