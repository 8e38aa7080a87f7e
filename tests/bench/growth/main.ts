// npm run bench:growth [-- --levels 1000000,10000000]: the same calls on a database with ten thousand requests and on one that grows,
// in turn, so that what the machine does meanwhile meets both. Databases stay in .stack/growth (at most 40 GB):
// npm run stack -- down --purge --dir .stack/growth takes them away.
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Stack } from "../../../scripts/stack/stack.ts"
import { up } from "../../../scripts/stack/stack.ts"
import { makeTemplate } from "../../../scripts/stack/template.ts"
import { useStack } from "../../service/settings.ts"
import { CALL_NAMES, type CallName, openCalls, told } from "./calls.ts"
import { fill } from "./fill.ts"
import { type Filled, findFilled, keepFilled } from "./kept-service.ts"

const { values } = parseArgs({
  options: {
    levels: { type: "string", default: "1000000,10000000" },
    rounds: { type: "string", default: "6" },
    seconds: { type: "string", default: "10" },
  },
})
const levels = values.levels.split(",").map(Number)
const most = Math.max(...levels)
const SMALL = 10_000
const DIR = resolve(import.meta.dirname, "../../..", ".stack", "growth")

const began = performance.now()
const tell = (said: string) => console.log(`${Math.round((performance.now() - began) / 1000)} s: ${said}`)

mkdirSync(DIR, { recursive: true })
const stack = await up(DIR, {})
await makeTemplate(stack)
useStack(stack.dir)
const small = await filledTo(stack, "small", SMALL)
const results: object[] = []
for (const level of levels) {
  const large = await filledTo(stack, "large", level)
  const bytes = Number(await large.sql("select pg_database_size(current_database())"))
  const result = { requests: level, bytes, calls: await compare(small, large) }
  results.push(result)
  tell(JSON.stringify(result))
  writeFileSync(join(DIR, "growth.json"), `${JSON.stringify(results, null, 2)}\n`)
}

async function filledTo(on: Stack, name: string, to: number): Promise<Filled> {
  const found = await findFilled(on, name)
  if (found.filledTo >= to) return found
  await fill(found, { from: found.filledTo, to, most }, (said) => tell(`${name}, ${to}: ${said}`))
  return keepFilled(on, name, found, to)
}

/** Each call on the one and on the other, in slices; what is told is of all slices together. */
async function compare(one: Filled, other: Filled) {
  const [a, b] = [await openCalls(one), await openCalls(other)]
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  const rows: Partial<Record<CallName, object>> = {}
  for (const name of CALL_NAMES) {
    const ms = { small: [] as number[], large: [] as number[] }
    for (let n = 0; n <= rounds; n += 1) {
      const slices = { small: await a.slice(name, seconds), large: await b.slice(name, seconds) }
      // The first one warms both.
      if (n > 0) for (const key of ["small", "large"] as const) ms[key].push(...slices[key])
    }
    const [small, large] = [told(ms.small), told(ms.large)]
    rows[name] = { small, large, ratio: Math.round((large.p95 / small.p95) * 100) / 100 }
  }
  await Promise.all([a.close(), b.close()])
  return rows
}
