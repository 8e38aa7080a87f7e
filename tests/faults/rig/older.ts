// Another version of the product beside this one, out of its own history.
import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
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
  // PDF processes run without the rights of root, and must still reach their programs.
  await chmod(sources, 0o755)
  return { sources, remove: () => rm(sources, { recursive: true, force: true }) }
}

/** PDF processes may read single packages, so no link stands for a whole scope. */
async function packagesOf(installed: string, name: string): Promise<readonly string[]> {
  if (!name.startsWith("@")) return [name]
  return (await readdir(join(installed, name))).map((one) => join(name, one))
}

async function linkPackages(sources: string, folder: string): Promise<void> {
  const installed = join(ROOT, folder, "node_modules")
  const names = await readdir(installed).catch((): string[] => [])
  if (names.length > 0) await mkdir(join(sources, folder, "node_modules"), { recursive: true })
  for (const name of names.filter((one) => one !== "@paraph"))
    for (const linked of await packagesOf(installed, name)) {
      const link = join(sources, folder, "node_modules", linked)
      await mkdir(dirname(link), { recursive: true })
      await symlink(join(installed, linked), link)
    }
  if (!names.includes("@paraph")) return
  const ours = join(sources, folder, "node_modules", "@paraph")
  await mkdir(ours)
  for (const name of await readdir(join(installed, "@paraph"))) {
    const place = await run("realpath", ["--relative-to", ROOT, join(installed, "@paraph", name)])
    await symlink(join(sources, place.stdout.trim()), join(ours, name))
  }
}
