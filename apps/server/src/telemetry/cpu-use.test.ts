import { ownerOf, type Tenant } from "@paraph/core/fair-share/owner"
import { expect, it } from "vitest"
import { createCpuUse } from "./cpu-use.ts"
import { createMetrics } from "./metrics.ts"

const business = (number: number, kind: Tenant["kind"] = "production"): Tenant => ({
  businessId: `b${number}`,
  kind,
})

it("[B4] charges each business in each mode, and names the ten with the most", () => {
  let now = 0
  const use = createCpuUse(60, () => now)
  for (let number = 1; number <= 30; number += 1) use.record(business(number), "reading", 1_000 * number)
  use.record(business(1, "demo"), "scanning", 130_000)
  expect(use.top().map(({ businessId, kind }) => `${kind} ${businessId}`)).toEqual([
    "demo b1",
    ...Array.from({ length: 9 }, (_, at) => `production b${30 - at}`),
  ])
  const isOver = (tenant: Tenant) => use.budget.isOver(ownerOf(tenant))
  expect([isOver(business(1, "demo")), isOver(business(1)), isOver(business(30))]).toEqual([
    true,
    false,
    false,
  ])
  now += 60_000
  expect(isOver(business(1, "demo"))).toBe(false)
  expect(use.top()).toHaveLength(1)
})

it("[B4] exports CPU time by mode and kind of work, and never more than ten businesses", async () => {
  const use = createCpuUse(60)
  const metrics = createMetrics(async () => [], use)
  for (let number = 1; number <= 30; number += 1) use.record(business(number), "reading", 1_000)
  use.record(business(31, "demo"), "scanning", 2_500)
  const lines = (await metrics.text()).split("\n")
  expect(lines).toContain('paraph_business_work_cpu_seconds_total{mode="production",work="reading"} 30')
  expect(lines).toContain('paraph_business_work_cpu_seconds_total{mode="demo",work="scanning"} 2.5')
  const businesses = lines.filter((line) => line.startsWith("paraph_business_cpu_budget_spent_seconds{"))
  expect(businesses).toHaveLength(10)
  expect(businesses.some((line) => line.includes('mode="demo",business="b31"'))).toBe(true)
})
