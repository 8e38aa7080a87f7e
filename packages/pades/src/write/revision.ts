// One more revision behind a PDF (ISO 32000-2, 7.5.6): objects, a cross-reference section of the kind that the file
// already ends with, a trailer. No function of ours takes a PDF and writes it anew, so no earlier byte can ever change.

import { createHash } from "node:crypto"
import { type Pdf, resolve } from "../structure/document.ts"
import { entry, isArray } from "../syntax/value.ts"
import { latin1 } from "./syntax.ts"

export type NewObject = { readonly number: number; readonly generation: number; readonly body: Uint8Array }

export type Revision = {
  readonly tail: Uint8Array
  /** Where the body of an object begins, counted from the start of the tail. */
  readonly bodyStarts: ReadonlyMap<number, number>
}

export function writeRevision(pdf: Pdf, objects: readonly NewObject[], baseSha256: Uint8Array): Revision {
  const [last] = pdf.source.read(pdf.source.length - 1, pdf.source.length)
  const parts: Uint8Array[] = last === 0x0a || last === 0x0d ? [] : [latin1("\n")]
  const bodyStarts = new Map<number, number>()
  const placed: Placed[] = []
  let length = parts.length
  for (const { number, generation, body } of objects.toSorted((a, b) => a.number - b.number)) {
    const head = latin1(`${number} ${generation} obj\n`)
    const foot = latin1("\nendobj\n")
    placed.push({ number, generation, offset: pdf.source.length + length })
    bodyStarts.set(number, length + head.length)
    parts.push(head, body, foot)
    length += head.length + body.length + foot.length
  }
  const keys = trailerKeys(pdf, newFileIdentifier(baseSha256, parts))
  const at = pdf.source.length + length
  parts.push(
    pdf.sections[0]?.kind === "stream" ? writeStream(pdf, placed, keys, at) : writeTable(pdf, placed, keys),
  )
  parts.push(latin1(`startxref\n${at}\n%%EOF\n`))
  return { tail: Buffer.concat(parts), bodyStarts }
}

type Placed = { readonly number: number; readonly generation: number; readonly offset: number }

// 14.4: the second identifier changes with every revision. It depends on the content only, so preparing again gives the
// same bytes.
function newFileIdentifier(baseSha256: Uint8Array, parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256").update(baseSha256)
  for (const part of parts) hash.update(part)
  return `<${hash.digest("hex").slice(0, 32)}>`
}

// What belongs to one section or to one stream only; everything else of the trailer lives on.
const NOT_KEPT = new Set(
  "Prev XRefStm Size ID Type W Index Length Filter DecodeParms F FFilter FDecodeParms DL".split(" "),
)

function trailerKeys(pdf: Pdf, identifier: string): Uint8Array {
  const { trailer, sections } = pdf
  const parts: Uint8Array[] = []
  for (const [key, { start, end }] of trailer.entries) {
    if (!NOT_KEPT.has(key)) parts.push(latin1("\n"), trailer.bytes.subarray(start, end))
  }
  const known = resolve(pdf, entry(trailer, "ID"))
  const first = isArray(known) ? known.items[0] : null
  const permanent =
    typeof first === "object" && first?.type === "string"
      ? Buffer.from(first.bytes.subarray(first.start, first.end))
      : latin1(identifier)
  parts.push(latin1("\n/ID ["), permanent, latin1(` ${identifier}]\n/Prev ${sections[0]?.offset ?? 0}`))
  return Buffer.concat(parts)
}

function writeTable(pdf: Pdf, placed: readonly Placed[], keys: Uint8Array): Uint8Array {
  let table = "xref\n"
  for (const run of consecutive(placed)) {
    table += `${run[0]?.number ?? 0} ${run.length}\n`
    for (const { offset, generation } of run) table += `${digits(offset, 10)} ${digits(generation, 5)} n \n`
  }
  const head = latin1(`${table}trailer\n<<\n/Size ${nextNumber(pdf, placed)}`)
  return Buffer.concat([head, keys, latin1("\n>>\n")])
}

// 7.5.8.2: the stream lists itself. It is small, so it is not compressed.
function writeStream(pdf: Pdf, objects: readonly Placed[], keys: Uint8Array, at: number): Uint8Array {
  const number = nextNumber(pdf, objects)
  const placed = [...objects, { number, generation: 0, offset: at }]
  const data = Buffer.alloc(placed.length * 9)
  for (const [i, { offset, generation }] of placed.entries()) {
    data.writeUInt8(1, i * 9)
    data.writeUIntBE(offset, i * 9 + 1, 6)
    data.writeUInt16BE(generation, i * 9 + 7)
  }
  const index = consecutive(placed).map((run) => `${run[0]?.number ?? 0} ${run.length}`)
  const head = `${number} 0 obj\n<<\n/Type /XRef\n/Size ${number + 1}\n/W [1 6 2]\n/Index [${index.join(" ")}]`
  return Buffer.concat([
    latin1(head),
    keys,
    latin1(`\n/Length ${data.length}\n>>\nstream\n`),
    data,
    latin1("\nendstream\nendobj\n"),
  ])
}

function nextNumber(pdf: Pdf, placed: readonly Placed[]): number {
  return placed.reduce((next, { number }) => Math.max(next, number + 1), pdf.nextNumber)
}

function consecutive(placed: readonly Placed[]): Placed[][] {
  const runs: Placed[][] = []
  for (const one of placed) {
    const run = runs[runs.length - 1]
    if (run?.[run.length - 1]?.number === one.number - 1) run.push(one)
    else runs.push([one])
  }
  return runs
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, "0")
}
