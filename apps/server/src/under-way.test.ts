import { describe, expect, it } from "vitest"
import { createUnderWay } from "./under-way.ts"

describe("what is under way", () => {
  it("is bounded for each and for all, and says which", () => {
    const { begin } = createUnderWay({ each: 2, all: 3 })
    const ends = [begin("a"), begin("a")]
    expect(begin("a")).toBe("each")
    const other = begin("b")
    expect(begin("b")).toBe("all")
    expect([...ends, other].map((end) => typeof end)).toEqual(["function", "function", "function"])
  })

  it("makes a place when it ends, and one only however often that is said", () => {
    const { begin } = createUnderWay({ each: 2, all: 2 })
    const end = begin("a")
    begin("a")
    if (typeof end === "string") throw new Error("It has not begun.")
    end()
    end()
    expect(typeof begin("b")).toBe("function")
    expect(begin("c")).toBe("all")
  })
})
