import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The web applications as they were built; `npm run build` makes them. */
export const BUILT = fileURLToPath(new URL("../../../../signing/dist", import.meta.url))

/** What the first page of the signing application loads: files with a hash in their names, the same for everybody. */
export const BUILT_FILES: readonly string[] = filesOf(`${BUILT}/index.html`)

function filesOf(page: string): readonly string[] {
  const text = readIfThere(page)
  return Array.from(text.matchAll(/(?:src|href)="(\/app\/assets\/[\w.-]+)"/g), ([, path = ""]) => path)
}

/** Of a server whose application is not built yet, the door works too. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
