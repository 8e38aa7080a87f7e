// The titles of the tests: of those that passed in a run, and as Vitest collects them of files that this run left out.
import { execFileSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import type { Test } from "./proof.ts"

/** Part of the report that Vitest's reporter `json` writes. */
export type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

type Listed = { readonly name: string; readonly file: string }

/** Only tests that passed: one that failed or was skipped proves nothing. */
export const passedIn = (root: string, { testResults }: Report): readonly Test[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed")
      .map(({ fullName }) => ({ path: relative(root, name), title: fullName })),
  )

/** Vitest runs the files to collect them, so that titles with values (`it.each`, template strings) are complete. */
export function collect(root: string, paths: readonly string[]): readonly Test[] {
  if (paths.length === 0) return []
  const folder = mkdtempSync(join(tmpdir(), "paraph-requirements-"))
  try {
    const file = join(folder, "tests.json")
    const vitest = resolve(root, "node_modules/vitest/vitest.mjs")
    // The long run leaves no file out.
    execFileSync(process.execPath, [vitest, "list", "--no-static-parse", `--json=${file}`, ...paths], {
      cwd: root,
      env: { ...process.env, PARAPH_LONG: "true" },
      stdio: ["ignore", "ignore", "inherit"],
    })
    const listed = JSON.parse(readFileSync(file, "utf8")) as readonly Listed[]
    return listed.map(({ name, file: path }) => ({ path: relative(root, path), title: name }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Files in which the name of a requirement begins; the others need not be collected. */
export function filesNaming(root: string): readonly string[] {
  const paths = globSync("{apps,packages,scripts,tests}/**/*.test.{ts,tsx}", {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  })
  // The samples of the test of this script are no claims.
  return paths.filter(
    (path) =>
      path !== "scripts/requirements.test.ts" &&
      /\[[A-Z]+-\d/.test(readFileSync(resolve(root, path), "utf8")),
  )
}
