import { LIMITS } from "@paraph/core/limits"
import { describe, expect, it } from "vitest"
import { tooManyPixels, viewBudgetMs } from "./refusing.ts"

const images = (largest: number, total = largest) => ({ largest, total, largestObject: 5 })

describe("[B9] the limits of images", () => {
  it("refuse one image by the pixels that it declares, and all together", () => {
    expect(tooManyPixels(images(30_000 * 30_000))).toEqual([
      {
        reason: "render-budget",
        detail: "An image (object 5) has 900 million pixels; at most 250 million are rendered.",
      },
    ])
    expect(tooManyPixels(images(1_000_000, 2_000_000_001))[0]?.detail).toContain(
      "2001 million pixels together",
    )
  })

  it("leave scans alone: 200 pages at 300 dpi, and A0 at 400 dpi", () => {
    const page = 2480 * 3508
    expect(tooManyPixels(images(page, 200 * page))).toEqual([])
    expect(tooManyPixels(images(13_244 * 18_724))).toEqual([])
  })

  it("give time for each page and each million pixels, up to a limit", () => {
    expect(viewBudgetMs(1, images(0))).toBe(3_060)
    expect(viewBudgetMs(20, images(8_700_000, 174_000_000))).toBe(3_000 + 20 * 60 + 174 * 40)
    expect(viewBudgetMs(2000, images(0))).toBe(LIMITS.viewCpuMs)
  })
})
