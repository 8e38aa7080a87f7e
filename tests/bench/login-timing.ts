// `npm run timing`: whether a refused login tells by its time what was wrong with it (security, R02). Pairs of a name that nobody
// has and a name that somebody has, by lot, with the limits out of the way; Welch's t without the slowest twentieth, and ranks over
// all. By hand, on a machine that does nothing else: what it looks for is smaller than what a neighbour does. `--pairs N`.
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { lease } from "../../scripts/stack/lease.ts"
import { makeTemplate } from "../../scripts/stack/template.ts"
import { KINDS, rankStatistic, refusalTimes, type Times, welch } from "../service/login-pairs.ts"
import { startService } from "../service/service.ts"
import { useStack } from "../service/settings.ts"

const SUSPICIOUS = 4.5
const { values } = parseArgs({ options: { pairs: { type: "string", default: "20000" } } })

const held = await lease(resolve(import.meta.dirname, "../../.stack/bench-stack"), { fast: true })
try {
  await makeTemplate(held.stack)
  useStack(held.stack.dir)
  const env = { LOGINS_PER_USER: "999999999", LOGINS_PER_ADDRESS: "999999999" }
  const service = await startService({ stack: held.stack, worker: false, env })
  try {
    tell(await refusalTimes(service, Number(values.pairs)))
  } finally {
    await service.close()
  }
} finally {
  await held.release()
}

function tell({ unknown, known }: Times): void {
  const rows = [
    ["all three", known.flat()] as const,
    ...KINDS.map((kind, at) => [kind, known[at] ?? []] as const),
  ]
  console.log(
    `${unknown.length} pairs against an unknown name; |t| and |z| from ${SUSPICIOUS} on are suspicious`,
  )
  let suspicious = false
  for (const [kind, times] of rows) {
    const [t, z] = [welch(...usual(unknown, times)), rankStatistic(unknown, times)]
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
    console.log(`${kind.padEnd(12)} mean ${mean.toFixed(3)} ms  t ${t.toFixed(2)}  z ${z.toFixed(2)}`)
    suspicious ||= Math.abs(t) >= SUSPICIOUS || Math.abs(z) >= SUSPICIOUS
  }
  // The same times, a twentieth longer, must be told from what they were.
  const slower = welch(
    ...usual(
      unknown,
      known.flat().map((ms) => ms * 1.05),
    ),
  )
  console.log(`a twentieth longer: t ${slower.toFixed(2)}`)
  process.exitCode = suspicious || Math.abs(slower) < SUSPICIOUS ? 1 : 0
}

/** Without the slowest twentieth of all, which tell of the machine: stalls have a variance that nothing would stand out from. */
function usual(a: readonly number[], b: readonly number[]): [number[], number[]] {
  const all = [...a, ...b].sort((x, y) => x - y)
  const slowest = all[Math.floor(all.length * 0.95)] ?? Number.POSITIVE_INFINITY
  const below = (times: readonly number[]) => times.filter((ms) => ms < slowest)
  return [below(a), below(b)]
}
