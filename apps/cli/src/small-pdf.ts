/** The smallest sound PDF: one empty page. The offsets of its table are counted, not copied. */
export const SMALL_PDF: Uint8Array = Buffer.from(write())

function write(): string {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>",
  ]
  let body = "%PDF-1.7\n"
  const entries = objects.map((object, index) => {
    const entry = `${String(body.length).padStart(10, "0")} 00000 n \n`
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return entry
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}`
  return `${body}${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
}
