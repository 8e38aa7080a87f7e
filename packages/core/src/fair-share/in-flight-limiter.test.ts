import { describe, expect, it } from "vitest"
import { createInFlightLimiter } from "./in-flight-limiter.ts"

const production = (key: string) => ({ key, isDemo: false })
const demo = (key: string) => ({ key, isDemo: true })

describe("an in-flight limiter", () => {
  it("bounds work of each owner and of all, and returns which limit was reached", () => {
    const { begin } = createInFlightLimiter({ perOwner: 2, total: 3 })
    const ends = [begin(production("a")), begin(production("a"))]
    expect(begin(production("a"))).toBe("owner")
    ends.push(begin(production("b")))
    expect(begin(production("b"))).toBe("total")
    expect(ends.map((end) => typeof end)).toEqual(["function", "function", "function"])
  })

  it("bounds the work of one caller among those of its owner", () => {
    const { begin } = createInFlightLimiter({ perCaller: 2, perOwner: 3, total: 5 })
    const [first] = [begin(production("x"), "a"), begin(production("x"), "a")]
    expect(begin(production("x"), "a")).toBe("owner")
    expect(typeof begin(production("x"), "b")).toBe("function")
    expect(begin(production("x"), "c")).toBe("owner")
    expect([typeof begin(production("y"), "a"), typeof begin(production("y"), "a")]).toEqual([
      "function",
      "function",
    ])
    expect(begin(production("z"), "d")).toBe("total")
    if (typeof first === "function") first()
    expect(typeof begin(production("x"), "a")).toBe("function")
  })

  it("[B4] keeps half for production", () => {
    const { begin } = createInFlightLimiter({ perOwner: 4, total: 4 })
    expect([typeof begin(demo("a")), typeof begin(demo("b"))]).toEqual(["function", "function"])
    expect(begin(demo("c"))).toBe("total")
    expect(typeof begin(production("c"))).toBe("function")
  })

  it("frees one slot when work ends, however often its end is reported", () => {
    const { begin } = createInFlightLimiter({ perOwner: 2, total: 2 })
    const end = begin(production("a"))
    begin(production("a"))
    if (typeof end === "string") throw new Error("It has not begun.")
    end()
    end()
    expect(typeof begin(production("b"))).toBe("function")
    expect(begin(production("c"))).toBe("total")
  })
})
