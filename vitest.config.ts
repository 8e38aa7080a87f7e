import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

// Six kinds of tests (CONTRIBUTING.md). "pure" needs nothing but Node and is part of `npm run check`;
// the others run on the real services that `npm run stack` starts.

// Most of the time of most files is spent waiting for somebody (a retry, a lease, a browser), so as many run at once
// as the machine has cores, whatever Vitest would leave free for others.
const together = { maxWorkers: Math.max(2, availableParallelism()), sequence: { groupOrder: 0 } }

// What takes times or memory in figures has the machine to itself, after all others.
const alone = { maxWorkers: 1, fileParallelism: false, sequence: { groupOrder: 1 } }
const MEASURED = [
  "tests/api/documents-fair.test.ts",
  "tests/api/large-uploads.test.ts",
  "tests/api/lists-at-scale.test.ts",
  "tests/api/login-timing.test.ts",
  "tests/conformance/bench.test.ts",
  "tests/conformance/corpora.test.ts",
  "tests/faults/callbacks-misbehave.test.ts",
  "tests/faults/documents-disk-full.test.ts",
  "tests/faults/reads-while-people-sign.test.ts",
  "tests/faults/signing-keys-away.test.ts",
  "tests/web/throttled.test.ts",
]

const stack = {
  globalSetup: ["tests/stack.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...together,
          // What must be quick is held to processor time; a busy machine is no fault.
          testTimeout: 30_000,
          name: "pure",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: [
            "packages/store/**",
            "packages/gateways/**",
            "packages/trust-sandbox/**",
            "**/node_modules/**",
          ],
        },
      },
      {
        test: {
          ...stack,
          ...together,
          name: "parts",
          include: [
            "packages/store/src/**/*.test.ts",
            "packages/gateways/src/**/*.test.ts",
            "packages/trust-sandbox/src/**/*.test.ts",
          ],
        },
      },
      {
        test: {
          ...stack,
          ...together,
          name: "conformance",
          include: ["tests/conformance/**/*.test.ts"],
          exclude: MEASURED,
        },
      },
      { test: { ...together, name: "fuzz", include: ["tests/fuzz/**/*.test.ts"], testTimeout: 60_000 } },
      {
        test: {
          ...stack,
          ...together,
          name: "front-door",
          include: [
            "tests/lifecycle/**/*.test.ts",
            "tests/api/**/*.test.ts",
            "tests/clients/**/*.test.ts",
            "tests/described/**/*.test.ts",
            "tests/web/**/*.test.ts",
            "tests/faults/**/*.test.ts",
            "tests/house/**/*.test.ts",
          ],
          exclude: MEASURED,
        },
      },
      { test: { ...stack, ...alone, name: "measured", include: MEASURED } },
    ],
  },
})
