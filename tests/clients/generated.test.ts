import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Json } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const BIN = join(ROOT, ".tools/clients/generated/bin")
const DESCRIBED = { v2: "paraph_v2", v3: "paraph_v3", "validation-v1": "paraph_validation_v1" } as const
const VERSIONS = ["v2", "v3", "validation-v1"] as const

/** Somebody who writes Python has no client of ours, and needs none: openapi-python-client makes one from openapi/. */
describe("a client for Python, generated from the blessed description", () => {
  let service: Service
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "paraph-generated-"))
    service = await startService({ worker: false, validation: true })
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service?.close()
  })

  const run = (program: string, words: readonly string[], input = ""): Promise<string> =>
    new Promise((done, fail) => {
      const child = execFile(join(BIN, program), words, (error, stdout, stderr) =>
        error === null ? done(stdout) : fail(new Error(`${stdout}\n${stderr}`)),
      )
      child.stdin?.end(input)
    })

  it.each(VERSIONS)("is made of %s without a warning", async (version) => {
    const into = join(folder, DESCRIBED[version])
    const config = ["--config", join(import.meta.dirname, "generated.yaml")]
    const file = join(ROOT, "openapi", `${version}.json`)
    const words = ["generate", "--path", file, ...config, "--output-path", into, "--meta", "none"]
    const told = await run("openapi-python-client", [...words, "--fail-on-warning"])
    // It breaks long lines.
    expect(told.replace(/\s/g, "")).toBe(`Generating${into}`)
  })

  it("logs in, uploads, creates, lists, reads and validates", async () => {
    const pdf = join(folder, "contract.pdf")
    writeFileSync(pdf, contractPdf())
    const { url, username, demoKey: key } = service
    const driver = join(import.meta.dirname, "drive-generated.py")
    const told: Json = JSON.parse(
      await run("python", [driver], JSON.stringify({ url, username, key, pdf, folder })),
    )
    expect(told).toMatchObject({
      read: { title: "Contract", status_overall: "OPEN", signatures: [{ account_email: "ada@example.com" }] },
      listed: [told.read.id],
      inJson: "Form",
      content: "%PDF-",
      withdrawn: "WITHDRAWN",
      refused: ["Problem", 404],
      draft: "DRAFT",
      initiated: "OPEN",
      signers: 0,
    })
    expect(told.documents).toEqual(expect.arrayContaining(["Contract", "Form", "Draft"]))
    expect(told.events).toBeGreaterThan(2)
  })
})
