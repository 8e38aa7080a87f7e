// Vitest runs nothing, and says so in one quiet line, where a named file is excluded from this run. That looks like success
// to a person who scrolls past it, so it is an error.

import { globSync } from "node:fs"
import { resolve } from "node:path"

/** Throws where an argument of the command line names test files, and all of them are excluded. */
export function refuseExcludedFiles(
  args: readonly string[],
  excluded: readonly string[],
  root: string = resolve(import.meta.dirname, "../.."),
): void {
  if (excluded.length === 0) return
  const options = { cwd: root, exclude: ["**/node_modules/**"] }
  const files = globSync("{packages,apps,scripts,tests}/**/*.test.ts", options)
  const left = new Set(globSync([...excluded], options))
  // Only what looks like a path: the value of an option, such as the name of a project, is none.
  for (const name of args.filter((one) => !one.startsWith("-") && /\/|\.ts$/.test(one))) {
    const named = files.filter((file) => file.includes(name.replace(/^\.\//, "")))
    if (named.length > 0 && named.every((file) => left.has(file)))
      throw new Error(
        `${name} names only test files that this run excludes (${named.length}). Set PARAPH_LONG=true to run them.`,
      )
  }
}
