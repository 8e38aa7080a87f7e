import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Program } from "./room.ts"

const HERE = dirname(fileURLToPath(import.meta.url))
const OURS = ["@paraph/pades", "@paraph/pki", "@paraph/seal"]

/** Each may read its own code and the folder of the sealed files, for one of which it will get the key. */
export const documentProgram = (folder: string): Program => ({
  file: join(HERE, "document-child.ts"),
  // The font of a watermark is a package.
  readable: [join(folder, "*"), ...readableFor([...OURS, "@expo-google-fonts/arimo"])],
  addons: false,
})

export const renderProgram = (folder: string): Program => ({
  file: join(HERE, "render-child.ts"),
  readable: [
    join(folder, "*"),
    // What sharp is made of stands behind it.
    ...readableFor([...OURS, "@hyzyla/pdfium", "sharp", "@img", "detect-libc", "semver"]),
  ],
  addons: true,
})

/** Sees one picture, and may read no file but its own code. */
export const pictureProgram: Program = {
  file: join(HERE, "picture-child.ts"),
  readable: readableFor([...OURS, "sharp", "@img", "detect-libc", "semver"]),
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
