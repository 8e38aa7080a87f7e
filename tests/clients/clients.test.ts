import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Json } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const TOOLS = resolve(import.meta.dirname, "../../.tools/clients")

/** Public clients that others wrote for this family of interfaces; only the base address is ours (docs/interface/clients.md). */
describe("a public client, unchanged,", () => {
  let service: Service
  let folder: string
  beforeAll(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), "paraph-clients-"))
    writeFileSync(join(folder, "contract.pdf"), contractPdf())
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service?.close()
  })

  const run = (client: string): Promise<Json> => {
    const asked = {
      url: service.url,
      username: service.username,
      key: service.demoKey,
      pdf: join(folder, "contract.pdf"),
    }
    return new Promise((done, fail) => {
      const python = join(TOOLS, client, "bin/python")
      const child = execFile(
        python,
        [join(import.meta.dirname, `drive-${client}.py`)],
        (error, stdout, stderr) =>
          error === null ? done(JSON.parse(stdout)) : fail(new Error(`${client}: ${stderr}`)),
      )
      child.stdin?.end(JSON.stringify(asked))
    })
  }

  it("skribble-sdk 0.17: logs in, uploads, creates with signers, lists, reminds and deletes", async () => {
    const told = await run("skribble-sdk")
    expect(told.created).toMatchObject({ title: "Contract", status_overall: "OPEN", message: "Please sign" })
    expect(told.created.signatures).toHaveLength(2)
    expect(told).toMatchObject({
      updated: "Contract, again",
      replaced: ["emil@example.com"],
      reminded: expect.any(String),
      withdrawn: "WITHDRAWN",
      attachment: "notes",
      deleted: "success",
      download: "%PDF-",
    })
    expect(told.listed).toContain(told.created.id)
    expect(told.bySigner).toContain(told.created.id)
    expect(told.read).toContain("ada@example.com")
    expect(told.preview).toBeGreaterThan(100)
  })

  it("skribble 0.2.0: logs in, uploads, creates with signers, lists, reminds and deletes", async () => {
    const told = await run("skribble")
    expect(told.created).toMatchObject({
      title: "Contract",
      status_overall: "OPEN",
      cc_email_addresses: ["cc@example.com"],
      signatures: [{ account_email: "ada@example.com" }, { account_email: "bob@example.com" }],
    })
    expect(told.listed).toContain(told.created.id)
    expect(told).toMatchObject({
      updated: "Contract, again",
      bulk: [expect.any(String), told.created.id],
      reminded: told.created.id,
      // One reminder per signer and hour.
      again: 429,
      callbacks: [],
      withdrawn: "WITHDRAWN",
      attachment: "notes",
      gone: 404,
      download: "%PDF-",
      health: "UP",
    })
  })
})
