// node tests/fuzz/main.ts [target] [--seconds N] [--seed S] [--input FILE] [--keep FOLDER]
// Runs every target, or the one that is named. What it finds is in .stack/fuzz, as small as it could be made; the same seed,
// the same sources and the same kept inputs give the same inputs. `--keep ""` keeps none.

import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { KEPT, keepFindings } from "./findings.ts"
import { fuzz } from "./session.ts"
import { names } from "./targets.ts"
import type { Report } from "./worker.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "30" },
    seed: { type: "string" },
    input: { type: "string" },
    keep: { type: "string", default: KEPT },
  },
})
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  say(`There is no target ${unknown.join(", ")}. There are: ${names.join(", ")}`)
  process.exit(2)
}

let found = 0
for (const target of positionals.length > 0 ? positionals : names) {
  const corpora = process.env.PARAPH_CORPORA
  const report = await fuzz({
    target,
    seed,
    seconds: Number(values.seconds),
    ...(corpora === undefined ? {} : { corpora }),
    ...(values.keep === "" ? {} : { keep: values.keep }),
    ...(values.input === undefined ? {} : { input: new Uint8Array(readFileSync(values.input)) }),
  })
  tell(report)
  found += report.findings.length
}
process.exitCode = found > 0 ? 1 : 0

function tell(report: Report): void {
  const { target, seed, runs, accepted, ways, findings } = report
  const share = Math.round((100 * accepted) / Math.max(1, runs))
  say(
    `${target}: ${runs} inputs, ${share} % accepted, ${ways} ways, ${findings.length} findings (seed ${seed})`,
  )
  for (const line of keepFindings(report)) say(line)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
