// Repairs a PDF whose cross-reference section is damaged, by appending a new one: even a repair changes no byte that is
// there. It is refused wherever two readers could disagree on what the file means, and wherever anything was signed.

import { readForm } from "../content/form.ts"
import { countPages } from "../content/page.ts"
import { grown, type Source } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { newBudget } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import { type Inventory, type Place, takeInventory } from "./inventory.ts"

/** The tail to append. Throws `PdfRefused` with a reason that a person understands. */
export function repair(source: Source): Uint8Array {
  if (!/^%PDF-[12]\.\d/.test(String.fromCharCode(...source.read(0, 8))))
    throw corrupt("The file does not begin as a PDF.")
  refuseByteRange(source)
  const tail = writeTail(source, takeInventory(source, newBudget(source.length)))
  const repaired = openPdf(grown(source, tail))
  readForm(repaired)
  countPages(repaired)
  return tail
}

const BYTE_RANGE = "/ByteRange"
const BLOCK_BYTES = 1_048_576

// The inventory knows signatures by their objects; in a damaged file one may stand where no object can be found.
function refuseByteRange(source: Source): void {
  for (let at = 0; at < source.length; at += BLOCK_BYTES) {
    const block = source.read(at, at + BLOCK_BYTES + BYTE_RANGE.length)
    if (Buffer.from(block.buffer, block.byteOffset, block.length).includes(BYTE_RANGE))
      throw corrupt("The file holds what looks like a signature, and a signed file is not repaired.")
  }
}

function writeTail(source: Source, inventory: Inventory): Uint8Array {
  const at = source.length + 1
  const numbers = [...inventory.places.keys()].sort((a, b) => a - b)
  const isPacked = [...inventory.places.values()].some(({ kind }) => kind === "packed")
  const section = isPacked ? writeStream(inventory, numbers, at) : writeTable(inventory, numbers)
  return Buffer.concat([latin1("\n"), section, latin1(`startxref\n${at}\n%%EOF\n`)])
}

// ISO 32000-2, 7.5.4. It has no /Prev: the sections before it are what was wrong.
function writeTable({ places, nextNumber, trailerKeys }: Inventory, numbers: readonly number[]): Uint8Array {
  const lines = ["xref", "0 1", "0000000000 65535 f "]
  for (const run of runs(numbers)) {
    lines.push(`${run[0]} ${run.length}`)
    for (const number of run) {
      const place = places.get(number)
      if (place?.kind !== "plain") continue
      const { offset, generation } = place
      lines.push(`${String(offset).padStart(10, "0")} ${String(generation).padStart(5, "0")} n `)
    }
  }
  lines.push("trailer", `<< /Size ${nextNumber} `)
  return Buffer.concat([latin1(lines.join("\n")), trailerKeys, latin1(" >>\n")])
}

// 7.5.8: only a stream can say that an object lies in an object stream. It lists itself.
function writeStream(inventory: Inventory, known: readonly number[], at: number): Uint8Array {
  const own = inventory.nextNumber
  const numbers = [...known, own]
  const data = Buffer.alloc((numbers.length + 1) * RECORD_BYTES)
  // Object 0 is the head of the list of free objects, whose generation is 65535.
  data.writeUInt32BE(65_535, RECORD_BYTES - 4)
  for (const [i, number] of numbers.entries()) {
    const place: Place = inventory.places.get(number) ?? { kind: "plain", offset: at, generation: 0 }
    const start = (i + 1) * RECORD_BYTES
    data.writeUInt8(place.kind === "plain" ? 1 : 2, start)
    data.writeUIntBE(place.kind === "plain" ? place.offset : place.streamNumber, start + 1, 6)
    data.writeUInt32BE(place.kind === "plain" ? place.generation : place.index, start + 7)
  }
  const index = runs(numbers).map((run) => `${run[0]} ${run.length}`)
  const head = `${own} 0 obj\n<< /Type /XRef /Size ${own + 1} /W [1 6 4] /Index [0 1 ${index.join(" ")}] `
  const length = latin1(` /Length ${data.length} >>\nstream\n`)
  return Buffer.concat([latin1(head), inventory.trailerKeys, length, data, latin1("\nendstream\nendobj\n")])
}

// Its kind, then an offset or the number of a stream, then a generation or a place in that stream.
const RECORD_BYTES = 1 + 6 + 4

function runs(numbers: readonly number[]): number[][] {
  const found: number[][] = []
  for (const number of numbers) {
    const run = found.at(-1)
    if (run?.at(-1) === number - 1) run.push(number)
    else found.push([number])
  }
  return found
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1")
}
