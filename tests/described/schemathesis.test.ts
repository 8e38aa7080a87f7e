import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { call, type Json, VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const SCHEMATHESIS = resolve(import.meta.dirname, "../../.tools/schemathesis/bin/st")

const CONFIG = join(import.meta.dirname, "schemathesis.toml")

/** Cases for each operation; more may be asked for by hand. */
const CASES = Number(process.env.PARAPH_CASES ?? 200)
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

describe("the description that the service serves", () => {
  let service: Service
  let folder: string
  beforeAll(async () => {
    // Nobody works off what is queued: it took a third of the server's time, and no answer hangs on it.
    service = await startService({ worker: false })
    folder = mkdtempSync(join(tmpdir(), "paraph-schemathesis-"))
    writeFileSync(join(folder, "contract.pdf"), contractPdf())
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service?.close()
  })

  /** For each version a business of its own, so that none uses up the limits of another: logged in for an hour, as v1 has it. */
  const newBusiness = async (version: Version): Promise<string> => {
    const username = `tester-of-${version}`
    const { business = "" } = await service.paraph("admin", "create-business", "--name", username)
    await service.paraph("admin", "create-user", "--business", business, "--username", username)
    const key = await service.paraph("admin", "create-key", "--user", username, "--kind", "demo")
    const form = new URLSearchParams({ username, "api-key": key["api-key"] ?? "" }).toString()
    const type = { "content-type": "application/x-www-form-urlencoded" }
    return (await call(service.url, "POST", "/v1/access/login", form, type)).bytes.toString()
  }

  /** Something of each kind, to begin with. */
  const made = async (version: Version, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const make = async (path: string, body: Json): Promise<string> =>
      (await call(service.url, "POST", `/${version}${path}`, body, headers)).body.id
    const content = contractPdf().toString("base64")
    const documents = [await make("/documents", { title: "C", content })]
    const signer = version === "v1" ? "signer_email_address" : "account_email"
    const request = { title: "C", document_id: documents[0], signatures: [{ [signer]: "ada@example.com" }] }
    const requests = [await make("/signature-requests", request), await make("/signature-requests", request)]
    const url = "https://hooks.example.com/paraph"
    const webhooks = version === "v1" ? [] : [await make("/webhooks", { url })]
    const group = { name: "G", members: [{ email: "ada@example.com" }] }
    const groups = version === "v3" ? [await make("/groups", group)] : []
    return { documents, "signature-requests": requests, groups, webhooks }
  }

  const run = async (version: Version): Promise<{ readonly code: number; readonly output: string }> => {
    const cwd = join(folder, version)
    mkdirSync(cwd)
    const token = await newBusiness(version)
    const words = ["--no-color", "--config-file", CONFIG, "run", `${service.url}/${version}/api-docs`]
    words.push("--max-examples", String(CASES), "--checks", checksOf(version).join(","))
    words.push("--workers", "2", "--seed", "1", "--continue-on-failure", "--no-shrink")
    words.push("--generation-database", "none", "--request-timeout", "60")
    words.push("--header", `Authorization: Bearer ${token}`)
    const env = {
      PATH: process.env.PATH,
      // Otherwise its HTTP client looks for the home folder of the user before every call.
      NETRC: join(cwd, "none"),
      PYTHONPATH: import.meta.dirname,
      PYTHONDONTWRITEBYTECODE: "1",
      SCHEMATHESIS_HOOKS: "hooks",
      PARAPH_PDF: join(folder, "contract.pdf"),
      PARAPH_VERSION: version,
      PARAPH_IDS: JSON.stringify(await made(version, token)),
      PARAPH_CASES: String(CASES),
    }
    return new Promise((done) => {
      execFile(SCHEMATHESIS, words, { cwd, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
      )
    })
  }

  /** As hooks.py counted them: how many cases of the fuzzing phase each operation answered. */
  const casesOf = (version: Version): Readonly<Record<string, number>> => {
    const seen = JSON.parse(readFileSync(join(folder, version, "cases.json"), "utf8")) as Seen
    const cases: Record<string, number> = {}
    for (const [operation, phase, , count] of seen)
      if (phase === "fuzzing") cases[operation] = (cases[operation] ?? 0) + count
    return cases
  }

  // Side by side: half of the time each of them waits for answers.
  it.concurrent.for(VERSIONS)(
    "%s: holds for whatever Schemathesis sends, one call or several in a row",
    { timeout: 30 * MINUTE },
    async (version, { expect }) => {
      const { code, output } = await run(version)
      expect(code, output.slice(-20_000)).toBe(0)
      // It did look: at every operation, in every phase, and requests were made on the way.
      const [, selected, all, tested] = /Selected: (\d+)\/(\d+)\s+Tested: (\d+)/.exec(output) ?? []
      expect([selected, tested]).toEqual([all, all])
      expect(output).toMatch(/✅ Stateful/)
      expect(Number(/Scenarios: +(\d+)/.exec(output)?.[1])).toBeGreaterThanOrEqual(CASES)
      const cases = Object.entries(casesOf(version))
      expect(cases).toHaveLength(Number(all))
      const varied = await operationsThatVary(service.url, version)
      expect(cases.filter(([operation, count]) => count < CASES && varied.has(operation))).toEqual([])
      expect(
        Number(await service.sql("select count(*) from event where type = 'signature_request.created'")),
      ).toBeGreaterThan(10)
    },
  )
})

/** Operation, phase, status, how many. */
type Seen = readonly (readonly [string, string, number, number])[]

/** Of an operation without a parameter and without a body there is one case. */
async function operationsThatVary(url: string, version: Version): Promise<ReadonlySet<string>> {
  const { body } = await call(url, "GET", `/${version}/api-docs`, undefined, {})
  const paths: [string, Record<string, Json>][] = Object.entries(body.paths)
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  return new Set(
    operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).length > 0 || operation.requestBody !== undefined ? [name] : [],
    ),
  )
}
