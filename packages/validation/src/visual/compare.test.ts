import { describe, expect, it } from "vitest"
import { LONE_PIXEL, SAME_COLOUR } from "./changed.ts"
import { type Allowed, comparePictures as compareWithin, largestSignature } from "./compare.ts"
import { drawDifference, GONE, NEW } from "./difference.ts"
import type { Box, Raster } from "./picture.ts"

const SIZE = { width: 120, height: 80 }

type Fill = readonly [x: number, y: number, width: number, height: number, grey: number]

function picture(...fills: readonly Fill[]): Raster {
  const rgba = new Uint8Array(4 * SIZE.width * SIZE.height).fill(255)
  for (const [x, y, width, height, grey] of fills)
    for (let row = y; row < y + height; row++)
      rgba.fill(grey, 4 * (row * SIZE.width + x), 4 * (row * SIZE.width + x + width))
  return { ...SIZE, rgba }
}

/** At 100 dots to the inch, as pages are drawn; no page is so small. */
const LARGEST = (SIZE.width * SIZE.height) / 4
const comparePictures = (before: Raster, after: Raster, allowed: readonly Allowed[], largest = LARGEST) =>
  compareWithin(before, after, allowed, largest)

const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom })
const signature = (at: Box): Allowed[] => [{ box: at, why: "signature" }]
/** Strokes of letters: narrow bars. */
const LETTERS: Fill[] = Array.from({ length: 8 }, (_, i) => [20 + 4 * i, 30, 1, 9, 0])

describe("two pictures", () => {
  it("are the same when they are, and when no eye could tell", () => {
    const nothing = { different: false, kinds: [], changed: 0, spots: [] }
    expect(comparePictures(picture(...LETTERS), picture(...LETTERS), [])).toEqual(nothing)
    const pale = picture(...LETTERS, [60, 60, 30, 10, 255 - SAME_COLOUR])
    expect(comparePictures(picture(...LETTERS), pale, [])).toEqual(nothing)
    const seen = picture(...LETTERS, [60, 60, 30, 10, 254 - SAME_COLOUR])
    expect(comparePictures(picture(...LETTERS), seen, [])).toMatchObject({ kinds: ["outside"], changed: 300 })
  })

  it("may differ by a weak pixel that stands alone, not by two of them or by a strong one", () => {
    const weak = 256 - LONE_PIXEL
    const kinds = (...fills: readonly Fill[]) => comparePictures(picture(), picture(...fills), []).kinds
    expect(kinds([50, 50, 1, 1, weak], [54, 50, 1, 1, weak])).toEqual([])
    expect(kinds([50, 50, 2, 1, weak])).toEqual(["outside"])
    expect(kinds([50, 50, 1, 1, weak], [51, 51, 1, 1, weak])).toEqual(["outside"])
    expect(kinds([50, 50, 1, 1, weak - 1])).toEqual(["outside"])
    expect(kinds([0, 0, 1, 1, 0])).toEqual(["outside"])
    expect(kinds([119, 79, 1, 1, 0])).toEqual(["outside"])
  })

  it("of different sizes cannot be compared", () => {
    expect(() => comparePictures(picture(), { ...picture(), width: 80, height: 120 }, [])).toThrow(RangeError)
  })

  it("tell where they differ, and what is new and gone there", () => {
    const [was, is] = [picture([10, 10, 5, 5, 0]), picture([60, 40, 20, 6, 0])]
    const compared = comparePictures(was, is, [])
    expect(compared).toMatchObject({ kinds: ["outside"], box: box(10, 10, 80, 46), changed: 145 })
    expect(compared.spots).toEqual([
      { what: "new", box: box(60, 40, 80, 46) },
      { what: "gone", box: box(10, 10, 15, 15) },
    ])
  })
})

