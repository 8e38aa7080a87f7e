// The report for people, judged by others: PDF/A-2a for veraPDF before and after it is sealed, without fault for qpdf, and with
// the words of the verdict where poppler reads text.

import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { writePng } from "@paraph/pades/png"
import { openFile } from "@paraph/pades/source"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { writePdfReport } from "@paraph/validation/pdf-report"
import { validatePdf } from "@paraph/validation/validate"
import { wordsOf } from "@paraph/validation/words-of-language"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { qpdfFaults, verapdf } from "../judges.ts"
import { newSigner, signOnce } from "../matrix.ts"
import { foreignFiles, type ToJudge } from "./inputs.ts"

const run = promisify(execFile)
const corpora = process.env.PARAPH_CORPORA
const LANGUAGES = ["en", "de", "fr", "it"] as const
/** Of the foreign files every so many: all verdicts are among them. */
const EVERY = 12

let folder: string
let sandbox: TrustSandbox
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-report-"))
  sandbox = await startTrustSandbox({ now: () => new Date() })
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

describe.skipIf(corpora === undefined)("reports for people on other people's files", () => {
  const written: { readonly file: string; readonly sealed: string; readonly heading: string }[] = []

  beforeAll(async () => {
    const inputs = foreignFiles(corpora ?? "").filter((_, i) => i % EVERY === 0)
    const signer = await newSigner(sandbox, "P-256", "Paraph")
    for (const [i, input] of inputs.entries()) {
      const report = await reportOn(input)
      if (report === undefined) continue
      const language = LANGUAGES[i % LANGUAGES.length] ?? "en"
      const bytes = writePdfReport({ report, language, id: String(i), pictures: i % 2 === 0 ? PICTURES : [] })
      const file = join(folder, `${i}.pdf`)
      const sealed = join(folder, `${i}-sealed.pdf`)
      await writeFile(file, bytes)
      await writeFile(sealed, await signOnce(sandbox, bytes, signer, true, { algorithm: "ecdsa-sha256" }))
      written.push({ file, sealed, heading: wordsOf(language).indications[report.indication].heading })
    }
  }, 300_000)

  it("are PDF/A-2a, sealed or not", async () => {
    expect(written.length).toBeGreaterThan(20)
    const verdicts = await verapdf(written.flatMap(({ file, sealed }) => [file, sealed]))
    for (const [file, verdict] of verdicts)
      expect(verdict).toEqual({ file, flavour: "2a", compliant: true, failed: [] })
  }, 300_000)

  it("have no fault for qpdf, and say the verdict in words", async () => {
    for (const { file, sealed, heading } of written) {
      expect(await qpdfFaults(sealed)).toBe("")
      const { stdout } = await run("pdftotext", ["-l", "1", file, "-"])
      expect(stdout).toContain(heading)
    }
  }, 300_000)
})

async function reportOn({ file, at, anchors }: ToJudge) {
  const trusted = anchors.map((certificate) => ({ certificate }))
  const found = await validatePdf(openFile(file), { now: at, anchors: trusted }).catch(() => undefined)
  return found?.report
}

function page(shade: number): Uint8Array {
  const [width, height] = [210, 297]
  return writePng({ width, height, rgb: new Uint8Array(3 * width * height).fill(shade) })
}

const PICTURES = [
  { n: 1, before: page(250), after: page(120), difference: page(60) },
  { n: 2, before: null, after: page(90), difference: null },
]
