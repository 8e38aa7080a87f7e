// npm run bench [-- --only read,create] [--quick]: each path beside the bare engine, in one run.
import { parseArgs } from "node:util"
import { withBench } from "./harness/bench.ts"
import type { Figure } from "./harness/figure.ts"
import { create } from "./paths/create.ts"
import { read } from "./paths/read.ts"
import { sign } from "./paths/sign.ts"

const { values } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false } },
})
const effort = values.quick
  ? { rounds: 3, calls: 500, signatures: 12 }
  : { rounds: 7, calls: 2_000, signatures: 40 }
const PATHS = { read, create, sign }
const asked = values.only?.split(",") ?? Object.keys(PATHS)

const figures: Figure[] = []
await withBench(async (bench) => {
  for (const [name, measure] of Object.entries(PATHS))
    if (asked.includes(name)) {
      const measured = [await measure(bench, effort)].flat()
      figures.push(...measured)
      for (const figure of measured) process.stdout.write(`${JSON.stringify(figure)}\n`)
    }
})