describe("in the place of a signature", () => {
  const place = box(15, 25, 60, 45)

  it("ink may be added beside and across what is there, to the very edge", () => {
    const ink: Fill[] = [
      [14, 37, 47, 2, 40],
      [55, 26, 3, 10, 0],
    ]
    const compared = comparePictures(picture(...LETTERS), picture(...LETTERS, ...ink), signature(place))
    expect(compared).toMatchObject({ different: false, kinds: [] })
    expect(compared.changed).toBeGreaterThan(0)
    const beyond: Fill = [12, 37, 50, 2, 40]
    const outside = comparePictures(picture(...LETTERS), picture(...LETTERS, beyond), signature(place))
    expect(outside).toMatchObject({ kinds: ["outside"], box: box(12, 37, 62, 39) })
  })

  it.each([0, 80, 160, 230, 255])("nothing may be covered by a box of grey %i", (grey) => {
    const covered = comparePictures(
      picture(...LETTERS),
      picture(...LETTERS, [18, 28, 12, 14, grey]),
      signature(place),
    )
    expect(covered.kinds).toEqual(["covered"])
    expect(covered.box?.left).toBe(20)
    expect(covered.box?.right).toBeLessThanOrEqual(30)
  })

  // Of PALE, 20: a pale grey of 90 % is 25 from white.
  it.each([
    ["pale print", 255, 230, 255],
    ["white print upon pale grey", 204, 255, 204],
  ])("%s may not be covered, and ink may be added there", (_, ground, print, cover) => {
    const all: Fill = [0, 0, 120, 80, ground]
    const letters = LETTERS.map(([x, y, width, height]): Fill => [x, y, width, height, print])
    const was = picture(all, ...letters)
    const covered = picture(all, ...letters, [18, 28, 20, 14, cover])
    expect(comparePictures(was, covered, signature(place)).kinds).toEqual(["covered"])
    const pen = picture(all, ...letters, [16, 41, 30, 2, 0], [56, 27, 3, 16, 0])
    expect(comparePictures(was, pen, signature(place)).kinds).toEqual([])
    const speck = picture(all, ...letters, [20, 28, 1, 12, cover])
    expect(comparePictures(was, speck, signature(place)).kinds).toEqual([])
  })

  it("a pale area may be covered, because its edge is no print", () => {
    const was = picture([10, 20, 30, 40, 230])
    expect(comparePictures(was, picture(), signature(box(5, 15, 45, 65))).kinds).toEqual([])
  })

  it("an area may not get another colour, and ink may be added upon it", () => {
    const bar: Fill = [0, 20, 120, 30, 100]
    const painted = picture(bar, [18, 26, 20, 14, 200])
    expect(comparePictures(picture(bar), painted, signature(place))).toMatchObject({ kinds: ["covered"] })
    const pen = picture(bar, [18, 26, 8, 18, 0], [30, 34, 26, 8, 0])
    expect(comparePictures(picture(bar), pen, signature(place)).kinds).toEqual([])
    const onPaper = picture([18, 26, 20, 14, 200])
    expect(comparePictures(picture(), onPaper, signature(place)).kinds).toEqual([])
  })

  it("a solid appearance may be added upon the paper of a large page", () => {
    const page = (...rest: readonly number[]): Raster => {
      const rgba = new Uint8Array(4 * 600 * 400).fill(255)
      for (let y = 0; y < 20; y++) for (const grey of rest) rgba.fill(grey, 4 * 600 * y, 4 * (600 * y + 40))
      return { width: 600, height: 400, rgba }
    }
    const at = signature(box(0, 0, 60, 40))
    expect(comparePictures(page(), page(100), at, 60_000).kinds).toEqual([])
  })

  it("a broad pen may cross the line to sign upon, and may not hide a number", () => {
    const line: Fill = [16, 40, 42, 1, 0]
    const pen: Fill[] = [
      [30, 26, 8, 18, 30],
      [44, 26, 6, 18, 30],
    ]
    expect(comparePictures(picture(line), picture(line, ...pen), signature(place)).kinds).toEqual([])
    const stem: Fill = [33, 29, 1, 8, 0]
    expect(comparePictures(picture(line, stem), picture(line, ...pen), signature(place)).kinds).toEqual([
      "covered",
    ])
  })

  it("nothing may be covered upon a tinted ground, and ink may be added there", () => {
    const tint: Fill = [0, 0, 120, 80, 215]
    const was = picture(tint, ...LETTERS)
    const added = picture(tint, ...LETTERS, [54, 27, 2, 16, 0])
    expect(comparePictures(was, added, signature(place)).kinds).toEqual([])
    const covered = picture(tint, ...LETTERS, [18, 28, 12, 14, 215])
    expect(comparePictures(was, covered, signature(place)).kinds).toEqual(["covered"])
  })

  it("nothing at all may change when it takes too much of the page", () => {
    const dot = picture([5, 5, 3, 3, 0])
    expect(comparePictures(picture(), dot, signature(box(0, 0, 120, 20))).kinds).toEqual([])
    expect(comparePictures(picture(), dot, signature(box(0, 0, 120, 21))).kinds).toEqual(["repainted"])
    expect(comparePictures(picture(), picture(), signature(box(0, 0, 120, 80))).kinds).toEqual([])
    // The pictures are a part of a page that is four times as large.
    expect(comparePictures(picture(), dot, signature(box(0, 0, 120, 80)), 4 * LARGEST).kinds).toEqual([])
  })

  it("too much is a quarter of the page, but never less than an ordinary signature", () => {
    expect(largestSignature(600 * 800, 1)).toBe(600 * 200)
    expect(largestSignature(300 * 144, 1)).toBe(300 * 100)
    expect(largestSignature(2 * 300 * 2 * 144, 2)).toBe(4 * 300 * 100)
  })

  it("a comment is told apart from what nobody allowed", () => {
    const comment: Allowed[] = [{ box: place, why: "annotation" }]
    const compared = comparePictures(picture(), picture([20, 30, 5, 5, 0], [100, 70, 5, 5, 0]), comment)
    expect(compared.kinds).toEqual(["outside", "annotation"])
    expect(compared.box).toEqual(box(20, 30, 105, 75))
  })
})

describe("the picture of a difference", () => {
  it("shows what was in grey, and what is new and gone by colour and by frame", () => {
    const [was, is] = [
      picture([30, 30, 4, 4, 0], [60, 60, 4, 4, 0]),
      picture([30, 30, 4, 4, 0], [90, 20, 4, 4, 0]),
    ]
    const shown = drawDifference(was, is, comparePictures(was, is, []).spots)
    const at = (x: number, y: number) => [...shown.rgba.subarray(4 * (y * 120 + x), 4 * (y * 120 + x) + 3)]
    expect(at(0, 0)).toEqual([255, 255, 255])
    const [red, green, blue] = at(31, 31)
    expect(red).toBe(green)
    expect(green).toBe(blue)
    expect(red).toBeLessThan(200)
    expect(at(61, 61)).toEqual(GONE)
    expect(at(91, 21)).toEqual(NEW)
    // The frame of what is new has no gaps, that of what is gone has some.
    const along = (from: number, y: number, length: number) =>
      Array.from({ length }, (_, i) => at(from + i, y).join())
    expect(new Set(along(85, 15, 14))).toEqual(new Set([NEW.join()]))
    expect(new Set(along(51, 51, 20))).toEqual(new Set([GONE.join(), "255,255,255"]))
  })

  it("stays within the picture at its edges", () => {
    const is = picture([0, 0, 3, 3, 0], [118, 78, 2, 2, 0])
    expect(() => drawDifference(picture(), is, comparePictures(picture(), is, []).spots)).not.toThrow()
  })
})
