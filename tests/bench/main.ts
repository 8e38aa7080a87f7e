// npm run bench [-- --only read,create] [--quick]: each path beside the bare engine, in one run. What was measured is printed, and
// goes into docs/performance.md; with --quick it is only printed.
import { execFileSync } from "node:child_process"
import { parseArgs } from "node:util"
import { withBench } from "./harness/bench.ts"
import type { Figure } from "./harness/figure.ts"
import { writePart, writeReport } from "./harness/report.ts"
import { calls } from "./paths/calls.ts"
import { create } from "./paths/create.ts"
import { jobs } from "./paths/jobs.ts"
import { memory } from "./paths/memory.ts"
import { read } from "./paths/read.ts"
import { sign } from "./paths/sign.ts"
import { start } from "./paths/start.ts"
import { width } from "./paths/width.ts"

const { values } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false } },
})
const effort = values.quick
  ? { rounds: 3, calls: 500, signatures: 12, count: 100 }
  : { rounds: 5, calls: 2_000, signatures: 40, count: 500 }
const PATHS = { read, create, sign, jobs, memory, start }
/** Told in tables of their own. */
const TABLES = { calls, width }
const asked = values.only?.split(",") ?? Object.keys({ ...PATHS, ...TABLES })

const figures: Figure[] = []
await withBench(async (bench) => {
  for (const [name, measure] of Object.entries(PATHS))
    if (asked.includes(name)) {
      const measured = [await measure(bench, effort)].flat()
      figures.push(...measured)
      for (const figure of measured) process.stdout.write(`${JSON.stringify(figure)}\n`)
    }
  for (const [name, measure] of Object.entries(TABLES))
    if (asked.includes(name)) {
      const lines = await measure(bench, effort)
      process.stdout.write(`${lines.join("\n")}\n`)
      if (!values.quick) writePart(name, lines)
    }
})
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim()
if (!values.quick) writeReport(figures, commit, new Date())
