import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export const ROOT = resolve(import.meta.dirname, "../..")

type Names = Readonly<Record<string, string>>
type Locked = {
  readonly version?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
}

/** Every package, as name@version, that the programs of the image need, by package-lock.json. */
export function neededByImage(): ReadonlySet<string> {
  const locked: Readonly<Record<string, Locked>> = JSON.parse(
    readFileSync(join(ROOT, "package-lock.json"), "utf8"),
  ).packages
  const found = new Set<string>()
  const seen = new Set<string>()
  const open = ["apps/server", "apps/cli", "apps/router"]
  while (open.length > 0) {
    const path = open.pop() ?? ""
    const one = locked[path]
    if (one === undefined || seen.has(path)) continue
    seen.add(path)
    if (one.link) open.push(one.resolved ?? "")
    else if (path.includes("node_modules/"))
      found.add(`${path.replace(/^.*node_modules\//, "")}@${one.version}`)
    const names = Object.keys({ ...one.dependencies, ...one.optionalDependencies, ...one.peerDependencies })
    for (const name of names) open.push(placesOf(path, name).find((place) => place in locked) ?? "")
  }
  return found
}

/** As Node looks for it: beside, then further up. */
function placesOf(path: string, name: string): readonly string[] {
  const steps = path.split("/")
  return [...steps.keys(), steps.length]
    .map((length) => [...steps.slice(0, length), "node_modules", name].join("/"))
    .reverse()
}
