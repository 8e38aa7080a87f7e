// For readers that are given the name of a file. One file for each thread, written anew for each input.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

let folder: string | null = null

function place(): string {
  if (folder !== null) return folder
  const made = mkdtempSync(join(tmpdir(), "paraph-fuzz-"))
  process.once("exit", () => rmSync(made, { recursive: true, force: true }))
  folder = made
  return made
}

export function withFile<T>(input: Uint8Array, read: (path: string) => T): T {
  const path = join(place(), "input")
  writeFileSync(path, input)
  return read(path)
}

/** A file that stays beside the input, such as a secret that it names. */
export function besideFile(name: string, content: string | Uint8Array): string {
  const path = join(place(), name)
  writeFileSync(path, content)
  return path
}
