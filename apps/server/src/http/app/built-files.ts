import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Language } from "@paraph/core/language"

/** The web applications as they were built; `npm run build` makes them. */
export const BUILT = fileURLToPath(new URL("../../../../signing/dist", import.meta.url))

/** What the first page of the signing application loads: files with a hash in their names, the same for everybody. */
const BUILT_FILES: readonly string[] = filesOf(`${BUILT}/index.html`)
const WORDS: readonly string[] = globSync("assets/words.*.js", { cwd: BUILT })

/** All of it that somebody needs who reads in this language. */
export const filesFor = (language: Language): readonly string[] => [
  ...BUILT_FILES,
  ...WORDS.filter((name) => name.startsWith(`assets/words.${language}-`)).map((name) => `/app/${name}`),
]

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
