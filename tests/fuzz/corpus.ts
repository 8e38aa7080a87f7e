// Seeds from the corpora: files of other people, read where they lie and never copied.

import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

const MAX_FILES = 80

/** Those that are not too large; where there are many, some from all over the folder. */
export function filesIn(folder: string, ending: string, maxBytes: number): readonly Uint8Array[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).size <= maxBytes)
  const stride = Math.max(1, Math.ceil(paths.length / MAX_FILES))
  return paths.filter((_, i) => i % stride === 0).map((path) => new Uint8Array(readFileSync(path)))
}

const MARK = /\/Contents ?<([0-9A-Fa-f]{200,80000})>/g

/** The /Contents of the signatures in a folder of PDFs, without the zeros behind. */
export function marksIn(folder: string): readonly Uint8Array[] {
  const marks = filesIn(folder, ".pdf", 400_000).flatMap((file) =>
    [...Buffer.from(file).toString("latin1").matchAll(MARK)].map(([, hex = ""]) => {
      const bytes = Buffer.from(hex, "hex")
      const length = 4 + bytes.readUInt16BE(2)
      return new Uint8Array(bytes[1] === 0x82 ? bytes.subarray(0, length) : bytes)
    }),
  )
  return marks.filter(({ length }) => length < 20_000).slice(0, MAX_FILES)
}
