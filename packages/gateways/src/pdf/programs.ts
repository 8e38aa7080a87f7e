import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Program } from "./room.ts"

const HERE = dirname(fileURLToPath(import.meta.url))

export const documentProgram: Program = {
  file: join(HERE, "document-child.ts"),
  readable: readableFor(["@paraph/pades", "@paraph/pki"]),
  addons: false,
}

export const renderProgram: Program = {
  file: join(HERE, "render-child.ts"),
  readable: readableFor([
    "@paraph/pades",
    "@paraph/pki",
    "@hyzyla/pdfium",
    "sharp",
    // What sharp is made of.
    "@img",
    "detect-libc",
    "semver",
  ]),
  addons: true,
}

/** This folder and the packages named, wherever npm has put them: a workspace is a link to somewhere else. */
export function readableFor(packages: readonly string[]): string[] {
  const { paths } = createRequire(import.meta.url).resolve
  const folders = packages
    .flatMap((name) => (paths(name) ?? []).map((path) => join(path, name)))
    .filter((path) => existsSync(path))
    .flatMap((path) => [path, realpathSync(path)])
  return [HERE, ...new Set(folders)].map((path) => join(path, "*"))
}
