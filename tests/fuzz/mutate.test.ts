// Mutations of texts and of JSON: they change something, keep JSON what it is, and are the same for the same seed.

import { describe, expect, it } from "vitest"
import { mutateJson } from "./mutate-json.ts"
import { mutateWords } from "./mutate-words.ts"
import { newRandom } from "./random.ts"

const LINE = Buffer.from("Bearer a.b-c; q=0.5, https://example.com/x?y=%20z\nnext")
const TREE = Buffer.from(JSON.stringify({ a: [1, "two", { three: null }], b: { c: "d" } }))

describe("a text", () => {
  it("comes out changed most of the time, in many ways, and the same by the same seed", () => {
    const made = (seed: number) => {
      const random = newRandom(seed)
      return Array.from({ length: 500 }, () =>
        Buffer.from(mutateWords(LINE, ["word"], random)).toString("latin1"),
      )
    }
    const first = made(1)
    expect(new Set(first).size).toBeGreaterThan(200)
    expect(first.filter((text) => text.includes("word")).length).toBeGreaterThan(20)
    expect(made(1)).toEqual(first)
    expect(made(2)).not.toEqual(first)
  })

  it("takes no longer where it is long, and has no end of line", () => {
    const random = newRandom(3)
    const long = Buffer.alloc(32_768, "<a")
    const begun = performance.now()
    for (let i = 0; i < 300; i++) mutateWords(long, [], random)
    // Quadratic patterns took a second for each.
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})

describe("JSON", () => {
  it("stays JSON, and becomes another tree", () => {
    const random = newRandom(1)
    const made = Array.from({ length: 500 }, () => mutateJson(TREE, [TREE], ["name"], random))
    const texts = made.map((bytes) => Buffer.from(bytes ?? []).toString())
    for (const text of texts) expect(() => JSON.parse(text.replace(/^\ufeff/, ""))).not.toThrow()
    expect(new Set(texts).size).toBeGreaterThan(150)
    expect(texts.some((text) => text.includes('"name"'))).toBe(true)
    expect(texts.some((text) => !text.includes('"a"'))).toBe(true)
  })

  it("what is none is left to those who change texts", () => {
    expect(mutateJson(Buffer.from("{"), [TREE], [], newRandom(1))).toBeNull()
  })
})
