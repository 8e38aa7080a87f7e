import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { samplePdf, writeSample } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf, type Pdf, resolveDict } from "../structure/document.ts"
import { pageAt, placeOnPage, shownRect, widgetShown } from "./page.ts"

const withPage = (entries: string, ...more: string[]): Pdf =>
  openPdf(
    bytesSource(
      writeSample([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        `<< /Type /Page /Parent 2 0 R ${entries} >>`,
        ...more,
      ]),
    ),
  )
const PLACE = { x: 10, y: 20, width: 100, height: 50 }

describe("a place on a page as a person sees it", () => {
  it.each([
    ["of a plain page", "", [10, 20, 110, 70], [1, 0, 0, 1, 0, 0]],
    ["of a page turned right", "/Rotate 90", [530, 10, 580, 110], [0, 1, -1, 0, 50, 0]],
    ["of a page turned over", "/Rotate 180", [490, 730, 590, 780], [-1, 0, 0, -1, 100, 50]],
    ["of a page turned left", "/Rotate 270", [20, 690, 70, 790], [0, -1, 1, 0, 0, 100]],
    ["of a page turned left, said the other way", "/Rotate -90", [20, 690, 70, 790], [0, -1, 1, 0, 0, 100]],
    ["of a cropped page", "/CropBox [50 60 550 700]", [60, 80, 160, 130], [1, 0, 0, 1, 0, 0]],
    [
      "of a page cropped and turned",
      "/CropBox [50 60 550 700] /Rotate 90",
      [480, 70, 530, 170],
      [0, 1, -1, 0, 50, 0],
    ],
    ["of a page with a larger unit", "/UserUnit 2", [5, 10, 55, 35], [0.5, 0, 0, 0.5, 0, 0]],
  ])("%s", (_, entries, rect, matrix) => {
    const pdf = withPage(`/MediaBox [0 0 600 800] ${entries}`)
    const shown = placeOnPage(pdf, pageAt(pdf, 0), PLACE)
    expect(shown.rect).toEqual(rect)
    expect(shown.bbox).toEqual([0, 0, 100, 50])
    expect(shown.matrix.map((value) => value + 0)).toEqual(matrix)
  })

  it("is found again from its rectangle, whatever the page", () => {
    const whole = (min: number, max: number) => fc.integer({ min, max })
    fc.assert(
      fc.property(
        fc.constantFrom(0, 90, 180, 270, 450, -180),
        fc.constantFrom(1, 0.5, 3),
        whole(-300, 300),
        whole(-300, 300),
        whole(0, 30),
        whole(0, 30),
        (rotate, unit, left, bottom, x, y) => {
          const media = `/MediaBox [${left} ${bottom} ${left + 300} ${bottom + 200}]`
          const pdf = withPage(`${media} /Rotate ${rotate} /UserUnit ${unit}`)
          const page = pageAt(pdf, 0)
          const place = { x, y, width: 40, height: 30 }
          const found = shownRect(pdf, page, placeOnPage(pdf, page, place).rect)
          for (const key of ["x", "y", "width", "height"] as const)
            expect(found[key]).toBeCloseTo(place[key], 6)
        },
      ),
    )
  })

  it("may reach the edge of a page whose size was told in whole points", () => {
    const pdf = openPdf(bytesSource(samplePdf()))
    const shown = placeOnPage(pdf, pageAt(pdf, 0), { x: 500, y: 800, width: 95, height: 42 })
    expect(shown.rect[3]).toBeCloseTo(841.89)
  })

  it.each([
    ["left of the page", { ...PLACE, x: -1 }],
    ["below the page", { ...PLACE, y: -1 }],
    ["right of the page", { ...PLACE, x: 501 }],
    ["above the page", { ...PLACE, y: 751 }],
    ["without a width", { ...PLACE, width: 0 }],
    ["without a number", { ...PLACE, height: Number.NaN }],
    ["of no end", { ...PLACE, width: Number.POSITIVE_INFINITY }],
  ])("is refused %s", (_, place) => {
    const pdf = withPage("/MediaBox [0 0 600 800]")
    expect(() => placeOnPage(pdf, pageAt(pdf, 0), place)).toThrow(RangeError)
  })
})

describe("a page by its index", () => {
  it("counts from nought, and there is none behind the last", () => {
    const pdf = openPdf(bytesSource(samplePdf({ pages: 3 })))
    expect([0, 1, 2].map((index) => pageAt(pdf, index).ref?.number)).toEqual([4, 5, 6])
    expect(() => pageAt(pdf, 3)).toThrow(RangeError)
    expect(() => pageAt(pdf, -1)).toThrow(RangeError)
    expect(() => pageAt(pdf, 0.5)).toThrow(RangeError)
  })
})

describe("a widget that is in the file already", () => {
  const shown = (page: string, widget: string) => {
    const pdf = withPage(`/MediaBox [0 0 600 800] ${page}`, widget)
    return widgetShown(pdf, resolveDict(pdf, { type: "ref", number: 4, generation: 0 }, "The widget"))
  }

  it("stands upright on the page that it names", () => {
    const found = shown("/Rotate 90", "<< /Rect [580 110 530 10] /P 3 0 R >>")
    expect(found).toEqual({ rect: [530, 10, 580, 110], bbox: [0, 0, 100, 50], matrix: [0, 1, -1, 0, 50, 0] })
  })

  it("stands on the page that lists it where it names none", () => {
    expect(shown("/Rotate 180 /Annots [4 0 R]", "<< /Rect [0 0 10 5] >>")?.matrix).toEqual([
      -1, 0, 0, -1, 10, 5,
    ])
  })

  it("is not seen without a size or a page", () => {
    expect(shown("/Annots [4 0 R]", "<< /Rect [0 0 0 0] >>")).toBeUndefined()
    expect(shown("/Annots [4 0 R]", "<< /T (none) >>")).toBeUndefined()
    expect(shown("", "<< /Rect [0 0 10 10] >>")).toBeUndefined()
  })
})
