// npm run requirements: which rules of the interface are proved by a test, and where.
import { globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { account, type Standing } from "./requirements/proof.ts"
import { readRules } from "./requirements/rules.ts"

const root = resolve(import.meta.dirname, "..")
const rules = readRules(readFileSync(resolve(root, "docs/interface/requirements.md"), "utf8"))
const paths = globSync("{apps,packages,scripts,tests}/**/*.test.{ts,tsx}", {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
})
const tests = paths.map((path) => ({ path, source: readFileSync(resolve(root, path), "utf8") }))
const { standings, mistakes } = account(rules, tests)

for (const standing of standings) console.log(row(standing))
const partly = standings.filter(({ state }) => state === "partly")
console.log(`\npartly: ${partly.map(({ id }) => id).join(", ") || "none"}`)
for (const mistake of mistakes) console.error(mistake)
const proved = standings.filter(({ state }) => state === "proved")
console.log(`requirements: ${proved.length} of ${rules.length} proved`)
process.exitCode = mistakes.length > 0 || rules.length === 0 ? 1 : 0

function row({ id, state, proved, files }: Standing): string {
  const shown = state === "partly" ? `partly (${proved.join(", ")})` : state
  return `${id.padEnd(8)} ${shown.padEnd(21)} ${files.join(" ")}`.trimEnd()
}
