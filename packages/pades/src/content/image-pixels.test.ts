import { describe, expect, it } from "vitest"
import { samplePdf } from "../sample.ts"
import { streamOf, withCatalog } from "../testing/hostile.ts"
import { describePdf } from "./describe.ts"

describe("[B9] the pixels of images", () => {
  const image = (size: string) => streamOf(`/Type /XObject /Subtype /Image ${size}`, Buffer.alloc(0))

  it("are counted as the images declare them, each image once", () => {
    const file = withCatalog(
      "/X [4 0 R 5 0 R 5 0 R 6 0 R]",
      image("/Width 100 /Height 200"),
      image("/Width 7 0 R /Height 3000.9"),
      image("/Width -5 /Height (a)"),
      "1000",
    )
    expect(describePdf(file).imagePixels).toEqual({ total: 3_020_000, largest: 3_000_000, largestObject: 5 })
  })

  it("are none where there is no image", () => {
    expect(describePdf(samplePdf()).imagePixels).toEqual({ total: 0, largest: 0, largestObject: 0 })
  })
})
