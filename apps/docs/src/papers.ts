import { globSync } from "node:fs"
import { resolve } from "node:path"

/** The root of the checkout. Pages are read where they stand; nothing is copied into this folder. */
export const ROOT = resolve(import.meta.dirname, "../../..")

export type Paper = {
  /** From the root of the checkout. */
  readonly file: string
  /** Its address on the site, without slashes around it. */
  readonly slug: string
}

/** What stands outside docs/ and is a page all the same. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "packages/sdk/README.md": "sdk",
  "apps/cli/README.md": "cli",
  "SECURITY.md": "security",
  "CONTRIBUTING.md": "contributing",
  "openapi/CHANGES.md": "interface/changes-of-v3",
  "deploy/helm/paraph/README.md": "deploy/helm",
  "deploy/terraform/README.md": "deploy/terraform",
  "packages/evidence/README.md": "packages/evidence",
  "packages/pades/README.md": "packages/pades",
  "packages/pki/README.md": "packages/pki",
  "packages/tlog/README.md": "packages/tlog",
  "packages/validation/README.md": "packages/validation",
  "packages/verifying/README.md": "packages/verifying",
}

/** Every page of the site, the reference apart. */
export function papers(): readonly Paper[] {
  const inDocs = globSync("docs/**/*.md", { cwd: ROOT })
    .sort()
    .map((file) => ({ file, slug: slugInDocs(file) }))
  const elsewhere = Object.entries(ELSEWHERE).map(([file, slug]) => ({ file, slug }))
  return [...inDocs, ...elsewhere]
}

/** A file that a page may show or hand out as it is. It stands under /files/, with its path. */
export const isHandedOut = (file: string): boolean =>
  /^docs\/.+\.(webp|pdf)$/.test(file) ||
  /^openapi\/.+\.json$/.test(file) ||
  /^deploy\/.+\.(yaml|json|sh)$/.test(file)

/** docs/signers/de/x.md is the German page of docs/signers/x.md, and languages come first in addresses. */
function slugInDocs(file: string): string {
  const path = file.replace(/^docs\//, "").replace(/\.md$/, "")
  if (path === "README") return "index"
  const [, language, name] = /^signers\/(de|fr|it)\/(.+)$/.exec(path) ?? []
  if (language !== undefined) return `${language}/signers/${name}`
  return path.replace(/\/README$/, "")
}
