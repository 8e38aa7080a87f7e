// Revisions and signatures put together by hand, for tests of the reader: nothing here shares code with the writer.

export type ByHand = {
  /** Number and body. */
  readonly objects: readonly (readonly [number, string])[]
  readonly size: number
  readonly trailer?: string
  /** What ends the line of `%%EOF`. */
  readonly eol?: string
}

/** The file with one more revision, whose table names the last one as its previous one. */
export function appendRevision(base: Uint8Array, { objects, size, trailer, eol = "\n" }: ByHand): Buffer {
  const before = Buffer.from(base)
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(before.toString("latin1"))?.[1] ?? "0"
  let text = ""
  let table = "xref\n0 1\n0000000000 65535 f \n"
  for (const [number, body] of objects) {
    table += `${number} 1\n${String(before.length + text.length).padStart(10, "0")} 00000 n \n`
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const at = before.length + text.length
  text += `${table}trailer\n<< /Size ${size} /Root 1 0 R /Prev ${previous} ${trailer ?? ""} >>\n`
  return Buffer.concat([before, Buffer.from(`${text}startxref\n${at}\n%%EOF${eol}`, "latin1")])
}

const PLACEHOLDER = "/ByteRange [0 0000000000 0000000000 0000000000]"

export type SignedByHand = {
  readonly contents?: string
  readonly entries?: string
  readonly eol?: string
  /** Four numbers, made from the right ones. */
  readonly byteRange?: (right: readonly number[]) => readonly (number | undefined)[]
}

/** A one-page PDF with signatures in objects 6, 8, …, each in a revision of its own that it covers to the end. */
export function signedByHand(base: Uint8Array, signatures: readonly SignedByHand[]): Buffer {
  let file: Buffer = Buffer.from(base)
  const fields: string[] = []
  for (const [i, signature] of signatures.entries()) {
    const [field, value] = [5 + 2 * i, 6 + 2 * i]
    fields.push(`${field} 0 R`)
    const contents = signature.contents ?? "300406022a03000000"
    const dict = `<< /Type /Sig /SubFilter /ETSI.CAdES.detached ${PLACEHOLDER} /Contents <${contents}> ${signature.entries ?? ""} >>`
    const form = `/AcroForm << /Fields [${fields.join(" ")}] >>`
    file = appendRevision(file, {
      objects: [
        [1, `<< /Type /Catalog /Pages 2 0 R ${form} /Perms << /DocMDP 6 0 R >> >>`],
        [field, `<< /FT /Sig /T (Signature ${i + 1}) /V ${value} 0 R >>`],
        [value, dict],
      ],
      size: value + 1,
      ...(signature.eol === undefined ? {} : { eol: signature.eol }),
    })
    fillByteRange(file, contents, signature.byteRange ?? ((right) => right))
  }
  return file
}

function fillByteRange(file: Buffer, contents: string, change: NonNullable<SignedByHand["byteRange"]>): void {
  const place = file.lastIndexOf(PLACEHOLDER)
  const start = file.lastIndexOf(`<${contents}>`)
  const end = start + contents.length + 2
  const numbers = change([0, start, end, file.length - end])
  file.write(`/ByteRange [${numbers.join(" ")}`.padEnd(PLACEHOLDER.length - 1), place, "latin1")
}
