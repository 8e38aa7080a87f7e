import { defineConfig } from "vitest/config"

// `npm run screens`: no test, and no part of CI; it takes the pictures that docs/screens holds, from the real service.
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ["tests/screens/*.screens.ts"],
    globalSetup: ["tests/stack.ts", "tests/screens/readme.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
})
