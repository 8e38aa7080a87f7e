/** A contract of so many pages, made by hand: classic cross-reference table, one line of text on each page. */
export function contractPdf(text = "A contract between two people.", pages = 1): Buffer {
  const kids = Array.from({ length: pages }, (_, i) => `${4 + 2 * i} 0 R`).join(" ")
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ]
  for (let page = 0; page < pages; page += 1) {
    const stream = `BT /F1 18 Tf 72 720 Td (${text} Page ${page + 1}.) Tj ET`
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + 2 * page} 0 R>>`,
      `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    )
  }
  let body = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
  const entries = objects.map((object, index) => {
    const entry = `${String(body.length).padStart(10, "0")} 00000 n \n`
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return entry
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}`
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, "latin1")
}
