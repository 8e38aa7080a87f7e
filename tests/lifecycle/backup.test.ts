import { execFile, execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { crc32 } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { loadConfig } from "../../apps/server/src/config.ts"
import { openBucket } from "../../apps/server/src/document-parts.ts"
import { makeBucket, s3Keys } from "../../scripts/stack/s3.ts"
import { databaseIn } from "../../scripts/stack/template.ts"
import { createApi, type Json } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort, sharedStack } from "../service/settings.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { filesIn } from "../service/zip.ts"

const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")
const folder = mkdtempSync(join(tmpdir(), "paraph-backup-"))
const copy = join(folder, "copy")
/** Of its own each: what is in one is all there is. */
const BUCKETS = [`from-${randomBytes(6).toString("hex")}`, `to-${randomBytes(6).toString("hex")}`] as const
const second = `paraph_${randomBytes(6).toString("hex")}`

type Said = { readonly code: number; readonly stdout: string; readonly stderr: string }

const typed = (env: Readonly<Record<string, string>>, ...words: string[]) =>
  new Promise<Said>((done) => {
    const all = { PATH: process.env.PATH, ...env }
    execFile(process.execPath, [PARAPH, ...words], { env: all }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })

describe("paraph backup, restore and export", () => {
  let service: Service
  let elsewhere: Readonly<Record<string, string>>
  let signed: Json
  let bytes: Buffer
  const psql = (statement: string) =>
    execFileSync("psql", ["-At", "-c", statement, sharedStack().env.DATABASE_OWNER_URL ?? ""])

  beforeAll(async () => {
    const { dir, env } = sharedStack()
    const { port } = new URL(env.S3_ENDPOINT ?? "")
    for (const bucket of BUCKETS) await makeBucket(Number(port), await s3Keys(dir), bucket)
    service = await startService({ env: { S3_BUCKET: BUCKETS[0] } })
    psql(`create database ${second}`)
    elsewhere = {
      ...{ ...service.env, ...databaseIn(service.env, second) },
      S3_BUCKET: BUCKETS[1],
    }
    const email = newAddress("signer")
    const { id } = await sentTo(service.caller, "v2", [email])
    await sentTo(service.caller, "v3", [newAddress("later")])
    await (await openSession(service.url, await linkMailedTo(email))).press("Ada Lovelace")
    signed = await until("it is signed", async () => {
      const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED" && body
    })
    bytes = Buffer.from((await service.caller.get(`/v2/documents/${signed.document_id}/content`)).bytes)
    // A head is signed once a minute.
    service.moveClock(61_000)
    await until("the log has signed all of it", async () => {
      const sizes = "select (select max(size) from log_checkpoint), (select count(*) from evidence)"
      const [last, events] = (await service.sql(sizes)).split("|")
      return last === events
    })
  }, 180_000)
  afterAll(async () => {
    await service?.close()
    psql(`drop database if exists ${second} with (force)`)
    rmSync(folder, { recursive: true })
  })

  it("a backup lists each file with its SHA-256, and says what is not in it", async () => {
    const { code, stdout, stderr } = await typed(service.env, "backup", copy, "--json")
    expect([code, stderr]).toEqual([0, ""])
    const told = JSON.parse(stdout)
    expect(told).toMatchObject({ format: "paraph-backup/1", missing: [] })
    expect(told["not-included"].join()).toContain("the operator's key")
    const objects = globSync("objects/*/*", { cwd: copy })
    const rows = await service.sql(
      "select (select count(*) from document) + (select count(*) from attachment)",
    )
    expect([objects.length, told.objects.count]).toEqual([Number(rows), Number(rows)])
    const checked = execFileSync("sha256sum", ["--check", "--quiet", "objects.sha256"], { cwd: copy })
    expect(checked.toString()).toBe("")
    expect(await typed(service.env, "backup", copy)).toMatchObject({
      code: 2,
      stderr: `${copy} is not empty.\n`,
    })
  })

  it("[R41] what is not as it was is not restored, and nothing is written over", async () => {
    expect(await typed(service.env, "restore", copy)).toMatchObject({
      ...{ code: 1, stderr: "The database is not empty. Nothing was restored.\n" },
    })
    const [object = ""] = globSync("objects/*/*", { cwd: copy }).map((path) => join(copy, path))
    const before = readFileSync(object)
    writeFileSync(object, Buffer.from(before.map((byte, i) => (i === 7 ? byte ^ 1 : byte))))
    const changed = await typed(elsewhere, "restore", copy)
    expect([changed.code, changed.stderr]).toEqual([
      1,
      `${object} is not what was written. Nothing was restored.\n`,
    ])
    rmSync(object)
    expect((await typed(elsewhere, "restore", copy)).stderr).toBe(
      `${object} is missing. Nothing was restored.\n`,
    )
    writeFileSync(object, before)
  })

  it("says which role it needs before it writes anything, and goes on where an earlier attempt broke off", async () => {
    const { DATABASE_URL = "" } = elsewhere
    const poor = await typed({ ...elsewhere, DATABASE_OWNER_URL: DATABASE_URL }, "restore", copy)
    expect([poor.code, poor.stderr]).toEqual([1, expect.stringContaining("DATABASE_OWNER_URL")])
    const bucket = openBucket(loadConfig({ ...elsewhere }))
    for await (const { name } of bucket.list()) expect.unreachable(name)
    const [object = ""] = globSync("objects/*/*", { cwd: copy })
    const [path, own] = [join(copy, object), object.split("/").at(-1)]
    const content = readFileSync(path)
    const sealed = { path, sizeBytes: content.length, crc32: crc32(content) }
    await bucket.put(`documents/${own}`, sealed)
    bucket.close()
  })

  it("[R41] a restored service has the same bytes, and its evidence holds", async () => {
    const restored = await typed(elsewhere, "restore", copy)
    expect([restored.code, restored.stderr]).toEqual([0, ""])
    expect(restored.stdout).toMatch(/^The service is as it was at .*, with \d+ objects\./)
    const audited = await typed(elsewhere, "documents", "audit", "--json")
    expect([audited.code, JSON.parse(audited.stdout)]).toEqual([
      0,
      { lost: 0, unnamed: 0, "wrong-size": 0, findings: [] },
    ])
    const logged = await typed(elsewhere, "log", "check", "--json")
    expect([logged.code, JSON.parse(logged.stdout)]).toEqual([0, { holds: true, findings: [] }])

    const port = await freePort()
    const url = `http://localhost:${port}`
    const { DATABASE_URL = "", DATABASE_OWNER_URL = "", S3_BUCKET = "" } = elsewhere
    const own = { DATABASE_URL, DATABASE_OWNER_URL, S3_BUCKET, PUBLIC_URL: url, PORT: String(port) }
    await service.startApi(own)
    const api = await createApi(url, service.username, service.demoKey)
    const again = await api.get(`/v2/documents/${signed.document_id}/content`)
    expect(Buffer.from(again.bytes).equals(bytes)).toBe(true)
    const { body } = await api.get(`/v2/signature-requests/${signed.id}`)
    expect(body.status_overall).toBe("SIGNED")
    expect((await typed(elsewhere, "restore", copy)).stderr).toContain("The database is not empty.")
  })

  it("leaves out what no row names, and says what the bucket lacks", async () => {
    const bucket = openBucket(loadConfig({ ...elsewhere }))
    const listed: string[] = []
    for await (const { name } of bucket.list()) listed.push(name)
    const [first = ""] = listed
    await bucket.remove(first)
    const stray = join(folder, "stray")
    writeFileSync(stray, "stray")
    await bucket.put("documents/00-stray", { path: stray, sizeBytes: 5, crc32: crc32("stray") })
    bucket.close()
    const other = join(folder, "other")
    const { code, stdout } = await typed(elsewhere, "backup", other, "--json")
    expect([code, JSON.parse(stdout).missing]).toEqual([1, [first]])
    expect(globSync("objects/*/*", { cwd: other })).toHaveLength(listed.length - 1)
    expect(globSync("objects/*/*stray", { cwd: other })).toEqual([])
  })

  it("says what it did in JSON, for programs", async () => {
    const { business } = service
    for (const [words, shape] of [
      [["doctor"], { works: expect.any(Boolean), parts: expect.any(Array) }],
      [["migrate"], { done: [] }],
      [["keys", "rewrap"], {}],
      [["ca", "list"], { authorities: expect.any(Array) }],
      [["seal", "list", "--business", business], {}],
      [["admin", "list-keys", "--business", business], { keys: expect.any(Array) }],
      [["config", "check"], { usable: true, faults: [] }],
    ] as const) {
      const { stdout } = await typed(service.env, ...words, "--json")
      expect([words, JSON.parse(stdout)]).toEqual([words, expect.objectContaining(shape)])
    }
  }, 60_000)

  it("an owner exports all of it into a file, which paraph verify reads", async () => {
    const owner = await memberApi(service, "owner")
    const output = join(folder, "acme.zip")
    const env = { PARAPH_URL: service.url, PARAPH_TOKEN: owner.token }
    const { code, stdout, stderr } = await typed(env, "export", "--output", output, "--json")
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, "", { files: [output] }])
    const files = filesIn(readFileSync(output))
    expect(files.has(`requests/${signed.id}/story.json`)).toBe(true)
    const { stdout: verified } = await typed({}, "verify", output, "--json")
    expect(JSON.parse(verified).standing).toMatch(/^(holds|unsure)$/)
    const keyed = { PARAPH_URL: service.url, PARAPH_TOKEN: service.caller.token }
    const refused = await typed(keyed, "export", "--output", join(folder, "no.zip"))
    expect([refused.code, readdirSync(folder).includes("no.zip")]).toEqual([1, false])
    expect((await typed(env, "export", "--output", output)).stderr).toContain("not overwritten")
  })
})
