// Another version of the product beside this one, out of its own history.
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { run } from "../../../scripts/stack/process.ts"

const ROOT = resolve(import.meta.dirname, "../../..")

export type Older = { readonly sources: string; readonly remove: () => Promise<void> }

/** With the packages that are installed here: only those of its own are its own. */
export async function olderSources(commit: string): Promise<Older> {
  const sources = await mkdtemp(join(tmpdir(), "paraph-older-"))
  const tar = join(sources, "sources.tar")
  await run("git", ["-C", ROOT, "archive", "--output", tar, commit, "apps", "packages", "package.json"])
  await run("tar", ["-xf", tar, "-C", sources])
  await rm(tar)
  await linkPackages(sources, "")
  for (const folder of ["apps", "packages"])
    for (const own of await readdir(join(sources, folder))) await linkPackages(sources, join(folder, own))
  return { sources, remove: () => rm(sources, { recursive: true, force: true }) }
}

async function linkPackages(sources: string, folder: string): Promise<void> {
  const installed = join(ROOT, folder, "node_modules")
  const names = await readdir(installed).catch((): string[] => [])
  if (names.length > 0) await mkdir(join(sources, folder, "node_modules"), { recursive: true })
  for (const name of names)
    if (name !== "@paraph") await symlink(join(installed, name), join(sources, folder, "node_modules", name))
  if (!names.includes("@paraph")) return
  const ours = join(sources, folder, "node_modules", "@paraph")
  await mkdir(ours)
  for (const name of await readdir(join(installed, "@paraph"))) {
    const place = await run("realpath", ["--relative-to", ROOT, join(installed, "@paraph", name)])
    await symlink(join(sources, place.stdout.trim()), join(ours, name))
  }
}
