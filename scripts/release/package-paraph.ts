// The package `paraph` that people run without a checkout: npm run package, then npm pack in dist/paraph.
//
// Node strips types everywhere but under node_modules, so each source is stripped here and keeps its place; our own packages lie
// inside the package (bundleDependencies), with the doors that they have, and everybody else's are dependencies like any other.
import { createHash } from "node:crypto"
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join } from "node:path"
import { ROOT } from "./needed.ts"

type Manifest = {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const TARGET = join(ROOT, "dist/paraph")
/** Who runs, and whom they import, found by following what each says it depends on; the sandbox's trust services are one of them. */
const ROOTS = ["apps/cli", "apps/server", "packages/trust-sandbox"]
/** Pages that were built. */
const BUILT = ["apps/signing", "apps/console", "apps/verify"]
/** Compiled when it is installed, and only for who has an HSM. */
const NATIVE = ["pkcs11js"]

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"))

/** Published by itself, so it is a dependency like everybody else's. */
const PUBLISHED = "@paraph/sdk"

const isOurs = (name: string): boolean => name.startsWith("@paraph/") && name !== PUBLISHED
const placeOf = (name: string): string => join(TARGET, "node_modules", name)

export function packageParaph(): string {
  rmSync(TARGET, { recursive: true, force: true })
  const folders = followed(ROOTS)
  for (const folder of folders) writeSources(folder)
  for (const folder of BUILT) writeBuilt(folder)
  writeDescriptions()
  nameOneFiles()
  writeManifest(folders)
  return TARGET
}

function followed(from: readonly string[]): readonly string[] {
  const found = new Set<string>()
  const follow = (folder: string) => {
    if (found.has(folder)) return
    found.add(folder)
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {}))
      if (isOurs(name)) follow(folderOf(name))
  }
  from.forEach(follow)
  return [...found].sort()
}

function folderOf(name: string): string {
  const [place] = ["packages", "apps"].filter((parent) =>
    existsSync(join(ROOT, parent, name.slice("@paraph/".length), "package.json")),
  )
  if (place === undefined) throw new Error(`There is no ${name} here.`)
  return join(place, name.slice("@paraph/".length))
}

/** Every string that ends in .ts names a module of ours: what imports, forks or starts it does so by name. */
const named = (text: string): string => text.replaceAll(/\.ts(["'`])/g, ".js$1")

function writeSources(folder: string): void {
  const { name, version, exports = {} } = manifestOf(folder)
  const files = globSync("src/**/*", { cwd: join(ROOT, folder), exclude: (path) => path.endsWith("testing") })
  for (const file of files) {
    if (/\.(test|d)\.ts$|\/(testing|samples)\/|\/write-one-file\.ts$/.test(file) || !/\.\w+$/.test(file))
      continue
    const bytes = readFileSync(join(ROOT, folder, file))
    const to = join(placeOf(name), file.replace(/\.ts$/, ".js"))
    mkdirSync(dirname(to), { recursive: true })
    const isSource = file.endsWith(".ts")
    writeFileSync(to, isSource ? named(stripTypeScriptTypes(bytes.toString())) : bytes)
  }
  const doors = Object.entries(exports).map(([door, file]) => [door, file.replace(/\.ts$/, ".js")])
  if (folder === "apps/cli") doors.push(["./main", "./src/main.js"])
  writeJson(join(placeOf(name), "package.json"), {
    ...{ name, version, license: "Apache-2.0", type: "module" },
    exports: Object.fromEntries(doors),
  })
}

function writeBuilt(folder: string): void {
  const { name, version } = manifestOf(folder)
  const from = join(ROOT, folder, "dist")
  if (!existsSync(from)) throw new Error(`${folder} is not built: npm run build`)
  cpSync(from, join(placeOf(name), "dist"), { recursive: true })
  writeJson(join(placeOf(name), "package.json"), { name, version, license: "Apache-2.0" })
}

/** The descriptions stand beside the apps in a checkout, and beside our packages here. */
function writeDescriptions(): void {
  const to = placeOf("@paraph/openapi")
  mkdirSync(to, { recursive: true })
  for (const file of globSync("*.json", { cwd: join(ROOT, "openapi") }))
    cpSync(join(ROOT, "openapi", file), join(to, file))
  writeJson(join(to, "package.json"), { name: "@paraph/openapi", version: "0.0.0", license: "Apache-2.0" })
  const served = join(placeOf("@paraph/server"), "src/http/describe/served.js")
  const text = readFileSync(served, "utf8")
  const moved = text.replace("../../../../../openapi/", "../../../../openapi/")
  if (moved === text) throw new Error("The server looks for the descriptions somewhere else now.")
  writeFileSync(served, moved)
}

/** The programs that were made one file each are of these sources, by their names and hashes here (one-file.ts). */
function nameOneFiles(): void {
  const gateways = placeOf("@paraph/gateways")
  cpSync(join(ROOT, "packages/gateways/dist"), join(gateways, "dist"), { recursive: true })
  for (const list of globSync("dist/*.sources.json", { cwd: gateways })) {
    const sources = Object.keys(JSON.parse(readFileSync(join(gateways, list), "utf8")))
    const ours = sources
      .map((path) => path.replace(/\.ts$/, ".js"))
      .filter((path) => existsSync(join(gateways, path)))
    const hashOf = (path: string) =>
      createHash("sha256")
        .update(readFileSync(join(gateways, path)))
        .digest("hex")
    writeJson(join(gateways, list), Object.fromEntries(ours.map((path) => [path, hashOf(path)])))
  }
}

function writeManifest(folders: readonly string[]): void {
  const manifests = folders.map(manifestOf)
  const all = Object.assign({}, ...manifests.map(({ dependencies }) => dependencies)) as Record<
    string,
    string
  >
  const others = Object.entries(all).filter(([name]) => !isOurs(name) && !NATIVE.includes(name))
  const optional = Object.assign({}, ...manifests.map(({ optionalDependencies }) => optionalDependencies))
  for (const name of NATIVE) optional[name] = all[name]
  const bundled = globSync("node_modules/@paraph/*", { cwd: TARGET }).map((path) =>
    path.slice("node_modules/".length),
  )
  const { version } = manifestOf("apps/cli")
  mkdirSync(join(TARGET, "bin"), { recursive: true })
  writeFileSync(join(TARGET, "bin/paraph.js"), '#!/usr/bin/env node\nimport "@paraph/cli/main"\n', {
    mode: 0o755,
  })
  for (const file of ["LICENSE", "CHANGELOG.md"]) cpSync(join(ROOT, file), join(TARGET, file))
  cpSync(join(ROOT, "apps/cli/README.md"), join(TARGET, "README.md"))
  writeJson(join(TARGET, "package.json"), {
    ...{ name: "paraph", version, license: "Apache-2.0", type: "module" },
    description: "An electronic signature service that you run yourself: npx paraph sandbox",
    keywords: ["electronic signature", "PAdES", "eIDAS", "ZertES"],
    engines: { node: `>=${readFileSync(join(ROOT, ".nvmrc"), "utf8").trim().split(".")[0]}` },
    bin: { paraph: "bin/paraph.js" },
    files: ["bin"],
    dependencies: {
      ...Object.fromEntries(bundled.sort().map((name) => [name, "*"])),
      ...Object.fromEntries(others.sort()),
      [PUBLISHED]: manifestOf("packages/sdk").version,
    },
    optionalDependencies: optional,
    bundleDependencies: bundled,
  })
}

const writeJson = (path: string, value: object): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
