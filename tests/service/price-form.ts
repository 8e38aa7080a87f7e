// A form with a price and a box, and the same form with another price appended after it was signed.

/** A text field `price` with 100 and a ticked box `agreed`, each with its appearance. */
export function priceForm(): Buffer {
  const widget = "/Type /Annot /Subtype /Widget /P 3 0 R /F 4 /DA (/F1 12 Tf 0 g)"
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 7 0 R] /DR << /Font << /F1 4 0 R >> >> >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots [5 0 R 7 0 R] >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /FT /Tx /T (price) /V (100) ${widget} /Rect [72 700 172 720] /AP << /N 6 0 R >> >>`,
    look(priceShown("100")),
    `<< /FT /Btn /T (agreed) ${widget} /Rect [72 660 92 680] /V /Yes /AS /Yes /AP << /N << /Yes 8 0 R /Off 9 0 R >> >> >>`,
    look("0 0 m 20 20 l S"),
    look(""),
  ]
  let body = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
  const starts = objects.map((object, i) => {
    const start = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const lines = starts.map(tableLine)
  const id = `[<${"ab".repeat(16)}> <${"cd".repeat(16)}>]`
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /ID ${id} >>`
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join("")}trailer\n${trailer}\n`
  return Buffer.from(`${body}${table}startxref\n${body.length}\n%%EOF\n`, "latin1")
}

/** One more revision, in which the price and what shows it are another. Revisions before it have classic tables. */
export function withPrice(signed: Uint8Array, price: string): Buffer {
  const text = Buffer.from(signed).toString("latin1")
  const last = (pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.[1] ?? ""
  const start = text.lastIndexOf("\n5 0 obj\n") + 1
  const field = text.slice(start, text.indexOf("endobj", start))
  if (!field.includes("/V (100)")) throw new Error("The price is not where it was.")
  const number = Number(last(/\/Size (\d+)/g))
  const objects = [
    `${field.replace("(100)", `(${price})`).replace(/\/AP\s*<<.*?>>/, `/AP << /N ${number} 0 R >>`)}endobj\n`,
    `${number} 0 obj\n${look(priceShown(price))}\nendobj\n`,
  ]
  const [first = "", second = ""] = objects
  const lines = [tableLine(text.length), tableLine(text.length + first.length)]
  const trailer = `<< /Size ${number + 1} /Root ${last(/\/Root (\d+ \d+ R)/g)} /Prev ${last(/startxref\s+(\d+)/g)} >>`
  const table = `xref\n5 1\n${lines[0]}${number} 1\n${lines[1]}trailer\n${trailer}\n`
  const end = `startxref\n${text.length + first.length + second.length}\n%%EOF\n`
  return Buffer.from(`${text}${first}${second}${table}${end}`, "latin1")
}

const priceShown = (price: string): string => `BT /F1 12 Tf 2 5 Td (${price}) Tj ET`

const look = (content: string): string =>
  `<< /Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 4 0 R >> >> /Length ${content.length} >>\nstream\n${content}\nendstream`

const tableLine = (start: number): string => `${String(start).padStart(10, "0")} 00000 n \n`
