// Small PDFs made from nothing, for tests, measurements and the sandbox. Not a way to save a PDF: it reads none.

/** A PDF with a cross-reference table; the first body is object 1 and must be the catalog. */
export function writeSample(bodies: readonly (string | Uint8Array)[], trailer = ""): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")]
  let length = parts[0]?.length ?? 0
  let table = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n`
  for (const [i, body] of bodies.entries()) {
    table += `${String(length).padStart(10, "0")} 00000 n \n`
    const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body
    const object = [Buffer.from(`${i + 1} 0 obj\n`), bytes, Buffer.from("\nendobj\n")]
    for (const part of object) length += part.length
    parts.push(...object)
  }
  const size = `/Size ${bodies.length + 1} /Root 1 0 R /ID [<${"ab".repeat(16)}> <${"cd".repeat(16)}>]`
  parts.push(
    Buffer.from(`${table}trailer\n<< ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`, "latin1"),
  )
  return new Uint8Array(Buffer.concat(parts))
}

/** An A4 document of some pages; `attachedBytes` of noise make it as large as a scan. */
export function samplePdf(
  options: { readonly pages?: number; readonly attachedBytes?: number } = {},
): Uint8Array {
  const { pages = 1, attachedBytes = 0 } = options
  const kids = Array.from({ length: pages }, (_, i) => `${i + 4} 0 R`)
  const text = "BT /F1 24 Tf 72 720 Td (A contract) Tj ET"
  return writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages} /MediaBox [0 0 595.28 841.89] >>`,
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    ...kids.map(() => `<< /Type /Page /Parent 2 0 R /Contents 3 0 R /Resources ${RESOURCES} >>`),
    ...(attachedBytes > 0 ? [noise(attachedBytes)] : []),
  ])
}

const RESOURCES = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"

function noise(length: number): Uint8Array {
  const data = new Uint32Array(Math.ceil(length / 4))
  let state = 1
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[i] = state
  }
  const head = Buffer.from(`<< /Length ${data.byteLength} >>\nstream\n`)
  return Buffer.concat([head, new Uint8Array(data.buffer), Buffer.from("\nendstream")])
}
