import { describe, expect, it } from "vitest"
import { hashOf, newSecret } from "./secrets.ts"

describe("a secret of a link or a session", () => {
  it("has 256 bits, and is another one each time", () => {
    expect(Buffer.from(newSecret(), "base64url")).toHaveLength(32)
    expect(new Set(Array.from({ length: 1000 }, newSecret)).size).toBe(1000)
  })

  it("is known by its SHA-256 alone", () => {
    const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    expect(Buffer.from(hashOf("")).toString("hex")).toBe(empty)
  })
})
