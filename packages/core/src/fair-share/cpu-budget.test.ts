import { expect, it } from "vitest"
import { createCpuBudget } from "./cpu-budget.ts"

const LIMITS = { perMinuteMs: 10_000, burstMs: 20_000 }
const [a, b] = [
  { key: "a", isDemo: false },
  { key: "b", isDemo: true },
]

it("[B4] tells when an owner has spent its CPU time, and when time has paid it off", () => {
  let now = 0
  const { charge, isOver } = createCpuBudget({ ...LIMITS, now: () => now })
  charge(a, 20_000)
  expect(isOver(a)).toBe(false)
  charge(a, 10_000)
  expect([isOver(a), isOver(b)]).toEqual([true, false])
  now += 59_000
  expect(isOver(a)).toBe(true)
  now += 2_000
  expect(isOver(a)).toBe(false)
})

it("limits the debt to a full bucket, so that an owner comes back after a known time", () => {
  let now = 0
  const { charge, isOver } = createCpuBudget({ ...LIMITS, now: () => now })
  charge(a, 1_000_000)
  now += 2 * 60_000 + 1
  expect(isOver(a)).toBe(false)
})
