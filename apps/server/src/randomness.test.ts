import { describe, expect, it } from "vitest"
import { createRandomness } from "./randomness.ts"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const drawn = (seed: string, whose: string): readonly string[] => {
  const { newId, randomBytes, newNonce } = createRandomness(seed, whose)
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
  return [newId(), newId(), hex(randomBytes(20)), hex(newNonce(Buffer.from("about")))]
}

describe("what is drawn", () => {
  it("follows from the seed and from who draws", () => {
    const first = drawn("42", "api")
    expect(drawn("42", "api")).toEqual(first)
    expect(new Set([...first, ...drawn("42", "worker"), ...drawn("43", "api")]).size).toBe(11)
  })

  it("is new each time where there is no seed", () => {
    expect(new Set([...drawn("", "api"), ...drawn("", "api")]).size).toBe(8)
  })

  it.each(["", "42"])("has ids of version 4 (seed %j)", (seed) => {
    const { newId } = createRandomness(seed, "api")
    for (let n = 0; n < 50; n += 1) expect(newId()).toMatch(UUID)
  })
})
