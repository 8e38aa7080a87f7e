// npm run bench:growth [-- --levels 1000000,10000000] [--signatures 40] [--hours 2] [--quiet]: the same calls on a database with ten thousand requests and on one that grows,
// in turn, so that what the machine does meanwhile meets both. Databases stay in .stack/growth (at most 40 GB):
// npm run stack -- down --purge --dir .stack/growth takes them away.
import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Stack } from "../../../scripts/stack/stack.ts"
import { up } from "../../../scripts/stack/stack.ts"
import { makeTemplate } from "../../../scripts/stack/template.ts"
import { useStack } from "../../service/settings.ts"
import { writePart } from "../harness/report.ts"
import { shareStolen, stolen } from "../harness/stolen.ts"
import { CALL_NAMES, type CallName, openCalls, told } from "./calls.ts"
import { fill } from "./fill.ts"
import { forHours } from "./hours.ts"
import { type Filled, findFilled, keepFilled } from "./kept-service.ts"
import { compareSigning } from "./sign.ts"

const { values } = parseArgs({
  options: {
    levels: { type: "string", default: "1000000,10000000" },
    // 0: none of the comparison.
    rounds: { type: "string", default: "6" },
    seconds: { type: "string", default: "10" },
    // 0: nobody signs.
    signatures: { type: "string", default: "40" },
    hours: { type: "string", default: "0" },
    quiet: { type: "boolean", default: false },
  },
})
const levels = values.levels.split(",").map(Number)
const most = Math.max(...levels)
const SMALL = 10_000
/** Of all processors. */
const MOST_STOLEN = 0.01
const ATTEMPTS = 5
const DIR = resolve(import.meta.dirname, "../../..", ".stack", "growth")

const began = performance.now()
const tell = (said: string) => console.log(`${Math.round((performance.now() - began) / 1000)} s: ${said}`)

mkdirSync(DIR, { recursive: true })
const stack = await up(DIR, {})
await makeTemplate(stack)
useStack(stack.dir)
const small = await filledTo(stack, "small", SMALL)
const rows: string[] = []
const signed: string[] = []
const signatures = Number(values.signatures)
for (const level of levels) {
  const large = await filledTo(stack, "large", level)
  const gigabytes = Number(await large.sql("select pg_database_size(current_database())")) / 1e9
  const calls = Number(values.rounds) > 0 ? await compare(small, large) : []
  for (const { name, here, there } of calls) {
    const row = [name, level.toLocaleString("en"), `${gigabytes.toFixed(1)} GB`, ms(here), ms(there)]
    rows.push(`| ${[...row, ratioOf(here.p95, there.p95)].join(" | ")} |`)
    tell(rows.at(-1) ?? "")
  }
  if (signatures === 0) continue
  const { here, there } = await compareSigning(stack, [small, large], signatures)
  const row = [level.toLocaleString("en"), spentOn(here), spentOn(there), ratioOf(here.all, there.all)]
  signed.push(`| ${row.join(" | ")} |`)
  tell(signed.at(-1) ?? "")
}
const SIGNED_HEAD = [
  "| requests | a signature at 10,000: processors, of that PostgreSQL | there | × |",
  "| --- | --- | --- | --- |",
]
if (!values.quiet && signed.length > 0) writePart("growth-sign", [...SIGNED_HEAD, ...signed])
const HEAD = [
  "| call | requests | database | at 10,000: p50, p95 | there: p50, p95 | p95, × (at most 1.3) |",
  "| --- | --- | --- | --- | --- | --- |",
]
if (!values.quiet && rows.length > 0) writePart("growth", [...HEAD, ...rows])
const hours = Number(values.hours)
if (hours > 0) {
  const table = await forHours(await filledTo(stack, "large", most), hours, tell)
  if (!values.quiet) writePart("hours", table)
}

async function filledTo(on: Stack, name: string, to: number): Promise<Filled> {
  const found = await findFilled(on, name)
  if (found.filledTo >= to) return found
  await fill(found, { from: found.filledTo, to, most }, (said) => tell(`${name}, ${to}: ${said}`))
  return keepFilled(on, name, found, to)
}

type Compared = {
  readonly name: CallName
  readonly here: ReturnType<typeof told>
  readonly there: ReturnType<typeof told>
}

/** Each call on the one and on the other, in slices; what is told is of all slices together. */
async function compare(one: Filled, other: Filled): Promise<readonly Compared[]> {
  const [a, b] = [await openCalls(one), await openCalls(other)]
  const compared: Compared[] = []
  for (const name of CALL_NAMES) {
    const here: number[] = []
    const there: number[] = []
    // The first ones warm both.
    await slices(a, b, name)
    for (let n = 0; n < Number(values.rounds); n += 1) {
      const [inOne, inOther] = await quietSlices(a, b, name)
      here.push(...inOne)
      there.push(...inOther)
    }
    compared.push({ name, here: told(here), there: told(there) })
  }
  await Promise.all([a.close(), b.close()])
  return compared
}

type Calls = Awaited<ReturnType<typeof openCalls>>
type Slices = readonly [one: readonly number[], other: readonly number[]]

async function slices(a: Calls, b: Calls, name: CallName): Promise<Slices> {
  const seconds = Number(values.seconds)
  return [await a.slice(name, seconds), await b.slice(name, seconds)]
}

/** Both again, some times at most, where a neighbour of the machine took our processors meanwhile: that says nothing about either. */
async function quietSlices(a: Calls, b: Calls, name: CallName): Promise<Slices> {
  for (let nth = 1; ; nth += 1) {
    const before = stolen()
    const both = await slices(a, b, name)
    const share = shareStolen(before, stolen())
    if (share < MOST_STOLEN || nth === ATTEMPTS) return both
    tell(`${name}: ${(share * 100).toFixed(0)} % of the processors were taken from us; again`)
  }
}

function ms({ p50, p95 }: ReturnType<typeof told>): string {
  return `${p50}, ${p95} ms`
}

function spentOn({ all, postgres }: { readonly all: number; readonly postgres: number }): string {
  return `${all.toFixed(0)} ms, ${postgres.toFixed(0)} ms`
}

function ratioOf(here: number, there: number): string {
  return (there / here).toFixed(2)
}
