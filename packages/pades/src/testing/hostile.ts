// Files that are small and expensive to read, for tests of the limits.

import { deflateSync } from "node:zlib"
import { writeSample } from "../sample.ts"

export const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 9 9] >>"
export const PAGE = "<< /Type /Page /Parent 2 0 R >>"

/** Objects from 4 on behind a catalog and one page; `entries` are of the catalog. */
export function withCatalog(entries: string, ...more: readonly (string | Uint8Array)[]): Uint8Array {
  return writeSample([`<< /Type /Catalog /Pages 2 0 R ${entries} >>`, PAGES, PAGE, ...more])
}

export function streamOf(keys: string, data: Uint8Array): Uint8Array {
  const head = `<< ${keys} /Length ${data.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head, "latin1"), data, Buffer.from("\nendstream")])
}

/** Deflated, of this many octets, and without any content. */
export function emptyBlocks(length: number): Uint8Array {
  const block = Buffer.from([0, 0, 0, 0xff, 0xff])
  const blocks = Buffer.alloc(length - (length % block.length), block)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), blocks, Buffer.from([3, 0, 0, 0, 0, 1])])
}

/** Plain objects from 1 on, then an object stream with those of `directory`: pairs of a number and a start. */
export function withObjectStream(
  plain: readonly string[],
  directory: readonly (readonly [number: number, start: number])[],
  objects: string,
): Uint8Array {
  const head = directory.map(([number, start]) => `${number} ${start} `).join("")
  const keys = `/Type /ObjStm /N ${directory.length} /First ${head.length} /Filter /FlateDecode`
  const container = streamOf(keys, deflateSync(Buffer.from(head + objects, "latin1"), { level: 9 }))
  const own = Math.max(plain.length + 1, ...directory.map(([number]) => number)) + 1
  const records = Buffer.alloc((own + 1) * 9)
  const record = (number: number, kind: number, second: number, third: number) => {
    records.writeUInt8(kind, number * 9)
    records.writeUInt32BE(second, number * 9 + 1)
    records.writeUInt32BE(third, number * 9 + 5)
  }
  let file: Uint8Array = Buffer.from("%PDF-1.7\n")
  for (const [i, body] of [...plain, container].entries()) {
    record(i + 1, 1, file.length, 0)
    const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body
    file = Buffer.concat([file, Buffer.from(`${i + 1} 0 obj\n`), bytes, Buffer.from("\nendobj\n")])
  }
  for (const [index, [number]] of directory.entries()) record(number, 2, plain.length + 1, index)
  record(own, 1, file.length, 0)
  const section = `/Type /XRef /Size ${own + 1} /W [1 4 4] /Root 1 0 R /Filter /FlateDecode`
  return Buffer.concat([
    file,
    Buffer.from(`${own} 0 obj\n`),
    streamOf(section, deflateSync(records)),
    Buffer.from(`\nendobj\nstartxref\n${file.length}\n%%EOF\n`),
  ])
}

/** The file with so many more revisions that change nothing. */
export function withEmptyRevisions(base: Uint8Array, count: number): Uint8Array {
  const text = Buffer.from(base).toString("latin1")
  const size = /\/Size (\d+)/.exec(text)?.[1]
  let previous = Number(/startxref\n(\d+)/.exec(text)?.[1])
  let tail = ""
  for (let i = 0; i < count; i++) {
    const at = base.length + tail.length
    tail += `xref\n0 0\ntrailer\n<</Size ${size}/Root 1 0 R/Prev ${previous}>>\n`
    previous = at
  }
  return Buffer.concat([base, Buffer.from(`${tail}startxref\n${previous}\n%%EOF\n`)])
}
