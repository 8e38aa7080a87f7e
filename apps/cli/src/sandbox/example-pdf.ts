/** A contract of one page, for whoever has none at hand; the same bytes each time. */
export function examplePdf(): Buffer {
  const lines = [
    "Example contract",
    "",
    "Acme AG and whoever signs below agree to try this out.",
    "It has no legal effect.",
  ]
  const text = lines.map((line, n) => `1 0 0 1 72 ${760 - 28 * n} Tm (${line}) Tj`).join("\n")
  const content = `BT\n/F 14 Tf\n${text}\nET`
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
  ]
  let pdf = "%PDF-1.7\n"
  const offsets = objects.map((object, n) => {
    const offset = pdf.length
    pdf += `${n + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(pdf + table + trailer, "latin1")
}
