import { writeSample } from "@paraph/pades/sample"

export type Stream = { readonly dictionary: string; readonly bytes: Uint8Array }

/** For tests: a PDF of one or more A4 pages, each with the content stream given. */
export function handMadePdf(contents: readonly (string | Stream)[]): Uint8Array {
  const pageNumbers = contents.map((_, n) => 4 + 2 * n)
  return writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${contents.length} /Kids [${pageNumbers.map((n) => `${n} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...contents.flatMap((content, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * n} 0 R ${RESOURCES} >>`,
      stream(typeof content === "string" ? { dictionary: "", bytes: Buffer.from(content) } : content),
    ]),
  ])
}

/** For tests: a PDF of exactly so many bytes. What makes it large is the content of its second page, which is empty. */
export function largePdf(sizeBytes: number): Uint8Array {
  const page = "BT /F1 48 Tf 60 600 Td (Paraph) Tj ET"
  const filled = (length: number) => handMadePdf([page, { dictionary: "", bytes: Buffer.alloc(length, " ") }])
  // How many digits the lengths have depends on the lengths.
  const first = filled(sizeBytes - 2_000)
  return filled(sizeBytes - 2_000 + sizeBytes - first.length)
}

const RESOURCES = "/Resources << /Font << /F1 3 0 R >> >>"

function stream({ dictionary, bytes }: Stream): Uint8Array {
  const before = `<< /Length ${bytes.length} ${dictionary} >>\nstream\n`
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from("\nendstream")])
}
