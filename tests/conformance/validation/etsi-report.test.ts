// Reports by ETSI TS 119 102-2 on other people's files and on our own, judged by the schema of the standard and read by EU DSS.

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PdfRefused } from "@paraph/pades/refused"
import { openFile } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import { startTrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { writeEtsiReport } from "@paraph/validation/etsi-report"
import type { Indication } from "@paraph/validation/indication"
import type { DocumentReport } from "@paraph/validation/report"
import { validatePdf } from "@paraph/validation/validate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { INPUTS } from "../inputs.ts"
import { etsiReports, type ReadReport } from "../judges.ts"
import { CASES, makeAll } from "../matrix.ts"
import { foreignFiles, type ToJudge } from "./inputs.ts"

const corpora = process.env.PARAPH_CORPORA
const NOW = new Date("2026-11-01T12:00:00Z")
const EMPTY: DocumentReport = {
  validatedAt: NOW.toISOString(),
  indication: "INDETERMINATE",
  subIndication: "SIGNED_DATA_NOT_FOUND",
  format: { fileType: "PDF" },
  signatures: [],
  timestamps: [],
  policy: { name: "strict" },
  document: { sha256: "ab".repeat(32), size: 12_345 },
}
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-etsi-"))
})
afterAll(() => rm(folder, { recursive: true }))

describe.skipIf(corpora === undefined)("reports on other people's files", () => {
  it("are valid by the schema, and say the same to EU DSS as to us", async () => {
    const found = await checked(foreignFiles(corpora ?? ""))
    expect(new Set(found)).toEqual(new Set(["TOTAL-PASSED", "TOTAL-FAILED", "INDETERMINATE"]))
    expect(found.length).toBeGreaterThan(500)
  }, 600_000)
})

it("reports on what our engine signed, at every level, once and five times, are valid by the schema", async () => {
  const sandbox = await startTrustSandbox({ now: () => new Date() })
  try {
    const made = await makeAll(
      sandbox,
      folder,
      CASES.filter(
        ({ algorithm, input, visible }) => algorithm === "P-256" && input === INPUTS[0] && visible,
      ),
    )
    const anchors = [readCertificate(sandbox.root)]
    const at = new Date()
    const found = await checked(made.map(({ file }) => ({ title: file, file, at, anchors })))
    expect(found).toHaveLength(4 * 6)
  } finally {
    await sandbox.close()
  }
}, 300_000)

/** The indications of all signatures of which EU DSS read the same as we said. */
async function checked(inputs: readonly ToJudge[]): Promise<readonly Indication[]> {
  const reports = new Map<string, DocumentReport>()
  for (const [i, { file, at, anchors }] of inputs.entries()) {
    const report = await reportOn(file, at, anchors)
    if (report !== undefined) reports.set(join(folder, `${i}.xml`), report)
  }
  const read = await readBack(reports)
  for (const [file, report] of reports) expect(read.get(file)).toEqual({ file, ...expected(report) })
  return [...reports.values()].flatMap(({ signatures }) => signatures.map(({ indication }) => indication))
}

async function reportOn(file: string, now: Date, anchors: ToJudge["anchors"]) {
  try {
    const trusted = anchors.map((certificate) => ({ certificate }))
    return (await validatePdf(openFile(file), { now, anchors: trusted })).report
  } catch (error) {
    if (error instanceof PdfRefused) return undefined
    throw error
  }
}

it("a report on nothing is valid by the schema", async () => {
  const file = join(folder, "nothing.xml")
  const read = await readBack(new Map([[file, EMPTY]]))
  expect(read.get(file)?.signatures).toEqual([
    { indication: "INDETERMINATE", subIndication: "SIGNED_DATA_NOT_FOUND" },
  ])
})

it("this judge refuses what the schema does not allow", async () => {
  const file = join(folder, "wrong.xml")
  await writeFile(file, writeEtsiReport(EMPTY).replaceAll("SignatureValidationStatus", "Status"))
  expect((await etsiReports([file])).get(file)?.error).toMatch(/Status/)
})

async function readBack(reports: ReadonlyMap<string, DocumentReport>): Promise<Map<string, ReadReport>> {
  for (const [file, report] of reports) await writeFile(file, writeEtsiReport(report))
  return etsiReports([...reports.keys()])
}

function expected({ signatures, indication, subIndication, timestamps, certificates = [] }: DocumentReport) {
  const verdicts = signatures.length > 0 ? signatures : [{ indication, subIndication }]
  const stamps = new Set(
    [...signatures.flatMap((one) => one.timestamps), ...timestamps].map((one) => JSON.stringify(one)),
  )
  const signed = signatures.filter(({ digest }) => digest !== undefined)
  return {
    signatures: verdicts.map((one) => ({
      indication: one.indication.replace("-", "_"),
      ...(one.subIndication && { subIndication: one.subIndication }),
    })),
    objects: stamps.size + certificates.length + signed.length,
  }
}
