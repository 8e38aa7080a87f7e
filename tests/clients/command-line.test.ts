import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"

const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")
const folder = mkdtempSync(join(tmpdir(), "paraph-send-"))
const contract = join(folder, "lease.pdf")
const other = join(folder, "annex.pdf")

describe("paraph send and paraph status", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
    writeFileSync(contract, contractPdf())
    writeFileSync(other, contractPdf())
  })
  afterAll(async () => {
    await service?.close()
    rmSync(folder, { recursive: true })
  })

  const paraph = (words: readonly string[], env: Record<string, string> = {}) => {
    const who = {
      PARAPH_URL: service.url,
      PARAPH_USERNAME: service.username,
      PARAPH_API_KEY: service.demoKey,
    }
    const child = spawn(process.execPath, [PARAPH, ...words], {
      env: { PATH: process.env.PATH, ...who, ...env },
    })
    const said = { stdout: "", stderr: "" }
    child.stdout.on("data", (piece) => (said.stdout += piece))
    child.stderr.on("data", (piece) => (said.stderr += piece))
    return new Promise<typeof said & { readonly code: number | null }>((done) =>
      child.on("close", (code) => done({ ...said, code })),
    )
  }
  const signs = async (signer: string) =>
    (await openSession(service.url, await linkMailedTo(signer))).press("Ada Lovelace")

  it("sends to two in their order, shows who signs as it happens, and writes the signed PDF", async () => {
    const [ann, ben] = [newAddress("ann"), newAddress("ben")]
    const output = join(folder, "signed.pdf")
    const terms = ["--title", "Lease of flat 4", "--message", "Please sign.", "--quality", "SES"]
    const people = ["--to", ann, "--to", ben, "--in-order"]
    const sending = paraph(["send", contract, ...people, ...terms, "--wait", "--output", output, "--json"])
    await signs(ann)
    await signs(ben)
    const { code, stdout, stderr } = await sending
    expect([code, stderr.split("\n").filter((line) => line.includes(": signed")).length]).toEqual([0, 2])
    expect(stderr).toContain(`${ann}: signed (DEMO) at `)
    const told = JSON.parse(stdout)
    expect(told).toMatchObject({
      title: "Lease of flat 4",
      message: "Please sign.",
      status_overall: "SIGNED",
    })
    expect(told.signatures.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2])
    const { bytes } = await service.caller.get(`/v2/documents/${told.document_id}/content`)
    const hash = (of: Uint8Array) => createHash("sha256").update(of).digest("hex")
    expect(hash(readFileSync(output))).toBe(hash(bytes))

    const status = await paraph(["status", told.id])
    expect([status.code, status.stderr]).toEqual([0, ""])
    expect(status.stdout).toContain(`${told.id}  SIGNED  Lease of flat 4\n  ${ann}: signed`)
  })

  it("several files and a last day go by version 3; who declines ends it with 4", async () => {
    await service.paraph(
      "admin",
      "set-feature",
      "--business",
      service.business,
      "--feature",
      "expires_at",
      "--on",
    )
    const signer = newAddress("cem")
    const expires = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const sent = await paraph(["send", contract, other, "--to", signer, "--expires", expires, "--json"])
    expect([sent.code, sent.stderr]).toEqual([0, ""])
    const { id, documents, status_overall, expires_at } = JSON.parse(sent.stdout)
    expect([documents.length, status_overall, expires_at.slice(0, 10)]).toEqual([2, "OPEN", expires])
    const open = await paraph(["status", id])
    expect(open.code).toBe(3)
    expect(open.stdout).toContain(`${signer}: has not opened it yet`)

    const watching = paraph(["status", id, "--watch"])
    await (await openSession(service.url, await linkMailedTo(signer))).decline("No.")
    const watched = await watching
    expect([watched.code, watched.stdout.split("\n")[0]]).toEqual([4, `${id}  DECLINED  lease.pdf`])
    expect(watched.stderr).toContain(`${signer}: declined`)
  })

  it("reads the key from a file, and says in the service's words what it refuses", async () => {
    const file = join(folder, "key")
    writeFileSync(file, "wrong\n", { mode: 0o600 })
    const refused = await paraph(["send", contract, "--to", newAddress("dan")], {
      ...{ PARAPH_API_KEY_FILE: file, PARAPH_API_KEY: service.demoKey },
    })
    expect(refused.code).toBe(0)
    const { PATH = "" } = process.env
    const wrong = await new Promise<{ code: number | null; stderr: string }>((done) => {
      const env = {
        PATH,
        PARAPH_URL: service.url,
        PARAPH_USERNAME: service.username,
        PARAPH_API_KEY_FILE: file,
      }
      const child = spawn(process.execPath, [PARAPH, "status", service.business], { env })
      let stderr = ""
      child.stderr.on("data", (piece) => (stderr += piece))
      child.on("close", (code) => done({ code, stderr }))
    })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toMatch(/\(.*request [0-9a-f-]{36}\)\n$/)
    expect(wrong.stderr).not.toContain("    at ")
    const nowhere = await paraph(["status", service.business])
    expect([nowhere.code, nowhere.stdout]).toEqual([1, ""])
  })
})
