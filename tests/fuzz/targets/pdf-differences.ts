// What happened to a signed PDF after each signature. Whatever can be opened has an answer, and a short one; a signature
// over the whole file has nothing behind it.

import { join } from "node:path"
import { type Differences, findDifferences } from "@paraph/pades/differences"
import { openPdf } from "@paraph/pades/document"
import { PdfRefused } from "@paraph/pades/refused"
import { type PdfSignature, readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { filesIn } from "../corpus.ts"
import { signedPdfs, signPdf } from "../sample-pdf.ts"
import { Broken, must, type Target } from "../target.ts"

const MAX_FILE_BYTES = 60_000

export const differences: Target = {
  name: "pdf-differences",
  kind: "pdf",
  refusals: [PdfRefused],
  seeds: async () => {
    const [, twice, filled, certified] = await signedPdfs()
    if (twice === undefined || filled === undefined || certified === undefined) return []
    return [twice, await signPdf(filled, "Another"), await signPdf(certified, "Another")]
  },
  corpus: (folder) =>
    ["dss", "pyhanko", "shadow-attacks"].flatMap((name) =>
      filesIn(join(folder, name), ".pdf", MAX_FILE_BYTES),
    ),
  run: (input) => {
    const pdf = openPdf(bytesSource(input))
    const signatures = readSignatures(pdf)
    const found = answered(() => findDifferences(pdf, signatures))
    const names = signatures.map(({ fieldName }) => fieldName)
    // Two fields of one name have one answer for both.
    const single = signatures.filter(
      ({ fieldName }) => names.indexOf(fieldName) === names.lastIndexOf(fieldName),
    )
    return single.map((one) => check(one, found.get(one.fieldName))).join(", ")
  },
}

function answered<T>(find: () => T): T {
  try {
    return find()
  } catch (error) {
    throw error instanceof PdfRefused ? new Broken("what can be opened has an answer") : error
  }
}

function check({ coverage }: PdfSignature, found: Differences | undefined): string {
  if (found === undefined) throw new Broken("every signature has an answer")
  const { changes, pages } = found
  must(changes.length <= 201, "the answer is short")
  must(coverage !== "whole-file" || changes.length === 0, "nothing stands behind the whole file")
  must(
    coverage === "whole-file" || coverage === "whole-revision" || changes.some((one) => one.undefined),
    "who covers less than a revision has undefined changes",
  )
  must(
    pages.every(({ page }) => Number.isSafeInteger(page) && page >= 0),
    "pages are counted",
  )
  return [...new Set(changes.map(({ kind, undefined: isUndefined }) => `${kind}${isUndefined ? "!" : ""}`))]
    .sort()
    .join(" ")
}
