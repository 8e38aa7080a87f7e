// What a release is made with: npm run sbom, npm run licences, npm run version-packages, npm run package,
// npm run release-notes.

import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { newest, sentenceOf, withVersion } from "./changelog.ts"
import { ROOT } from "./needed.ts"
import { packageParaph } from "./package-paraph.ts"
import { partsOfImage, refused } from "./parts.ts"

const CHANGELOG = join(ROOT, "CHANGELOG.md")
const CHANGESETS = join(ROOT, ".changeset")

const isPublished = (version: string): boolean => {
  try {
    return execFileSync("npm", ["view", `paraph@${version}`, "version"], { encoding: "utf8" }).trim() !== ""
  } catch {
    // Nobody has published anything of that name yet.
    return false
  }
}

const ACTS: Readonly<Record<string, (file?: string) => void>> = {
  sbom: (file) => {
    const list = `${JSON.stringify(partsOfImage(), null, 2)}\n`
    if (file === undefined) process.stdout.write(list)
    else writeFileSync(file, list)
  },
  licences: () => {
    const { components } = partsOfImage()
    const faults = refused(components)
    for (const fault of faults) console.error(fault)
    console.log(`${components.length} packages, ${faults.length} with a licence that we do not pass on.`)
    process.exitCode = faults.length === 0 ? 0 : 1
  },
  /** The sentences first: raising the version removes the files that they are in. */
  version: () => {
    const names = readdirSync(CHANGESETS).filter((name) => name.endsWith(".md") && name !== "README.md")
    const sentences = names.sort().map((name) => sentenceOf(readFileSync(join(CHANGESETS, name), "utf8")))
    execFileSync("npx", ["changeset", "version"], { cwd: ROOT, stdio: "inherit" })
    const { version } = JSON.parse(readFileSync(join(ROOT, "apps/server/package.json"), "utf8"))
    const day = new Date().toISOString().slice(0, 10)
    writeFileSync(CHANGELOG, withVersion(readFileSync(CHANGELOG, "utf8"), version, day, sentences))
    execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], {
      cwd: ROOT,
      stdio: "inherit",
    })
  },
  package: () => console.log(packageParaph()),
  /** Also asked for where nothing is new: then it is there already. */
  publish: () => {
    const folder = packageParaph()
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    if (isPublished(version)) return console.log(`paraph ${version} is there already.`)
    execFileSync("npm", ["publish", folder, "--access", "public"], { stdio: "inherit" })
  },
  notes: () => console.log(newest(readFileSync(CHANGELOG, "utf8"))),
}

const [act = "", file] = process.argv.slice(2)
const run = ACTS[act]
if (run === undefined) throw new Error(`One of ${Object.keys(ACTS).join(", ")}.`)
run(file)
