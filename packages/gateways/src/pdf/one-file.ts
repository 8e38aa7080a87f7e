// A program as one file: to find, read and link a hundred modules is half of what a process costs that reads a small document.

import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const PACKAGE = join(import.meta.dirname, "../..")
/** Where `npm run build` puts it. */
export const BUILT = join(PACKAGE, "dist")

/** What begins the program, beside it (start-compiled.ts). */
export const STARTER = "start-compiled.cjs"

/** SHA-256 of each source, and of what was made of them, by its path from this package. */
export type Sources = Readonly<Record<string, string>>

export const sourcesFile = (folder: string, name: string): string => join(folder, `${name}.sources.json`)

export const programFile = (folder: string, name: string): string => join(folder, `${name}.cjs`)

/** Null where it was not built, or of other sources than those that are here: what runs is never older than what one reads. */
export function oneFileOf(name: string, folder: string = BUILT): string | null {
  try {
    const sources = JSON.parse(readFileSync(sourcesFile(folder, name), "utf8")) as Sources
    const isOfThese = Object.entries(sources).every(
      ([path, sha256]) => sha256Of(join(PACKAGE, path)) === sha256,
    )
    return isOfThese ? programFile(folder, name) : null
  } catch {
    return null
  }
}

const sha256Of = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")
