// node tests/fuzz/main.ts [target] [--seconds N] [--seed S] [--input FILE]
// Runs every target, or the one that is named. What it finds is in .stack/fuzz, as small as it could be made; the same seed
// and the same sources give the same inputs.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { fuzz } from "./session.ts"
import { targets } from "./targets.ts"
import type { Found, Report } from "./worker.ts"

const FOLDER = resolve(import.meta.dirname, "../../.stack/fuzz")

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "30" },
    seed: { type: "string" },
    input: { type: "string" },
  },
})
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
const names = targets.map(({ name }) => name)
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
    ...(values.input === undefined ? {} : { input: new Uint8Array(readFileSync(values.input)) }),
  })
  tell(report)
  found += report.findings.length
}
process.exitCode = found > 0 ? 1 : 0

function tell({ target, seed, runs, accepted, ways, findings }: Report): void {
  const share = Math.round((100 * accepted) / Math.max(1, runs))
  say(
    `${target}: ${runs} inputs, ${share} % accepted, ${ways} ways, ${findings.length} findings (seed ${seed})`,
  )
  for (const [i, finding] of findings.entries()) keep(finding, `${target}-${seed}-${i + 1}`)
}

function keep({ kind, detail, input }: Found, name: string): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, name), input)
  writeFileSync(join(FOLDER, `${name}.txt`), `${kind}\n${detail}\n`)
  const lines = detail.split("\n").slice(0, 5).join("\n    ")
  say(`  ${kind}, ${input.length} bytes, .stack/fuzz/${name}\n    ${lines}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
