// npm run bench [-- --only read,create] [--quick]: each path beside the bare engine, in one run.
import { parseArgs } from "node:util"
import { withBench } from "./harness/bench.ts"
import type { Figure } from "./harness/figure.ts"
import { read } from "./paths/read.ts"

const { values } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false } },
})
const effort = values.quick ? { rounds: 3, calls: 500 } : { rounds: 7, calls: 2_000 }
const PATHS = { read }
const asked = values.only?.split(",") ?? Object.keys(PATHS)

const figures: Figure[] = []
await withBench(async (bench) => {
  for (const [name, measure] of Object.entries(PATHS))
    if (asked.includes(name)) {
      const figure = await measure(bench, effort)
      figures.push(figure)
      process.stdout.write(`${JSON.stringify(figure)}\n`)
    }
})
