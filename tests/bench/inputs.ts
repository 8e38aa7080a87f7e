// The files that are signed. Two shapes, since programs differ in what they mind: many bytes, or many objects.

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { samplePdf, writeSample } from "@paraph/pades/sample"

const folder = fileURLToPath(new URL("../../.stack/bench/", import.meta.url))
mkdirSync(folder, { recursive: true })

/** For keys, copies and builds; only of this run, for two may be at work. */
export const SCRATCH = `${mkdtempSync(`${folder}run-`)}/`
export const removeScratch = () => rmSync(SCRATCH, { recursive: true, force: true })

export type Input = {
  readonly name: string
  readonly bytes: number
  readonly make: () => Uint8Array
}

const blob = (name: string, bytes: number): Input => ({
  name,
  bytes,
  make: () => samplePdf({ attachedBytes: bytes }),
})
const many = (name: string, bytes: number): Input => ({ name, bytes, make: () => manyObjects(bytes) })

export const INPUTS = {
  small: blob("100 kB", 100_000),
  ten: blob("10 MB", 10_000_000),
  hundred: blob("100 MB", 100_000_000),
  /** The largest document that the interface takes. */
  largest: blob("112.5 MB", 112_500_000),
  tenMany: many("11.5 MB, many objects", 11_700_000),
  hundredMany: many("117 MB, many objects", 117_000_000),
} as const

/** The path of the file, which is made where it is not there yet. */
export function fileOf({ name, make }: Input): string {
  const file = `${name.replaceAll(/[^0-9A-Za-z.]+/g, "-")}.pdf`
  if (!existsSync(`${folder}${file}`)) {
    writeFileSync(`${SCRATCH}${file}`, make())
    renameSync(`${SCRATCH}${file}`, `${folder}${file}`)
  }
  return `${folder}${file}`
}

/** What a page takes with its text and its places in the tree and the table. */
const PAGE_BYTES = 758
const KIDS = 32

/** A book: every page and the text of every page an object, a page tree as deep as it must be, one plain table. */
function manyObjects(bytes: number): Uint8Array {
  const pages = Math.ceil(bytes / PAGE_BYTES)
  const bodies: string[] = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
  let level = Array.from({ length: pages }, (_, i) => ({ number: 3 + 2 * i, count: 1 }))
  const parents = new Map<number, number>()
  const nodes: string[] = []
  let next = 3 + 2 * pages
  while (level.length > 1) {
    const above: typeof level = []
    for (let i = 0; i < level.length; i += KIDS) {
      const kids = level.slice(i, i + KIDS)
      const number = level.length <= KIDS ? 2 : next++
      const count = kids.reduce((sum, kid) => sum + kid.count, 0)
      for (const kid of kids) parents.set(kid.number, number)
      above.push({ number, count })
      nodes.push(`/Type /Pages /Kids [${kids.map((kid) => `${kid.number} 0 R`).join(" ")}] /Count ${count}`)
    }
    level = above
  }
  for (let i = 0; i < pages; i++) bodies.push(page(3 + 2 * i, parents.get(3 + 2 * i) ?? 2), text(i))
  bodies[1] = `<< ${nodes.pop() ?? ""} /MediaBox [0 0 595 842] >>`
  for (const [i, node] of nodes.entries())
    bodies.push(`<< ${node} /Parent ${parents.get(3 + 2 * pages + i) ?? 2} 0 R >>`)
  return writeSample(bodies)
}

function page(number: number, parent: number): string {
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  return `<< /Type /Page /Parent ${parent} 0 R /Contents ${number + 1} 0 R /Resources << /Font << /F1 ${font} >> >> >>`
}

function text(index: number): string {
  const lines = Array.from({ length: 9 }, (_, i) => `(Page ${index}, line ${i}, as dull as lines are.) Tj T*`)
  const content = `BT /F1 12 Tf 14 TL 72 720 Td\n${lines.join("\n")}\nET`
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}
