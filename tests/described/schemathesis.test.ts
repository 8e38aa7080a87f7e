import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, type Json, VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const SCHEMATHESIS = resolve(import.meta.dirname, "../../.tools/schemathesis/bin/st")

/**
 * Cases for each operation. Asked for by hand, not in CI yet: with 200 it takes 16 minutes for the three versions and still has
 * findings to look into. With 20 all three pass.
 */
const CASES = process.env.PARAPH_CASES
const MINUTE = 60_000

/** Faults of ours, answers outside the description, and doors that let in whoever has no token. */
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "missing_required_header",
  "ignored_auth",
  "use_after_free",
  "ensure_resource_availability",
]

/** Swagger 2.0 has one list of media types for all answers of an operation, also for those without a body. */
const checksOf = (version: Version): readonly string[] =>
  CHECKS.filter((check) => version !== "v1" || check !== "content_type_conformance")

describe.skipIf(CASES === undefined)("the description that the service serves", () => {
  let service: Service
  let folder: string
  beforeAll(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), "paraph-schemathesis-"))
    writeFileSync(join(folder, "contract.pdf"), contractPdf())
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service?.close()
  })

  /** A token of version 1 lives longest, and is good for all of them. */
  const newToken = async () => {
    const form = new URLSearchParams({ username: service.username, "api-key": service.demoKey }).toString()
    const type = { "content-type": "application/x-www-form-urlencoded" }
    return (await call(service.url, "POST", "/v1/access/login", form, type)).bytes.toString()
  }

  /** Something of each kind, to begin with. */
  const made = async (version: Version) => {
    const make = async (path: string, body: Json) =>
      (await service.caller.post(`/${version}${path}`, body)).body.id
    const content = contractPdf().toString("base64")
    const documents = [await make("/documents", { title: "C", content })]
    const signer = version === "v1" ? "signer_email_address" : "account_email"
    const request = { title: "C", document_id: documents[0], signatures: [{ [signer]: "ada@example.com" }] }
    const requests = [await make("/signature-requests", request), await make("/signature-requests", request)]
    return { documents, "signature-requests": requests, groups: [], webhooks: [] }
  }

  const run = async (version: Version): Promise<{ readonly code: number; readonly output: string }> => {
    const words = ["--no-color", "run", `${service.url}/${version}/api-docs`, "--max-examples", CASES ?? ""]
    words.push(
      "--checks",
      checksOf(version).join(","),
      "--workers",
      "2",
      "--seed",
      "1",
      "--continue-on-failure",
    )
    words.push(
      "--header",
      `Authorization: Bearer ${await newToken()}`,
      "--no-shrink",
      "--request-timeout",
      "60",
    )
    const env = {
      PATH: process.env.PATH,
      PYTHONPATH: import.meta.dirname,
      PYTHONDONTWRITEBYTECODE: "1",
      SCHEMATHESIS_HOOKS: "hooks",
      PARAPH_PDF: join(folder, "contract.pdf"),
      PARAPH_VERSION: version,
      PARAPH_IDS: JSON.stringify(await made(version)),
    }
    return new Promise((done) => {
      execFile(SCHEMATHESIS, words, { cwd: folder, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
      )
    })
  }

  it.each(VERSIONS)(
    "%s: holds for whatever Schemathesis sends, one call or several in a row",
    async (version) => {
      const { code, output } = await run(version)
      expect(code, output.slice(-20_000)).toBe(0)
      // It did look: at every operation, in every phase, and requests were made on the way.
      const [, selected, all, tested] = /Selected: (\d+)\/(\d+)\s+Tested: (\d+)/.exec(output) ?? []
      expect([selected, tested]).toEqual([all, all])
      expect(output).toMatch(/✅ Stateful/)
      expect(
        Number(await service.sql("select count(*) from event where type = 'signature_request.created'")),
      ).toBeGreaterThan(10)
    },
    30 * MINUTE,
  )
})
