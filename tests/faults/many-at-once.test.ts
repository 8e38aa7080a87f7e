import { expect, it } from "vitest"
import { runSeed } from "./rig/run.ts"

// The short one of `npm run faults`, whose long runs add up in docs/reliability.md. The seed is printed where it fails.
it("whatever fails, nothing that was acknowledged is lost, and nothing is done twice (I1 to I13)", {
  timeout: 900_000,
}, async () => {
  const lines: string[] = []
  const seed = 20_261_117
  const { breaches, signed, faults } = await runSeed({
    seed,
    faults: 14,
    only: [],
    clients: 3,
    lanes: 2,
    say: (line) => lines.push(line),
  })
  expect(breaches, `seed ${seed}\n${lines.join("\n")}`).toEqual([])
  // A run in which nothing happened shows nothing.
  expect(signed).toBeGreaterThan(0)
  expect(Object.values(faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(14)
})
