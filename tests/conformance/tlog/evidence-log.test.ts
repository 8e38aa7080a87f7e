// The log of a running service, as others see it who do not trust it.

import { createHash } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readTimestampToken } from "@paraph/pki/timestamp-token"
import { openCheckpoint } from "@paraph/tlog/checkpoint"
import { readVerifierKey } from "@paraph/tlog/note-key"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createRequest, uploadTo } from "../../service/requests.ts"
import { type Service, startService } from "../../service/service.ts"
import { until } from "../../service/until.ts"
import { CAN_JUDGE, judge, startWitness } from "./judge.ts"

describe.runIf(CAN_JUDGE)("the log of evidence", { timeout: 300_000 }, () => {
  let folder: string
  let witness: Awaited<ReturnType<typeof startWitness>>
  let service: Service
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "paraph-log-"))
    witness = await startWitness("witness.test", join(folder, "log.key"))
    const env = { LOG_CHECKPOINT_SECONDS: "1", LOG_WITNESSES: `${witness.key} ${witness.url}` }
    service = await startService({ env })
    await makeRequests(3)
    await until("the log has a key", async () => (await get("key")).status === 200)
    await writeFile(join(folder, "log.key"), await (await get("key")).text())
  })
  afterAll(async () => {
    await service?.close()
    witness?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const get = (path: string) => fetch(`${service.url}/log/demo/${path}`)
  const text = async (path: string) => (await get(path)).text()
  const makeRequests = async (count: number) => {
    const documentId = await uploadTo(service.caller, "v2")
    for (let i = 0; i < count; i++) await createRequest(service.caller, "v2", documentId)
  }
  const logKey = async () => readVerifierKey((await text("key")).trim())
  const head = async () => {
    const note = await text("checkpoint")
    const opened = openCheckpoint(Buffer.from(note), await logKey(), [readVerifierKey(witness.key)])
    if (opened === undefined) throw new Error("The head is not signed by the log.")
    return { ...opened, text: note }
  }
  const evidence = async () => Number(await service.sql("select count(*) from evidence"))
  const allIsSigned = () =>
    until("all is in a head", async () => (await head()).size === (await evidence()) && (await head()))

  it("is read by the Go checksum database's own packages, over HTTP, with every older tree", async () => {
    const { size: first } = await allIsSigned()
    await makeRequests(300)
    const { size } = await allIsSigned()
    expect(size).toBeGreaterThan(300)
    const told = await judge(`${service.url}/log/demo`, (await text("key")).trim(), String(first), "257")
    expect(told).toBe(
      `size ${size} root ${Buffer.from((await head()).root).toString("base64")} records ${size} trees 2`,
    )
  })

  it("is witnessed by somebody who has seen that it only grows", async () => {
    await makeRequests(1)
    const { witnesses } = await until("a head is witnessed", async () => {
      const seen = await head()
      return seen.witnesses.length === 1 && seen
    })
    expect(witnesses[0]?.key.name).toBe("witness.test")
    expect(Date.now() - (witnesses[0]?.at?.getTime() ?? 0)).toBeLessThan(120_000)
  })

  it("has a head that was time-stamped, and a check that holds", async () => {
    const stamped = await until("a head is stamped", () =>
      service.sql(
        "select encode(stamp, 'hex') || ' ' || encode(note::bytea, 'hex') from log_checkpoint where stamp is not null limit 1",
      ),
    )
    const [stamp = "", note = ""] = stamped.split(" ")
    const token = readTimestampToken(Buffer.from(stamp, "hex"))
    const sha256 = createHash("sha256").update(Buffer.from(note, "hex")).digest()
    expect(Buffer.from(token.imprint.digest)).toEqual(sha256)
    await writeFile(join(folder, "checkpoint"), await text("checkpoint"))
    const known = ["--checkpoint", join(folder, "checkpoint"), "--key", join(folder, "log.key")]
    expect(await service.paraph("log", "check", ...known)).toEqual({ holds: true, findings: [] })
  })

  it("shows what a signed head has, and nothing else", async () => {
    const { size } = await allIsSigned()
    expect((await get("tile/0/000")).headers.get("cache-control")).toContain("immutable")
    expect((await get("checkpoint")).headers.get("cache-control")).not.toContain("immutable")
    for (const path of [
      "tile/0/999",
      "tile/00/000",
      "tile/0/000.p/0",
      `tile/0/001.p/${size}`,
      "tile/9/000",
      "leaf",
    ])
      expect((await get(path)).status, path).toBe(404)
    expect((await fetch(`${service.url}/log/other/checkpoint`)).status).toBe(404)
    expect((await fetch(`${service.url}/log/demo/checkpoint`, { method: "POST" })).status).toBe(404)
  })

  it("is not signed any more once somebody has changed it, and a check says where", async () => {
    const before = await head()
    // In the last tile of the leaves, from which the next head is made.
    const last = "level = 0 and n = (select max(n) from log_tile where level = 0)"
    const flip = `update log_tile set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0)) where ${last}`
    await service.sql(flip)
    await makeRequests(1)
    await until("it is noticed", () => service.worker.log().includes("the evidence log was changed"))
    expect((await head()).size).toBe(before.size)
    await expect(service.paraph("log", "check")).rejects.toMatchObject({
      stdout: expect.stringContaining('"found":"tile"'),
    })
    await service.sql(flip)
    await makeRequests(1)
    expect((await allIsSigned()).size).toBeGreaterThan(before.size)
  })
})
