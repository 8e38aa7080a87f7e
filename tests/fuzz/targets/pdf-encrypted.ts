// Encrypted PDFs with an empty user password, one of each revision of the standard security handler (ISO 32000-2, 7.6.4).
// seeds/*.pdf are our sample with a form, encrypted by qpdf.

import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describePdf } from "@paraph/pades/describe"
import { openPdf } from "@paraph/pades/document"
import { PdfRefused } from "@paraph/pades/refused"
import { bytesSource } from "@paraph/pades/source"
import { filesIn } from "../corpus.ts"
import { Broken, must, type Target } from "../target.ts"

const FOLDER = resolve(import.meta.dirname, "../seeds")

export const encrypted: Target = {
  name: "pdf-encrypted",
  kind: "pdf",
  seeds: () =>
    readdirSync(FOLDER)
      .filter((name) => name.endsWith(".pdf"))
      .sort()
      .map((name) => new Uint8Array(readFileSync(join(FOLDER, name)))),
  corpus: (folder) =>
    filesIn(join(folder, "pyhanko"), ".pdf", 60_000).filter((file) => Buffer.from(file).includes("/Encrypt")),
  refusals: [PdfRefused],
  run: (input) => {
    const { pageCount, signatureFields } = describePdf(input, { password: "" })
    must(isRefused(input) || !hasEncryption(input), "without a password an encrypted file is refused")
    return `${pageCount} ${signatureFields.map(({ name }) => name).join(" ")}`
  },
}

function isRefused(input: Uint8Array): boolean {
  try {
    describePdf(input)
    return false
  } catch (error) {
    if (error instanceof PdfRefused) return error.code === "encrypted"
    throw new Broken("without a password the refusal has a name")
  }
}

function hasEncryption(input: Uint8Array): boolean {
  return openPdf(bytesSource(input), { password: "" }).trailer.entries.has("Encrypt")
}
