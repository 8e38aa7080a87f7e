import { describe, expect, it } from "vitest"
import { followedBy, stackEffect } from "./graphics-state.ts"

const effect = (content: string) => stackEffect(Buffer.from(content, "latin1"))

describe("the stack of graphics states behind a content stream", () => {
  it.each([
    ["nothing", "", 0, 0, 0],
    ["balanced", "q q 1 0 0 1 0 0 cm Q Q", 0, 0, 2],
    ["two left", "q q q Q", 0, 2, 3],
    ["one taken", "q Q Q", 1, 0, 1],
    ["one taken, one left", "Q q", 1, 1, 0],
    ["without white space", "q/a gs[]0 d(x)Tj Q", 0, 0, 1],
    ["in strings", "(q ( q \\) q) Tj <71> Tj /q Do", 0, 0, 0],
    ["in comments", "% q q q\nq", 0, 1, 1],
    ["in dictionaries", "/P << /q (q) /r <71> >> BDC q EMC", 0, 1, 1],
    ["in longer words", "qq Qq q1", 0, 0, 0],
    ["in an inline image", "q BI /W 1 /H 1 ID q q EI\x00 q q\nEI Q", 0, 0, 1],
    ["in a string without an end", "q (q q", 0, 1, 1],
    ["in an image without an end", "q BI /W 1 ID q q", 0, 1, 1],
  ])("%s", (_, content, taken, left, deepest) => {
    expect(effect(content)).toEqual({ taken, left, deepest })
  })

  it("of two streams is that of both in a row", () => {
    const pieces = ["q q", "Q Q Q", "q", "Q q q Q", "q q q"]
    for (const one of pieces)
      for (const other of pieces)
        expect(followedBy(effect(one), effect(other))).toEqual(effect(`${one} ${other}`))
  })
})
