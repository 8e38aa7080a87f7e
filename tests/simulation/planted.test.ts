import { afterAll, beforeAll, expect, it } from "vitest"
import { simulate } from "./simulate.ts"
import type { Plant } from "./world.ts"

// What the checker is worth: each of these mistakes breaks one promise of the store or of the workers, and is found.

const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

const PLANTED: readonly { readonly plant: Plant; readonly breaks: RegExp; readonly within: number }[] = [
  { plant: "requests are read without a lock", breaks: /^I[1-8]:/, within: 300 },
  { plant: "an intent gives way to any other", breaks: /^I3: what is on record of/, within: 1000 },
  { plant: "a value is kept for whatever was prepared last", breaks: /^I3: the mark/, within: 2000 },
  { plant: "calls of a line go out at once", breaks: /^I7: .* came before/, within: 100 },
  { plant: "whoever called writes it down, lease or not", breaks: /^I7: .* was over/, within: 300 },
  { plant: "jobs are sent before the commit", breaks: /^(I8|I12):/, within: 300 },
  { plant: "jobs are sent after the commit", breaks: /^(I8|I12):/, within: 300 },
  { plant: "a job is over when it begins", breaks: /^(I8|I12):/, within: 100 },
  { plant: "an idempotency key is marked after the commit", breaks: /^I2: .* by one key/, within: 500 },
  { plant: "a dead worker keeps its jobs", breaks: /^I12: .* is still active/, within: 100 },
]

it.each(PLANTED)(
  "where $plant, that is found within $within seeds",
  { timeout: 120_000 },
  async (planted) => {
    expect(await firstBreach(planted.plant, planted.within)).toMatch(planted.breaks)
  },
)

async function firstBreach(plant: Plant, within: number): Promise<string> {
  for (let seed = 1; seed <= within; seed += 1) {
    const [breach] = (await simulate(seed, { plant })).breaches
    if (breach !== undefined) return breach
  }
  return "none"
}
