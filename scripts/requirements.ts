// npm run requirements: which rules of the interface are proved by a test, and where. With `--report FILE`, the report of a run
// that Vitest wrote, only tests that passed in it count, and files that it left out are collected.
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { account, type Standing, type Test } from "./requirements/proof.ts"
import { readRules } from "./requirements/rules.ts"
import { collect, filesNaming, passedIn, type Report } from "./requirements/tests.ts"

const root = resolve(import.meta.dirname, "..")
const { report } = parseArgs({ options: { report: { type: "string" } } }).values
const rules = readRules(readFileSync(resolve(root, "docs/interface/requirements.md"), "utf8"))
const { standings, mistakes } = account(rules, report === undefined ? collected() : ofRun(report))

for (const standing of standings) console.log(row(standing))
const unproved = standings.filter(({ state }) => state !== "proved")
console.log(`\nnot proved: ${unproved.map(({ id }) => id).join(", ") || "none"}`)
for (const mistake of mistakes) console.error(mistake)
console.log(`requirements: ${rules.length - unproved.length} of ${rules.length} proved`)
process.exitCode = mistakes.length > 0 || rules.length === 0 || unproved.length > 0 ? 1 : 0

function collected(): readonly Test[] {
  return collect(root, filesNaming(root))
}

function ofRun(path: string): readonly Test[] {
  const run = JSON.parse(readFileSync(path, "utf8")) as Report
  const passed = passedIn(root, run)
  const ran = new Set(run.testResults.map(({ name }) => name))
  return [
    ...passed.filter((test) => test.path !== "scripts/requirements.test.ts"),
    ...collect(
      root,
      filesNaming(root).filter((file) => !ran.has(resolve(root, file))),
    ),
  ]
}

function row({ id, state, proved, files }: Standing): string {
  const shown = state === "partly" ? `partly (${proved.join(", ")})` : state
  return `${id.padEnd(8)} ${shown.padEnd(21)} ${files.join(" ")}`.trimEnd()
}
