// Attacks, judged as the service judges them: structure first, and pictures of the pages that may look different. None may be
// TOTAL-PASSED without a word on what happened after the signature.

import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { SERVICE } from "@paraph/core/fair-share/owner"
import { createPdfRooms, type PdfRooms } from "@paraph/gateways/pdf"
import { PdfRefused } from "@paraph/pades/refused"
import { bytesSource } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import type { DocumentReport } from "@paraph/validation/report"
import type { TrustAnchor } from "@paraph/validation/trust"
import { validatePdf } from "@paraph/validation/validate"
import { withPictures } from "@paraph/validation/with-pictures"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Attack, type Attacks, makeAttacks } from "../attacks/make.ts"
import { sealedFile } from "../sealed-file.ts"
import { rootsIn } from "./inputs.ts"

const { PARAPH_CORPORA } = process.env
const folder = mkdtempSync(join(tmpdir(), "paraph-judged-attacks-"))
let sandbox: TrustSandbox
let rooms: PdfRooms
let made: Attacks
let trusted: readonly TrustAnchor[]

beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
  rooms = createPdfRooms({ folder, warm: 0, warmComparing: 2 })
  made = await makeAttacks(sandbox)
  trusted = [{ certificate: readCertificate(sandbox.root) }]
})
afterAll(async () => {
  await rooms.close()
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

/** Null where it is not read at all. */
async function judged(bytes: Uint8Array, anchors: readonly TrustAnchor[]): Promise<DocumentReport | null> {
  try {
    const { report, toCompare } = await validatePdf(bytesSource(bytes), { now: new Date(), anchors })
    const isToldAlready = report.signatures.every(
      (one) => one.undefinedChanges || one.indication === "TOTAL-FAILED",
    )
    if (isToldAlready || toCompare.length === 0) return report
    const file = await sealedFile(folder, bytes)
    const seen = []
    for (const { field, before, pages } of toCompare) {
      const compared = await rooms.compare(file, SERVICE, { before, pages, maxPictures: 0 })
      seen.push({ field, complete: compared.complete, pages: compared.pages })
    }
    return withPictures(report, seen, "fail")
  } catch (error) {
    if (error instanceof PdfRefused) return null
    throw error
  }
}

/** What a reader of the report would take for a good document. */
function isTakenForGood(report: DocumentReport | null): boolean {
  if (report === null || report.signatures.length === 0) return false
  const isTold = report.signatures.some((one) => one.undefinedChanges || one.visualDifferences)
  return report.indication !== "TOTAL-FAILED" && !isTold
}

describe("attacks upon documents that were rightly signed", () => {
  it("begin with documents that are taken for good", async () => {
    for (const base of made.bases) {
      const report = await judged(base.bytes, trusted)
      expect(
        report?.signatures.some((one) => one.undefinedChanges || one.visualDifferences),
        base.name,
      ).toBe(false)
      expect(report?.indication, base.name).not.toBe("TOTAL-FAILED")
      if (base.level === "B-LTA") expect(report?.indication, base.name).toBe("TOTAL-PASSED")
    }
  })

  it("[R23] are all told, whatever their class", async () => {
    expect(made.attacks.length).toBeGreaterThan(500)
    const missed: string[] = []
    const wait = [...made.attacks]
    const work = async () => {
      for (let attack: Attack | undefined = wait.pop(); attack !== undefined; attack = wait.pop())
        if (isTakenForGood(await judged(attack.bytes, trusted))) missed.push(attack.name)
    }
    await Promise.all([work(), work()])
    expect(missed).toEqual([])
  }, 600_000)
})

describe.runIf(PARAPH_CORPORA !== undefined)("attacks that others published", () => {
  const found = ["shadow-attacks/**/4_*.pdf", "shadow-attacks/**/*manipulated*.pdf"].flatMap((pattern) =>
    globSync(pattern, { cwd: PARAPH_CORPORA ?? "" }),
  )
  it.each([...new Set(found)])("%s is told", async (file) => {
    const bytes = readFileSync(join(PARAPH_CORPORA ?? "", file))
    expect(isTakenForGood(await judged(bytes, rootsIn(bytes))), basename(file)).toBe(false)
  })
})
