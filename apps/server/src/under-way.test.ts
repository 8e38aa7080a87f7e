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

  it("is bounded for all of one business together, and the others go on", () => {
    const { begin } = createUnderWay({ each: 2, business: 3, all: 5 })
    const ends = [begin("a", "x"), begin("b", "x"), begin("c", "x")]
    expect(begin("d", "x")).toBe("each")
    expect([typeof begin("e", "y"), typeof begin("f", "y")]).toEqual(["function", "function"])
    expect(begin("g", "z")).toBe("all")
    const [first] = ends
    if (typeof first === "function") first()
    expect(typeof begin("d", "x")).toBe("function")
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
