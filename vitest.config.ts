import { defineConfig } from "vitest/config"

// Five kinds of tests (CONTRIBUTING.md). "pure" needs nothing but Node and is part of `npm run check`;
// the others run on the real services that `npm run stack` starts.
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
          name: "parts",
          include: [
            "packages/store/src/**/*.test.ts",
            "packages/gateways/src/**/*.test.ts",
            "packages/trust-sandbox/src/**/*.test.ts",
          ],
        },
      },
      { test: { ...stack, name: "conformance", include: ["tests/conformance/**/*.test.ts"] } },
      { test: { name: "fuzz", include: ["tests/fuzz/**/*.test.ts"], testTimeout: 60_000 } },
      {
        test: {
          ...stack,
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
        },
      },
    ],
  },
})
