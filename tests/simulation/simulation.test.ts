import { type Status, statusOf } from "@paraph/core/signature-request/model"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isLong } from "../service/long.ts"
import { KEPT_SEEDS } from "./kept-seeds.ts"
import { type Simulated, simulate } from "./simulate.ts"

// Each landing tries seeds that nobody has tried; `npm run simulate -- --seeds 1..100000` has many more.
const COUNT = isLong ? 5000 : 300
const FROM = 1_000_000 + Math.floor(Math.random() * 1_000_000_000)

// Thousands of errors are thrown on purpose, and nobody reads where.
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

describe("the production core, the outbox and the workers, over everything that can go wrong", () => {
  const met = { statuses: new Set<Status | "deleted">(), crashes: 0, pauses: 0, again: 0, given: 0, marks: 0 }

  it(`[R16] [R32] keep their promises (seeds ${FROM} to ${FROM + COUNT - 1})`, {
    timeout: 600_000,
  }, async () => {
    for (let seed = FROM; seed < FROM + COUNT; seed += 1) {
      const run = await simulate(seed)
      expect(run.breaches, `seed ${seed}`).toEqual([])
      note(run)
    }
  })

  it("which is shown only where all of it happens", () => {
    expect([...met.statuses]).toEqual(
      expect.arrayContaining(["DRAFT", "OPEN", "SIGNED", "DECLINED", "EXPIRED", "WITHDRAWN", "deleted"]),
    )
    // So many at least, for each seed; a run has five times as many.
    expect(met.crashes).toBeGreaterThan(COUNT)
    expect(met.pauses).toBeGreaterThan(COUNT / 10)
    expect(met.again).toBeGreaterThan(COUNT / 2)
    expect(met.given).toBeGreaterThan(COUNT)
    expect(met.marks).toBeGreaterThan(COUNT / 2)
  })

  function note({ world: { records, state } }: Simulated): void {
    for (const { after } of records.changes) met.statuses.add(after === null ? "deleted" : statusOf(after))
    met.crashes += records.faults.crashes
    met.pauses += records.faults.pauses
    met.again += [...state.jobs.values()].filter(({ retryCount }) => retryCount > 0).length
    met.given += records.receipts.length
    met.marks += [...state.evidence.values()].filter(({ type }) => type === "mark.made").length
  }
})

it.each(KEPT_SEEDS)("seed $seed once showed that $why", async ({ seed }) => {
  expect((await simulate(seed)).breaches).toEqual([])
})

it("a seed is one run: every step of it is the same, each time", async () => {
  for (const seed of [1, 2, 3, 2558, 7214]) {
    const [first, second] = [await simulate(seed, { traced: true }), await simulate(seed, { traced: true })]
    expect(second.hash).toBe(first.hash)
    expect(second.world.schedule.trace).toEqual(first.world.schedule.trace)
  }
  expect((await simulate(1)).hash).not.toBe((await simulate(2)).hash)
})
