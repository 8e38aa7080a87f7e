import { randomFillSync } from "node:crypto"

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

/** A sound PDF of exactly so many bytes: one page, and a stream of noise that no reader needs. */
export function pdfOfSize(bytes: number, text = "A large document."): Buffer {
  const page = `BT /F1 18 Tf 72 720 Td (${text}) Tj ET`
  const before = [
    "<</Type/Catalog/Pages 2 0 R/PieceInfo<</Paraph<</LastModified(D:20261101)/Private 6 0 R>>>>>>",
    "<</Type/Pages/Kids[4 0 R]/Count 1>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R>>",
    `<</Length ${page.length}>>stream\n${page}\nendstream`,
  ]
  const write = (noise: number) => {
    let body = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    const offsets = before.map((object, index) => {
      const offset = body.length
      body += `${index + 1} 0 obj\n${object}\nendobj\n`
      return offset
    })
    offsets.push(body.length)
    // Every number has ten digits, so the length of all around the noise is the same whatever they are.
    const start = `${body}6 0 obj\n<</Length ${ten(noise)}>>stream\n`
    const end = "\nendstream\nendobj\n"
    const table = start.length + noise + end.length
    const entries = offsets.map((offset) => `${ten(offset)} 00000 n \n`).join("")
    const xref = `xref\n0 7\n0000000000 65535 f \n${entries}trailer\n<</Size 7/Root 1 0 R>>\nstartxref\n${ten(table)}\n%%EOF\n`
    return { start, end: end + xref }
  }
  const around = write(0)
  const noise = bytes - around.start.length - around.end.length
  if (noise < 0) throw new RangeError("A PDF is not that small.")
  const { start, end } = write(noise)
  const pdf = Buffer.allocUnsafe(bytes)
  pdf.write(start, 0, "latin1")
  randomFillSync(pdf, start.length, noise)
  pdf.write(end, start.length + noise, "latin1")
  return pdf
}

const ten = (value: number): string => String(value).padStart(10, "0")
