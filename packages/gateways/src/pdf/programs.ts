import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { oneFileOf, PACKAGE, STARTER } from "./one-file.ts"
import type { Program } from "./room.ts"

const HERE = dirname(fileURLToPath(import.meta.url))
const OURS = ["@paraph/pades", "@paraph/pki", "@paraph/seal", "@paraph/validation"]

/** The font of a watermark is a package. */
const FONT = "@expo-google-fonts/arimo"
/** Whoever judges knows what a service of a trusted list is, from where lists are read. */
const XML = ["saxes", "xmlchars"]

/** Each may read its own code, and of the folder of the sealed files one at a time, linked into a folder of its own. */
export const documentProgram = (
  folder: string,
  built: string | null = oneFileOf("document-child"),
): Program => readingProgram("document-child", folder, built)

/** Judges signatures: reads as much, and writes nothing. */
export const validateProgram = (folder: string): Program =>
  readingProgram("validate-child", folder, oneFileOf("validate-child"))

function readingProgram(name: string, folder: string, built: string | null): Program {
  if (built !== null) {
    // Whoever looks for a package reads what the packages around say of themselves.
    const around = [join(dirname(built), "*"), join(PACKAGE, "package.json")]
    return {
      file: join(dirname(built), STARTER),
      argument: built,
      folder,
      readable: [...around, ...packagesIn([FONT])],
      addons: false,
      inOneFile: true,
    }
  }
  return {
    file: join(HERE, `${name}.ts`),
    folder,
    readable: readableFor([...OURS, FONT, ...XML]),
    addons: false,
  }
}

export const renderProgram = (folder: string): Program => ({
  file: join(HERE, "render-child.ts"),
  folder,
  // What sharp is made of stands behind it.
  readable: readableFor([...OURS, "@hyzyla/pdfium", "sharp", "@img", "detect-libc", "semver"]),
  addons: true,
})

/** Draws pages too, twice each: as they were signed and as they are. */
export const compareProgram = (folder: string): Program => ({
  ...renderProgram(folder),
  file: join(HERE, "compare-child.ts"),
})

/** Draws pages for screen and for print, and packs no pictures: it needs no native code. */
export const viewCheckProgram = (folder: string): Program => ({
  file: join(HERE, "view-check-child.ts"),
  folder,
  readable: readableFor([...OURS, "@hyzyla/pdfium"]),
  addons: false,
})

/** Sees one picture, and may read no file but its own code. */
export const pictureProgram: Program = {
  file: join(HERE, "picture-child.ts"),
  readable: readableFor([...OURS, "sharp", "@img", "detect-libc", "semver"]),
  addons: true,
}

/** This folder and the packages named, wherever npm has put them: a workspace is a link to somewhere else. */
export function readableFor(packages: readonly string[]): string[] {
  return [join(HERE, "*"), join(PACKAGE, "package.json"), ...packagesIn(packages)]
}

function packagesIn(packages: readonly string[]): string[] {
  const { paths } = createRequire(import.meta.url).resolve
  const folders = packages
    .flatMap((name) => (paths(name) ?? []).map((path) => join(path, name)))
    // Where it is not, too: Node looks there first, and must be told that there is nothing.
    .flatMap((path) => (existsSync(path) ? [path, realpathSync(path)] : [path]))
  return [...new Set(folders)].map((path) => join(path, "*"))
}
