// Attacks and legitimate files of the shared corpus, each with the expectation of its manifest. They are judged as the service
// judges them: by structure, and by renderings of the pages that may show something else.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SERVICE } from "@paraph/core/fair-share/owner"
import { createPdfRooms, type PdfRooms } from "@paraph/gateways/pdf"
import { PdfRefused } from "@paraph/pades/refused"
import { bytesSource } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import type { DocumentReport } from "@paraph/validation/report"
import { validatePdf } from "@paraph/validation/validate"
import { withPictures } from "@paraph/validation/with-pictures"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sealedFile } from "../sealed-file.ts"

const { PARAPH_CORPORA } = process.env
const attacks = join(PARAPH_CORPORA ?? "", "attacks")

type Entry = {
  readonly file: string
  readonly expect: string
  readonly at: string
  /** DER in Base64. */
  readonly anchors: readonly string[]
}

/** For the folders without a manifest. */
const JUDGED_AT = "2026-11-18T15:15:00Z"

const temporary = mkdtempSync(join(tmpdir(), "paraph-attack-corpus-"))
let processes: PdfRooms
beforeAll(() => {
  processes = createPdfRooms({ folder: temporary, warm: 0, warmComparing: 2 })
})
afterAll(async () => {
  await processes.close()
  rmSync(temporary, { recursive: true })
})

/** Null where the file cannot be read as a PDF. */
async function validate(
  bytes: Uint8Array,
  now: Date,
  roots: readonly Uint8Array[],
): Promise<DocumentReport | null> {
  try {
    const anchors = roots.map((der) => ({ certificate: readCertificate(der) }))
    const { report, toCompare } = await validatePdf(bytesSource(bytes), { now, anchors })
    if (report.indication === "TOTAL-FAILED" || toCompare.length === 0) return report
    const file = await sealedFile(temporary, bytes)
    const seen = []
    for (const { field, before, pages } of toCompare) {
      const compared = await processes.compare(file, SERVICE, { before, pages, maxPictures: 0 })
      seen.push({ field, complete: compared.complete, pages: compared.pages })
    }
    return withPictures(report, seen, "fail")
  } catch (error) {
    if (error instanceof PdfRefused) return null
    throw error
  }
}

/** What a validator that trusts the anchors would accept. */
const isAccepted = (report: DocumentReport | null) => report?.indication === "TOTAL-PASSED"

async function judgeAll(
  folder: string,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, DocumentReport | null>> {
  const reports = new Map<string, DocumentReport | null>()
  const waiting = [...entries]
  const work = async () => {
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const roots = entry.anchors.map((one) => new Uint8Array(Buffer.from(one, "base64")))
      const bytes = readFileSync(join(attacks, folder, entry.file))
      reports.set(entry.file, await validate(bytes, new Date(entry.at), roots))
    }
  }
  await Promise.all([work(), work()])
  return reports
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(attacks, folder, "manifest.json"), "utf8")) as readonly Entry[]

const expected = (entries: readonly Entry[], expectation: string) =>
  entries.filter((entry) => entry.expect === expectation).map(({ file }) => file)

describe.runIf(PARAPH_CORPORA !== undefined)("the attack corpus", () => {
  // How many files of each folder must be rejected, and how many must pass: a corpus that shrinks is noticed.
  it.each([
    ["cms-pki-revocation", 121, 29],
    ["incremental-updates", 548, 15],
    ["proof-of-existence", 3, 0],
    ["revoked-answers", 7, 1],
    ["fieldmdp-legitimate", 0, 5],
    ["other-libraries-legitimate", 0, 21],
    ["encrypted-legitimate", 0, 5],
  ] as const)(
    "[R23] %s: all %i attacks are rejected, and all %i legitimate files pass",
    async (folder, attackCount, legitimateCount) => {
      const entries = manifestOf(folder)
      const [rejects, passes] = [expected(entries, "reject"), expected(entries, "pass")]
      expect([rejects.length, passes.length]).toEqual([attackCount, legitimateCount])
      const reports = await judgeAll(
        folder,
        entries.filter((entry) => entry.expect === "reject" || entry.expect === "pass"),
      )
      const accepted = (file: string) => isAccepted(reports.get(file) ?? null)
      expect(rejects.filter(accepted)).toEqual([])
      expect(passes.filter((file) => !accepted(file))).toEqual([])
    },
    600_000,
  )

  it("bases-legitimate: every file of our own engine passes, with and without locks", async () => {
    const anchors = [readFileSync(join(attacks, "bases-legitimate", "root.der")).toString("base64")]
    const files = readdirSync(join(attacks, "bases-legitimate")).filter((name) => name.endsWith(".pdf"))
    expect(files.length).toBe(8)
    const reports = await judgeAll(
      "bases-legitimate",
      files.map((file) => ({ file, expect: "pass", at: JUDGED_AT, anchors })),
    )
    expect(files.filter((file) => !isAccepted(reports.get(file) ?? null))).toEqual([])
  }, 600_000)

  it("appearance-cover: what a later signature draws over or beside the text is seen", async () => {
    const entries = manifestOf("appearance-cover")
    const visual = expected(entries, "visual")
    expect(visual.length).toBe(6)
    const reports = await judgeAll("appearance-cover", entries)
    const isSeen = (file: string) =>
      reports.get(file)?.signatures.some((one) => one.visualDifferences) === true
    expect(visual.filter((file) => !isSeen(file))).toEqual([])
    // The control: a visible signature on blank space changes nothing about the first one.
    const [first] = reports.get("ctl-cover-blank.pdf")?.signatures ?? []
    expect(first).toMatchObject({ undefinedChanges: false, visualDifferences: false })
  }, 600_000)

  it("after-signing: a signed form with a changed value is never valid, and none of the attacks is", async () => {
    const root = readFileSync(join(attacks, "after-signing", "root.cer"))
    const files = readdirSync(join(attacks, "after-signing")).filter((name) => name.startsWith("att-"))
    expect(files.length).toBe(9)
    const anchors = [der(root).toString("base64")]
    const reports = await judgeAll(
      "after-signing",
      [...files, "out-form_field-signed.pdf"].map((file) => ({ file, expect: "", at: JUDGED_AT, anchors })),
    )
    expect(files.filter((file) => isAccepted(reports.get(file) ?? null))).toEqual([])
    const [filled] = reports.get("att-fill.pdf")?.signatures ?? []
    expect(filled?.changes.map(({ kind }) => kind)).toContain("form-fill")
  }, 600_000)
})

/** DER, also of a file in PEM. */
function der(file: Buffer): Buffer {
  const pem = /-----BEGIN CERTIFICATE-----([^-]+)-----END/.exec(file.toString("latin1"))?.[1]
  return pem === undefined ? file : Buffer.from(pem, "base64")
}
