import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi } from "../service/api.ts"
import { ROOT } from "../service/papers.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { BLOCKS, NOT_RUN, OPERATORS, RUN } from "./blocks.ts"
import { type Replacements, sitDown } from "./shell.ts"

const home = mkdtempSync(join(tmpdir(), "paraph-home-"))
let sandbox: ChildProcess
let api: Api
let told: Record<"url" | "mails" | "username" | "api-key" | "production-api-key", string>

beforeAll(async () => {
  sandbox = spawn(process.execPath, [join(ROOT, "apps/cli/src/main.ts"), "sandbox", "--ci", "--json"], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["pipe", "pipe", "inherit"],
  })
  const [line] = await once(createInterface({ input: sandbox.stdout as NodeJS.ReadableStream }), "line")
  told = JSON.parse(line)
  // Once: ten logins a minute are left to what is pasted.
  api = await createApi(told.url, told.username, told["api-key"])
})
afterAll(async () => {
  sandbox.stdin?.end()
  await once(sandbox, "exit")
  rmSync(home, { recursive: true })
})

/** Addresses and keys that stand on the pages, as they are here. Who is waited for on a page signs by herself here. */
const replaced = (): Replacements => [
  ["https://sign.example.org", told.url],
  ["http://localhost:8080", told.url],
  ["http://127.0.0.1:8082", told.mails],
  ["api_demo_…", told["api-key"]],
  ['apiKey: "…"', `apiKey: ${JSON.stringify(told["api-key"])}`],
  ["acme-integration", told.username],
  ["ann@example.org", "signs+ann@example.org"],
  ["JVBERi0…", contractPdf().toString("base64")],
]

let pagesRead = 0

/** What a page takes as given: somebody who is logged in, a document, an open request with a callback, a signed one and its PDF. */
async function given(): Promise<Record<string, string>> {
  const content = contractPdf().toString("base64")
  // People of their own for each page: ten mails a minute go to one address.
  pagesRead += 1
  const [tenant, signs] = [`tenant+${pagesRead}@example.org`, `signs+${pagesRead}@example.org`]
  const document = await api.post("/v2/documents", { title: "Lease.pdf", content })
  const request = await api.post("/v2/signature-requests", {
    title: "Lease",
    content,
    signatures: [{ account_email: tenant }, { account_email: signs }],
    callback_update_url: "https://example.org/updated",
  })
  const { id: signed } = (
    await api.post("/v2/signature-requests", {
      title: "Signed",
      content,
      signatures: [{ account_email: signs }],
    })
  ).body
  expect([document.status, request.status, typeof signed]).toEqual([200, 200, "string"])
  const callbacks = await until("somebody has signed, and it was called back", async () => {
    const { body } = await api.get(`/v2/signature-requests/${request.body.id}/callbacks`)
    return body.length > 0 && body
  })
  const { document_id } = await until("one is signed", async () => {
    const { body } = await api.get(`/v2/signature-requests/${signed}`)
    return body.status_overall === "SIGNED" && body
  })
  const { bytes } = await api.get(`/v2/documents/${document_id}/content`)
  writeFileSync(join(home, "signed.pdf"), bytes)
  return {
    TOKEN: api.token,
    AUTH: `authorization: Bearer ${api.token}`,
    SERVICE: told.url,
    PARAPH_API_KEY: told["api-key"],
    DOCUMENT: document.body.id,
    ID: request.body.id,
    SIGNED: signed,
    CALLBACK: callbacks[0].id,
    NEXT: (await api.get("/v2/events?page_size=1")).body.next,
  }
}

const runnable = (file: string) =>
  BLOCKS.filter(
    (each) => each.file === file && RUN.includes(each.language) && NOT_RUN[each.name] === undefined,
  )
const files = [...new Set(BLOCKS.map(({ file }) => file))].filter((file) => runnable(file).length > 0)

/** All of a page in its order; each block that fails is named. */
async function paste(file: string, env: Readonly<Record<string, string>>, here: Replacements): Promise<void> {
  const { run, folder } = sitDown(env, here)
  const failed: string[] = []
  for (const block of runnable(file))
    await run(block).catch(({ message }) => {
      failed.push(`${block.name}\n${message}`)
    })
  rmSync(folder, { recursive: true })
  expect(failed).toEqual([])
}

describe("what a reader pastes, page by page", () => {
  it.each(files.filter((file) => !OPERATORS.includes(file)))("%s", async (file) => {
    await paste(file, { ...(await given()), HOME: home }, replaced())
  })
})

describe("what an operator pastes, beside a service with its own database and HSM", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it.each(files.filter((file) => OPERATORS.includes(file)))("%s", async (file) => {
    const settings = Object.fromEntries(
      Object.entries(service.env).filter(([, value]) => value !== undefined),
    )
    await paste(file, settings, [["<id>", service.business]])
  })
})
