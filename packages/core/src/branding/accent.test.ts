import { describe, expect, it } from "vitest"
import { contrastWithWhite, readAccent } from "./accent.ts"

describe("an accent", () => {
  it.each([
    ["#000000", 21],
    ["#ffffff", 1],
    ["#767676", 4.54],
    ["#ff0000", 4],
    ["#0000ff", 8.59],
  ])("%s has the contrast with white that others measure, %s", (accent, contrast) => {
    expect(contrastWithWhite(accent)).toBeCloseTo(contrast, 2)
  })

  it("is kept in small letters", () => {
    expect(readAccent("#1F4E79")).toBe("#1f4e79")
  })

  it.each(["", "1f4e79", "#1f4", "#1f4e7g", "red", "#1f4e79ff", "#1f4e79;}"])("is never %j", (given) => {
    expect(() => readAccent(given)).toThrow("such as #1f4e79")
  })

  it("is refused where it is a shade too light, with the figure", () => {
    expect(readAccent("#767676")).toBe("#767676")
    expect(() => readAccent("#777777")).toThrow("4.47:1")
    expect(() => readAccent("#ffcc00")).toThrow("Choose a darker one")
  })
})
