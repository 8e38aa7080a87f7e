import { describe, expect, it } from "vitest"
import { dev } from "./dev.ts"

describe("paraph dev", () => {
  it("says where it belongs, where there is no checkout", async () => {
    await expect(dev([], "/nowhere/dev.ts")).rejects.toThrow("To try it out: paraph sandbox")
  })
})
