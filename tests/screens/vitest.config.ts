import { defineConfig } from "vitest/config"

// `npm run screens`: no test, and no part of CI; it takes the pictures that docs/screens holds, from the real service.
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ["tests/screens/*.screens.ts"],
    globalSetup: ["tests/stack.ts"],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
