import { createHash } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { type IncomingMessage, request as plainRequest } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { checkStory } from "@paraph/evidence/check-story"
import { readStory } from "@paraph/evidence/story"
import { readVerifierKey } from "@paraph/tlog/note-key"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { templateOf } from "../../scripts/stack/template.ts"
import type { Api, Json } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
import { createRequest, newAddress, sentTo, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { sharedStack } from "../service/settings.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { filesIn } from "../service/zip.ts"

describe("an export", () => {
  let service: Service
  let owner: Api & { readonly email: string }
  let archive: Buffer
  let files: ReadonlyMap<string, Buffer>
  let signed: Json
  let draft: string
  let ofOthers: string
  let gone: string
  let loose: string
  const text = (path: string): string => files.get(path)?.toString("utf8") ?? ""

  beforeAll(async () => {
    service = await startService()
    const business = await addBusiness(service, "Other AG")
    owner = await memberApi(service, "owner")
    const [colleague, stranger] = [
      await addUser(service, "colleague"),
      await addUser(service, "stranger", { business }),
    ]
    const email = newAddress("exported")
    const { id } = await sentTo(service.caller, "v2", [email])
    const note = {
      filename: "Annex.pdf",
      content_type: "application/pdf",
      content: contractPdf().toString("base64"),
    }
    await service.caller.post(`/v2/signature-requests/${id}/attachments`, note)
    await (await openSession(service.url, await linkMailedTo(email))).press("Ada Lovelace")
    signed = await until("it is signed", async () => {
      const { body } = await service.caller.get(`/v3/signature-requests/${id}`)
      return body.status_overall === "SIGNED" && body
    })
    draft = (await createRequest(service.caller, "v3", await uploadTo(service.caller, "v3"))).body.id
    ofOthers = (await createRequest(colleague, "v3", await uploadTo(colleague, "v3"))).body.id
    loose = await uploadTo(service.caller, "v3", "Of no request")
    await createRequest(stranger, "v3", await uploadTo(stranger, "v3"))
    gone = (await createRequest(service.caller, "v3", await uploadTo(service.caller, "v3"))).body.id
    await service.caller.delete(`/v3/signature-requests/${gone}`)
    // A head is signed once a minute.
    service.moveClock(61_000)
    await until("the log has signed all of it", async () => {
      const [last, events] = (
        await service.sql("select (select max(size) from log_checkpoint), (select count(*) from evidence)")
      ).split("|")
      return last === events
    })
    const answer = await owner.get("/v3/export")
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"])
    expect(answer.headers.get("link")).toBeNull()
    archive = answer.bytes
    files = filesIn(archive)
  }, 300_000)
  afterAll(() => service?.close())

  it("has every request of the business, whoever made it, with its documents, and a list of all files", async () => {
    const of = (id: string) => [...files.keys()].filter((path) => path.startsWith(`requests/${id}/`)).sort()
    const [document] = signed.documents
    const { attachments } = signed
    expect(of(signed.id)).toEqual([
      `requests/${signed.id}/attachments/${attachments[0].attachment_id}`,
      `requests/${signed.id}/documents/${document.id}.original.pdf`,
      `requests/${signed.id}/documents/${document.id}.pdf`,
      `requests/${signed.id}/request.json`,
      `requests/${signed.id}/story.json`,
    ])
    for (const id of [draft, ofOthers])
      expect(of(id).map((path) => path.split("/")[2])).toContain("request.json")
    expect(new Set([...files.keys()].map((path) => path.split("/").slice(0, 2).join("/")))).toEqual(
      new Set([
        ...[signed.id, draft, ofOthers].map((id) => `requests/${id}`),
        `documents/${loose}`,
        ...[...files.keys()].filter((path) => /^(receipts|log|manifest)/.test(path)),
      ]),
    )
    const manifest = JSON.parse(text("manifest.json"))
    expect(manifest).toMatchObject({
      format: "paraph-export/1",
      business: { id: service.business, name: "Acme AG" },
      kind: "demo",
      is_last: true,
    })
    const listed = [...files]
      .filter(([path]) => path !== "manifest.json")
      .map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }))
    expect(manifest.files).toEqual(listed)
  })

  it("is checked by `paraph verify` without the service, and holds", async () => {
    const folder = await mkdtemp(join(tmpdir(), "paraph-export-"))
    try {
      const [file, key] = [join(folder, "all.zip"), join(folder, "log.key")]
      await writeFile(file, archive)
      await writeFile(key, await (await fetch(`${service.url}/log/demo/key`)).text())
      const roots = [templateOf(sharedStack().dir).rootFiles.demo, sharedStack().env.TRUST_ANCHORS_FILE ?? ""]
      const trust = roots.flatMap((root) => ["--trust", root])
      const at = ["--at", new Date(Date.now() + 120_000).toISOString()]
      const told = await service.paraph("verify", file, "--log-key", key, ...trust, ...at, "--json")
      expect(told).toMatchObject({
        standing: "holds",
        archives: [{ business: "Acme AG", signed: 1, stories: 4, faults: [], files: files.size - 1 }],
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it("has what the interface answers, and the bytes that it answers", async () => {
    const [document] = signed.documents
    const folder = `requests/${signed.id}`
    const told = JSON.parse(text(`${folder}/request.json`))
    expect({ ...told, signatures: [] }).toEqual({ ...signed, signatures: [] })
    for (const [path, id] of [
      [`${document.id}.pdf`, document.version_id],
      [`${document.id}.original.pdf`, document.id],
    ]) {
      const { bytes } = await service.caller.get(`/v3/documents/${id}/content`, { accept: "application/pdf" })
      expect(files.get(`${folder}/documents/${path}`)?.equals(bytes)).toBe(true)
    }
    expect(
      files.get(`${folder}/attachments/${signed.attachments[0].attachment_id}`)?.equals(contractPdf()),
    ).toBe(true)
  })

  it("has stories and receipts that hold by the log's key, without the service", () => {
    const key = readVerifierKey(text("log/key.txt").trim())
    const stories = [...files.keys()].filter((path) => /story\.json$|^receipts/.test(path))
    expect(stories).toHaveLength(4)
    for (const path of stories) {
      const { faults, events } = checkStory(readStory(text(path)), key)
      expect([path, faults, events.length > 0]).toEqual([path, [], true])
    }
    const [receipt = ""] = stories.filter((path) => path.startsWith("receipts"))
    expect(checkStory(readStory(text(receipt)), key).events[0]?.data).toMatchObject({ story: gone })
    const types = checkStory(readStory(text(`requests/${signed.id}/story.json`)), key).events.map(
      ({ type }) => type,
    )
    expect(types).toEqual(
      expect.arrayContaining(["request.created", "signature.signed", "request.completed"]),
    )
  })

  it("is for owners and admins, as people, of what keys of that kind made; and is on record", async () => {
    for (const api of [service.caller, await memberApi(service, "developer")])
      expect((await api.get("/v3/export")).status).toBe(403)
    const production = await memberApi(service, "admin", { kind: "production" })
    const empty = filesIn((await production.get("/v3/export")).bytes)
    expect([...empty.keys()].filter((path) => path.startsWith("requests"))).toEqual([])
    expect((await owner.get("/v3/export?cursor=none")).status).toBe(400)
    const [entry] = (await owner.get("/v3/audit-log")).body.filter(
      ({ act, after }: Json) => act === "export" && after.kind === "demo",
    )
    expect(entry).toMatchObject({
      actor: owner.email,
      after: { kind: "demo", requests: 3, documents: 1, receipts: 1 },
    })
  })

  it("goes on from a place", async () => {
    const first = await service.sql(
      "select to_char(created_at at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') || ' ' || id from signature_request order by created_at limit 1",
    )
    const cursor = Buffer.from(`after request ${first}`).toString("base64url")
    const rest = filesIn((await owner.get(`/v3/export?cursor=${cursor}`)).bytes)
    const ids = new Set([...rest.keys()].flatMap((path) => /^requests\/([^/]+)/.exec(path)?.[1] ?? []))
    expect(ids.has(signed.id)).toBe(false)
    expect(ids.has(draft) && ids.has(ofOthers)).toBe(true)
  })

  it("is made one at a time", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => owner.get("/v3/export")))
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("60")
  })

  it("is read as slowly as somebody likes, and meanwhile the business works and signs", async () => {
    const large = pdfOfSize(30_000_000)
    const uploaded = await service.caller.post("/v3/documents", {
      title: "Large",
      content: large.toString("base64"),
    })
    const answer = await beginReading(service, owner)
    const pieces: Buffer[] = []
    await new Promise<void>((resolve) =>
      answer.once("data", (piece: Buffer) => {
        answer.pause()
        pieces.push(piece)
        resolve()
      }),
    )
    const email = newAddress("meanwhile")
    const { id } = await sentTo(service.caller, "v2", [email])
    await (await openSession(service.url, await linkMailedTo(email))).press("Ada Lovelace")
    await until("it is signed", async () => {
      const { body } = await service.caller.get(`/v3/signature-requests/${id}`)
      return body.status_overall === "SIGNED"
    })
    expect((await owner.patch("/v3/settings", { retention_days: 400 })).status).toBe(200)
    // It is still there, and holds neither a row nor a place of the database.
    expect((await owner.get("/v3/export")).status).toBe(429)
    expect(
      await service.sql(
        "select count(*) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
      ),
    ).toBe("0")
    for await (const piece of answer) pieces.push(piece as Buffer)
    const read = filesIn(Buffer.concat(pieces))
    expect(read.get(`documents/${uploaded.body.id}/${uploaded.body.id}.pdf`)?.equals(large)).toBe(true)
    expect(read.has(`requests/${id}/request.json`)).toBe(false)
  })

  it("ends with a reader who goes away, so that the next one can begin", async () => {
    const answer = await beginReading(service, owner)
    answer.once("data", () => answer.destroy())
    await until("the next one begins", async () => {
      const { status } = await owner.get("/v3/export")
      if (status !== 200) await pause(100)
      return status === 200
    })
  })
})

const beginReading = ({ url }: Service, { token }: Api): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    plainRequest(`${url}/v3/export`, { headers }, resolve).once("error", reject).end()
  })

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex")
