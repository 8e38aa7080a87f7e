// npm run soak -- --minutes 120 [--clients 8]: the same people for hours, without a fault; does anything grow?
import { readFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import type { Breach } from "./rig/check/breach.ts"
import { startClients } from "./rig/clients.ts"
import { createRandom } from "./rig/random.ts"
import { type Rig, startRig } from "./rig/rig.ts"
import { checkAll } from "./rig/run.ts"
import { settle } from "./rig/settle.ts"

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "120" }, clients: { type: "string", default: "8" } },
})
const EVERY_MS = 10_000
const say = (line: string) => process.stdout.write(`${line}\n`)

type Sample = {
  readonly seconds: number
  /** In megabytes, of each process of the service. */
  readonly memory: Readonly<Record<string, number>>
  readonly signed: number
  readonly lagSeconds: number
}

const SIGNED_AND_LAG = `
  select (select count(*) from evidence where type = 'signature.signed'),
         (select coalesce(extract(epoch from now() - min(start_after)), 0)::int from jobs.job
           where state in ('created', 'retry') and start_after <= now())`

const rig = await startRig({ patroni: false })
const breaches: Breach[] = []
try {
  const clients = startClients(rig, createRandom(1), Number(values.clients))
  const samples = await watch(rig, Number(values.minutes) * 60)
  await clients.stop()
  await settle(rig, breaches)
  const { signed } = await checkAll(rig, clients, breaches, say)
  report(samples, signed)
} finally {
  await rig.close()
}
for (const { invariant, what } of breaches) say(`${invariant}: ${what}`)
process.exitCode = breaches.length === 0 ? 0 : 1

async function watch({ fleet, sql }: Rig, seconds: number): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  const begun = Date.now()
  while (Date.now() - begun < seconds * 1000) {
    await pause(EVERY_MS)
    const memory = Object.fromEntries(
      fleet.members.map(({ role, index, process }) => [`${role} ${index}`, residentOf(process?.pid ?? 0)]),
    )
    const [signed = "0", lag = "0"] = (await sql(SIGNED_AND_LAG)).split("|")
    const sample = {
      seconds: Math.round((Date.now() - begun) / 1000),
      memory,
      signed: Number(signed),
      lagSeconds: Number(lag),
    }
    samples.push(sample)
    if (samples.length % 6 === 0) say(JSON.stringify(sample))
  }
  return samples
}

function residentOf(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** The last half against the one before it: what has settled by then does not grow any more. */
function report(samples: readonly Sample[], judged: number): void {
  const last = samples.at(-1)
  if (last === undefined) return
  const mean = (of: readonly Sample[], name: string) =>
    of.reduce((sum, { memory }) => sum + (memory[name] ?? 0), 0) / of.length
  const half = samples.filter(({ seconds }) => seconds > last.seconds / 2)
  const [third, fourth] = [half.slice(0, half.length / 2), half.slice(half.length / 2)]
  say(
    `${last.signed} signatures in ${last.seconds} s: ${(last.signed / last.seconds).toFixed(1)} a second; ${judged} documents judged`,
  )
  say(`oldest job at the end: ${last.lagSeconds} s`)
  for (const name of Object.keys(last.memory)) {
    const growth = (mean(fourth, name) / mean(third, name) - 1) * 100
    say(`${name}: ${last.memory[name]} MB; ${growth.toFixed(1)} % from the third quarter to the last`)
  }
}
