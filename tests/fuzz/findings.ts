// What a run found, as files that `--input` takes, and in words.

import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Found, Report } from "./worker.ts"

export const FOLDER = resolve(import.meta.dirname, "../../.stack/fuzz")
/** Where inputs that went a new way are kept, unless told otherwise. */
export const KEPT = resolve(import.meta.dirname, "../../.stack/fuzz-kept")

/** One line for each finding and its file; the octets as small as they could be made. */
export function keepFindings({ target, seed, findings }: Report, folder: string = FOLDER): readonly string[] {
  return findings.map((finding, i) => keep(finding, `${target}-${seed}-${i + 1}`, folder))
}

function keep({ kind, detail, input }: Found, name: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), input)
  writeFileSync(join(folder, `${name}.txt`), `${kind}\n${detail}\n`)
  const lines = detail.split("\n").slice(0, 5).join("\n    ")
  return `  ${kind}, ${input.length} bytes, ${join(folder, name)}\n    ${lines}`
}
