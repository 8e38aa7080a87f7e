/** For tests: a PDF of one or more A4 pages, each with the content stream given, and a sound cross-reference table. */
export function handMadePdf(contents: readonly (string | Stream)[]): Uint8Array {
  const pageNumbers = contents.map((_, n) => 4 + 2 * n)
  const objects: (string | Stream)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${contents.length} /Kids [${pageNumbers.map((n) => `${n} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...contents.flatMap((content, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * n} 0 R ${RESOURCES} >>`,
      typeof content === "string" ? { dictionary: "", bytes: Buffer.from(content) } : content,
    ]),
  ]
  const pieces: Uint8Array[] = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")]
  const starts = objects.map((object, n) => {
    const start = pieces.reduce((sum, piece) => sum + piece.length, 0)
    pieces.push(Buffer.from(`${n + 1} 0 obj\n`), body(object), Buffer.from("\nendobj\n"))
    return start
  })
  const xref = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const rows = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("")
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`
  pieces.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`))
  return new Uint8Array(Buffer.concat(pieces))
}

export type Stream = { readonly dictionary: string; readonly bytes: Uint8Array }

const RESOURCES = "/Resources << /Font << /F1 3 0 R >> >>"

function body(object: string | Stream): Buffer {
  if (typeof object === "string") return Buffer.from(object)
  const { dictionary, bytes } = object
  const before = `<< /Length ${bytes.length} ${dictionary} >>\nstream\n`
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from("\nendstream")])
}
