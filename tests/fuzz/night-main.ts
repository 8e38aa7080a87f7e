// npm run fuzz:night [-- --seconds N] [--seed S] [--together N]
// Every target for N seconds each (300 unless told), two at a time. Broken off, it goes on where it ended; to begin anew, remove
// .stack/fuzz/night.json. Ends with 1 where something was found.

import { join } from "node:path"
import { parseArgs } from "node:util"
import { FOLDER, KEPT, keepFindings } from "./findings.ts"
import { night, tableOf } from "./night.ts"
import { names } from "./targets.ts"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "300" },
    seed: { type: "string" },
    together: { type: "string", default: "2" },
  },
})
const corpora = process.env.PARAPH_CORPORA
const rows = await night({
  names,
  seconds: Number(values.seconds),
  seed: values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed),
  together: Number(values.together),
  record: join(FOLDER, "night.json"),
  keep: KEPT,
  ...(corpora === undefined ? {} : { corpora }),
  told: (report) => {
    say(`${report.target}: ${report.runs} inputs, ${report.findings.length} findings`)
    for (const line of keepFindings(report)) say(line)
  },
})
say(tableOf(rows))
process.exitCode = rows.some(({ findings }) => findings > 0) ? 1 : 0

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
