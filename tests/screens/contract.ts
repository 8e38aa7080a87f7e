const PARAGRAPHS = [
  "The landlord lets to the tenant the flat on the third floor of Bahnhofstrasse 12, Zürich.",
  "It has three rooms, a kitchen, a bathroom, a balcony to the south and a cellar.",
  "The rent is due on the first day of each month, and is paid to the account named below.",
  "Either party may end the agreement in writing, three months before the end of a quarter.",
  "The tenant keeps the flat in good order, and tells the landlord of damage without delay.",
  "Works that change the flat need the landlord's word in writing before they begin.",
]

const LINES = PARAGRAPHS.flatMap((text, place) => [`${place + 1}.  ${text}`, ""])

/** A contract to be looked at, with a line to sign on at its end. */
export function writeContract(count = 3, title = "Rental agreement"): Buffer {
  const kids = Array.from({ length: count }, (_, page) => `${5 + 2 * page} 0 R`).join(" ")
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>",
  ]
  for (let page = 0; page < count; page += 1) {
    const stream = pageStream(page, count, title)
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>/Contents ${6 + 2 * page} 0 R>>`,
      `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    )
  }
  return assembled(objects)
}

function pageStream(page: number, count: number, title: string): string {
  const line = (font: string, size: number, x: number, y: number, text: string) =>
    `BT /${font} ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, "\\$&")}) Tj ET\n`
  const body = LINES.map((text, place) => line("F1", 12, 72, 700 - place * 21, text)).join("")
  const head = line("F2", page === 0 ? 22 : 14, 72, 752, page === 0 ? title : `Part ${page + 1}`)
  const foot = line("F1", 10, 480, 40, `Page ${page + 1} of ${count}`)
  const sign =
    page < count - 1
      ? ""
      : `${line("F1", 11, 72, 112, "Signature of the tenant")}0.7 w 72 128 m 260 128 l S 320 128 m 508 128 l S ${line("F1", 11, 320, 112, "Signature of the landlord")}`
  return head + body + foot + sign
}

function assembled(objects: readonly string[]): Buffer {
  let body = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
  const entries = objects.map((object, index) => {
    const entry = `${String(body.length).padStart(10, "0")} 00000 n \n`
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return entry
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`
  const trailer = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, "latin1")
}
