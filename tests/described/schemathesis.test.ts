import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type Api, call, type Json, VERSIONS, type Version, withToken } from "../service/api.ts"
import { isLong } from "../service/long.ts"
import { memberApi } from "../service/members.ts"
import { contractPdf } from "../service/pdf.ts"
import { block } from "../service/pictures.ts"
import { createRequest, newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { nothingUnderWay } from "../service/under-way.ts"
import { until } from "../service/until.ts"
import { addUser } from "../service/users.ts"

const SCHEMATHESIS = resolve(import.meta.dirname, "../../.tools/schemathesis/bin/st")

const CONFIG = join(import.meta.dirname, "schemathesis.toml")

/** Cases for each operation; more may be asked for by hand. */
const CASES = Number(process.env.PARAPH_CASES ?? (isLong ? 200 : 25))
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
const checksOf = (version: Version | "validation/v1"): readonly string[] =>
  CHECKS.filter((check) => version !== "v1" || check !== "content_type_conformance")

describe("the description that the service serves", () => {
  let service: Service
  let folder: string
  let begun: Begun
  beforeAll(async () => {
    service = await startService({ worker: false, validation: true })
    folder = mkdtempSync(join(tmpdir(), "paraph-schemathesis-"))
    writeFileSync(join(folder, "contract.pdf"), contractPdf())
    // What is read sealed is sealed by a worker, once. Afterwards nobody works off what is queued: it took a third of the
    // server's time, and no other answer hangs on it.
    const worker = await service.startWorker()
    const [v1, v2, v3, validation, owner] = await Promise.all([
      ...VERSIONS.map(async (version) => {
        const token = await newBusiness(version)
        return { token, ids: await made(version, token) }
      }),
      validated(),
      owned(),
    ])
    begun = { v1, v2, v3, validation, owner } as Begun
    await worker.kill()
  }, 300_000)
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
    // To these nothing happens any more: a protocol that is there is answered, and a new one would be waited for.
    const reported = [await make("/signature-requests", request)]
    for (const id of reported) await nothingUnderWay(service, id)
    const get = (path: string) => call(service.url, "GET", path, undefined, headers)
    await sealed(reported, (id, lang) => get(`/${version}/signature-requests/${id}/report?lang=${lang}`))
    const group = { name: "G", members: [{ email: "ada@example.com" }] }
    const groups = version === "v3" ? [await make("/groups", group)] : []
    const receipts = version === "v3" ? await receiptsOf(withToken(service.url, token), 2) : []
    const more = { groups, webhooks, reported, "deletion-receipts": receipts }
    return { documents, "signature-requests": requests, ...more }
  }

  const validated = async () => {
    const username = "tester-of-validation"
    const { business = "" } = await service.paraph("admin", "create-business", "--name", username)
    const { token, post, get } = await addUser(service, username, { business })
    const content = contractPdf().toString("base64")
    const made: string[] = []
    // Some can be taken away.
    for (let n = 0; n < 8; n += 1)
      made.push((await post("/validation/v1/validate/document", { content })).body.id)
    const reports = made.slice(0, 2)
    await sealed(reports, (id, lang) => get(`/validation/v1/reports/${id}/pdf?lang=${lang}`))
    return { token, ids: { infos: made, validate: made.slice(2), reports } }
  }

  const owned = async () => {
    const { business = "" } = await service.paraph("admin", "create-business", "--name", "Of an owner")
    const owner = await memberApi(service, "owner", { business })
    return { token: owner.token, ids: await managedBy(owner) }
  }

  type Run = {
    readonly version: Version | "validation/v1"
    readonly token: string
    readonly cases: number
    readonly ids: Readonly<Record<string, readonly string[]>>
    /** Which operations, and in which phases; all of them unless it is said. */
    readonly only?: readonly string[]
  }

  const run = (name: string, { version, token, cases, ids, only = [] }: Run): Promise<Ran> => {
    const cwd = join(folder, name)
    mkdirSync(cwd)
    const words = ["--no-color", "--config-file", CONFIG, "run", `${service.url}/${version}/api-docs`]
    words.push("--max-examples", String(cases), "--checks", checksOf(version).join(","))
    words.push("--workers", "2", "--seed", "1", "--continue-on-failure", "--no-shrink")
    words.push("--generation-database", "none", "--request-timeout", "60")
    words.push("--header", `Authorization: Bearer ${token}`, ...only)
    const env = {
      PATH: process.env.PATH,
      // Otherwise its HTTP client looks for the home folder of the user before every call.
      NETRC: join(cwd, "none"),
      PYTHONPATH: import.meta.dirname,
      PYTHONDONTWRITEBYTECODE: "1",
      SCHEMATHESIS_HOOKS: "hooks",
      PARAPH_PDF: join(folder, "contract.pdf"),
      PARAPH_VERSION: version,
      PARAPH_IDS: JSON.stringify(ids),
      PARAPH_CASES: String(cases),
    }
    return new Promise((done) => {
      execFile(SCHEMATHESIS, words, { cwd, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
      )
    })
  }

  const seenBy = (name: string): Seen =>
    JSON.parse(readFileSync(join(folder, name, "cases.json"), "utf8")) as Seen

  /** As hooks.py counted them: how many cases of the fuzzing phase each operation answered. */
  const casesOf = (version: Version): Readonly<Record<string, number>> => {
    const cases: Record<string, number> = {}
    for (const [operation, phase, , count] of seenBy(version))
      if (phase === "fuzzing") cases[operation] = (cases[operation] ?? 0) + count
    return cases
  }

  // Side by side: half of the time each of them waits for answers.
  it.concurrent.for(VERSIONS)(
    "%s: holds for whatever Schemathesis sends, one call or several in a row",
    { timeout: 30 * MINUTE },
    async (version, { expect }) => {
      const { code, output } = await run(version, { version, cases: CASES, ...begun[version] })
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

  it.concurrent("[ERR-06 val] validation v1: holds for whatever Schemathesis sends", {
    timeout: 30 * MINUTE,
  }, async ({ expect }) => {
    const only = ["--phases", "examples,coverage,fuzzing"]
    const cases = Math.min(CASES, 60)
    const ran = await run("validation", { version: "validation/v1", cases, only, ...begun.validation })
    expect(ran.code, ran.output.slice(-20_000)).toBe(0)
    const seen = seenBy("validation")
    const operations = new Set(seen.map(([operation]) => operation))
    const good = new Set(seen.flatMap(([operation, , status]) => (status < 300 ? [operation] : [])))
    expect(operations.size).toBe(12)
    // Nobody can make up a key; and a page that looks different takes a document that was changed.
    expect([...operations].filter((operation) => !good.has(operation)).sort()).toEqual([
      "GET /infos/{id}/differences/{n}",
      "POST /access/login",
    ])
  })

  // A key may do none of it: what a business manages is for its people.
  it.concurrent("v3: holds for what the owner of a business manages", {
    timeout: 30 * MINUTE,
  }, async ({ expect }) => {
    const only = ["--include-path-regex", MANAGED, "--phases", "examples,coverage,fuzzing"]
    const ran = await run("owner", { version: "v3", cases: 15, only, ...begun.owner })
    expect(ran.code, ran.output.slice(-20_000)).toBe(0)
    const seen = seenBy("owner")
    const operations = new Set(seen.map(([operation]) => operation))
    const good = new Set(seen.flatMap(([operation, , status]) => (status < 300 ? [operation] : [])))
    expect(operations.size).toBeGreaterThan(30)
    expect([...operations].filter((operation) => !good.has(operation)).sort()).toEqual(NEVER_GOOD)
    // An owner may do everything here.
    expect(seen.filter(([, , status]) => status === 403)).toEqual([])
  })
})

const MANAGED =
  "^/(members|api-keys|audit-log|deletion-receipts|export|settings|templates|usage|mails|webhooks)"
/** What nobody can make up: a provider, a picture, a mail and a delivery where nobody works, what a template asks for. */
const NEVER_GOOD = [
  "DELETE /settings/single-sign-on",
  "GET /mails/{id}",
  "POST /templates/{id}/signature-requests",
  "POST /webhooks/{id}/deliveries/{delivery_id}/replay",
  "PUT /settings/logo",
  "PUT /settings/single-sign-on",
]

/** Eight of each kind, so that some can be taken away. */
async function managedBy(owner: Api): Promise<Readonly<Record<string, readonly string[]>>> {
  const make = async (path: string, bodyOf: (n: number) => Json): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let n = 0; n < 8; n++) ids.push((await owner.post(`/v3${path}`, bodyOf(n))).body.id)
    return ids
  }
  await owner.put("/v3/settings/logo", block(9, 9, [0, 90, 90]), { "content-type": "image/png" })
  return {
    members: await make("/members", (n) => ({ email: newAddress(`m${n}`), role: "member" })),
    "api-keys": await make("/api-keys", (n) => ({ name: `Key ${n}`, kind: "demo" })),
    templates: await make("/templates", (n) => ({
      name: `T ${n}`,
      request: { signatures: [{ label: "Tenant" }] },
    })),
    "deletion-receipts": await receiptsOf(owner, 8),
    webhooks: await make("/webhooks", () => ({ url: "https://hooks.example.com/paraph" })),
  }
}

/** Of requests that were deleted, as soon as the log has signed all of them. */
async function receiptsOf(api: Api, count: number): Promise<readonly string[]> {
  const document = await uploadTo(api, "v3")
  for (let n = 0; n < count; n++) {
    const { id } = (await createRequest(api, "v3", document)).body
    await api.delete(`/v3/signature-requests/${id}`)
  }
  const receipts: { id: string }[] = (await api.get("/v3/deletion-receipts")).body
  await until("the log has all of them", async () => {
    const statuses: number[] = []
    for (const { id } of receipts) statuses.push((await api.get(`/v3/deletion-receipts/${id}/story`)).status)
    return statuses.every((status) => status === 200)
  })
  return receipts.map(({ id }) => id)
}

/** Each in every language, one after the other until none of them is waited for any more. */
async function sealed(
  ids: readonly string[],
  ask: (id: string, lang: string) => Promise<{ readonly status: number }>,
): Promise<void> {
  for (const id of ids)
    await until("all are sealed", async () => {
      const statuses: number[] = []
      for (const lang of ["en", "de", "fr", "it"]) statuses.push((await ask(id, lang)).status)
      return statuses.every((status) => status === 200)
    })
}

/** Who calls, and what there is to begin with. */
type Begun = Readonly<
  Record<
    Version | "validation" | "owner",
    { readonly token: string; readonly ids: Readonly<Record<string, readonly string[]>> }
  >
>

type Ran = { readonly code: number; readonly output: string }

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
