// npm run faults -- --seeds 1..5 --faults 50 --results FILE [--only F03,F05] [--clients 4] [--lanes 3] [--every SECONDS] [--patroni]
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { type Outcome, runSeed } from "./rig/run.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    faults: { type: "string", default: "40" },
    only: { type: "string", default: "" },
    clients: { type: "string", default: "4" },
    lanes: { type: "string", default: "3" },
    every: { type: "string" },
    patroni: { type: "boolean", default: false },
    results: { type: "string", default: "" },
  },
})
const [first = 1, last = first] = values.seeds.split("..").map(Number)
const only = values.only === "" ? [] : values.only.split(",")
const done = existsSync(values.results)
  ? readFileSync(values.results, "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Outcome).seed)
  : []
const when = () => ({
  at: new Date().toISOString(),
  commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
})
let breaches = 0
for (let seed = first; seed <= last; seed += 1) {
  // A run that was cut off is taken up where it stopped: its seeds add up.
  if (done.includes(seed)) continue
  const say = (line: string) =>
    process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${seed}: ${line}\n`)
  const outcome = await runSeed({
    seed,
    faults: Number(values.faults),
    only,
    clients: Number(values.clients),
    lanes: Number(values.lanes),
    ...(values.every !== undefined && { everySeconds: Number(values.every) }),
    patroni: values.patroni,
    say,
  })
  if (values.results !== "") appendFileSync(values.results, `${JSON.stringify({ ...outcome, ...when() })}\n`)
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
  breaches += outcome.breaches.length
}
process.exitCode = breaches === 0 ? 0 : 1
