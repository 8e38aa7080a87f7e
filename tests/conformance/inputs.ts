// The four ways in which a PDF says where its objects are (ISO 32000-2, 7.5.4 and 7.5.8; annex F), each as a small file.

import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { samplePdf } from "@paraph/pades/sample"

const run = promisify(execFile)

export const INPUTS = ["classic", "xref-stream", "linearised", "hybrid"] as const
export type Input = (typeof INPUTS)[number]

/** Writes one file of each kind and gives their paths. */
export async function writeInputs(folder: string): Promise<Record<Input, string>> {
  const path = (input: Input) => join(folder, `${input}.pdf`)
  await writeFile(path("classic"), samplePdf())
  await run("qpdf", ["--object-streams=generate", path("classic"), path("xref-stream")])
  await run("qpdf", ["--linearize", path("classic"), path("linearised")])
  await writeFile(path("hybrid"), hybridPdf())
  return {
    classic: path("classic"),
    "xref-stream": path("xref-stream"),
    linearised: path("linearised"),
    hybrid: path("hybrid"),
  }
}

/**
 * A hybrid-reference file (ISO 32000-2, 7.5.8.4) as Word writes it: the table calls the font free, and only a reader that
 * follows XRefStm finds it in its object stream.
 */
export function hybridPdf(): Uint8Array {
  const text = "BT /F1 24 Tf 72 720 Td (A contract) Tj ET"
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  const trailer = `/Size 8 /Root 1 0 R /ID [<${"ab".repeat(16)}> <${"cd".repeat(16)}>]`
  // One row for object 5. Its type, 2, means: in object stream 6, at index 0.
  const row = "\x02\x06\x00"
  const { body, starts } = writeObjects([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 595 842] >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Page /Parent 2 0 R /Contents 3 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    undefined,
    `<< /Type /ObjStm /N 1 /First 4 /Length ${4 + font.length} >>\nstream\n5 0 ${font}\nendstream`,
    `<< /Type /XRef ${trailer} /W [1 1 1] /Index [5 1] /Length 3 >>\nstream\n${row}\nendstream`,
  ])
  const lines = [1, 2, 3, 4, 5, 6, 7].map((number) => tableLine(starts.get(number)))
  const table = `xref\n0 8\n0000000005 65535 f \n${lines.join("")}trailer\n<< ${trailer} >>\n`
  const end = `startxref\n${body.length}\n%%EOF\n`
  const more = `/XRefStm ${starts.get(7)} /Prev ${body.length}`
  const last = body.length + table.length + end.length
  const hidden = `xref\n0 0\ntrailer\n<< ${trailer} ${more} >>\nstartxref\n${last}\n%%EOF\n`
  return Buffer.from(body + table + end + hidden, "latin1")
}

function writeObjects(bodies: readonly (string | undefined)[]) {
  let body = "%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"
  const starts = new Map<number, number>()
  for (const [i, object] of bodies.entries()) {
    if (object === undefined) continue
    starts.set(i + 1, body.length)
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
  }
  return { body, starts }
}

// A free object names the next free one; the font is the only one, so it closes the ring.
function tableLine(start: number | undefined): string {
  return start === undefined ? "0000000000 00001 f \n" : `${String(start).padStart(10, "0")} 00000 n \n`
}
