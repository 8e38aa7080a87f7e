import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Json } from "../service/api.ts"
import { openLink, sign, startBrowser } from "../service/browser.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { priceForm, withPrice } from "../service/price-form.ts"
import { type Service, startService } from "../service/service.ts"
import { startTrust, type Trust } from "../service/trust.ts"
import { until } from "../service/until.ts"
import { AT, validate } from "../service/validation.ts"

const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")

/** What a signer saw as 100 is 100000 afterwards: the attack that the review of November 2026 calls B1. */
describe("[B1] a form whose value is changed after it was signed through the service", () => {
  const signer = `ada-${Date.now()}@example.org`
  const folder = mkdtempSync(join(tmpdir(), "paraph-changed-"))
  let trust: Trust
  let service: Service
  let browser: Browser
  let signed: Buffer
  let changed: Buffer

  beforeAll(async () => {
    trust = await startTrust()
    service = await startService({ env: trust.env, validation: true })
    browser = await startBrowser()
    const { caller } = service
    const content = priceForm().toString("base64")
    const created = await caller.post("/v2/signature-requests", {
      title: "Offer",
      content,
      signatures: [{ account_email: signer }],
    })
    await sign(await openLink(browser, await linkMailedTo(signer)), "Ada Lovelace")
    const request = () => caller.get(`/v2/signature-requests/${created.body.id}`)
    const finished = await until("the request is signed", async () => {
      const { body } = await request()
      return body.status_overall === "SIGNED" && body
    })
    signed = (await caller.get(`/v2/documents/${finished.document_id}/content`)).bytes
    changed = withPrice(signed, "100000")
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await trust?.close()
    rmSync(folder, { recursive: true })
  })

  const signersOf = async ({ id }: Json) => (await service.caller.get(`${AT}/infos/${id}/signers`)).body

  it("has its fields locked by the signature", () => {
    const [signature] = readSignatures(openPdf(bytesSource(signed)))
    expect(signature?.fieldMdp).toEqual({ action: "include", fields: ["price", "agreed"] })
  })

  it("is valid as it was signed, without a change to the form", async () => {
    const { body } = await validate(service.caller, signed)
    expect(body).toMatchObject({ valid: true, undefinedChanges: false, visualDifferences: false })
    expect(await signersOf(body)).toMatchObject([{ indication: "TOTAL-PASSED", changes: [] }])
  })

  it("is not valid with another value, which is listed with its field and page", async () => {
    const { body } = await validate(service.caller, changed)
    expect(body).toMatchObject({ valid: false, undefinedChanges: true, visualDifferences: true })
    const [found] = await signersOf(body)
    expect(found).toMatchObject({ valid: false, indication: "TOTAL-FAILED" })
    expect(found.changes).toContainEqual({
      path: "/AcroForm/Fields[0]/V of price",
      kind: "form-fill",
      page: 1,
      picture: null,
      field: "price",
      fill: "replaced",
    })
  })

  it("is flagged, and never called unaltered, where the caller rejects neither", async () => {
    const query = "rejectUndefinedChanges=false&rejectVisualDifferences=false"
    const { body } = await validate(service.caller, changed, query)
    expect(body).toMatchObject({ undefinedChanges: true, visualDifferences: true })
    const [found] = await signersOf(body)
    expect(found.notes.join(" ")).toContain("The value of the form field “price” was changed")
  })

  it("does not hold for paraph verify", async () => {
    const run = async (name: string, pdf: Uint8Array) => {
      const file = join(folder, name)
      writeFileSync(file, pdf)
      return paraph("verify", file, "--trust", trust.rootFile)
    }
    expect(await run("signed.pdf", signed)).toMatchObject({ exitCode: 0 })
    const { exitCode, stdout } = await run("changed.pdf", changed)
    expect(exitCode).toBe(1)
    expect(stdout).toContain("The value of the form field “price” was changed after this signature.")
    expect(stdout).not.toContain("has not been altered")
  })
})

function paraph(...words: readonly string[]) {
  return new Promise<{ exitCode: number; stdout: string }>((done) => {
    execFile(process.execPath, [PARAPH, ...words], { env: {} }, (error, stdout) =>
      done({ exitCode: error === null ? 0 : Number(error.code), stdout }),
    )
  })
}
