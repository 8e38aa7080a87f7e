import { describe, expect, it } from "vitest"
import { changedPixels } from "./changed.ts"
import { continuedText } from "./continued.ts"
import type { Box, Raster } from "./picture.ts"

const SIZE = { width: 300, height: 160 }
type Fill = readonly [x: number, y: number, width: number, height: number]

function picture(...fills: readonly Fill[]): Raster {
  const rgba = new Uint8Array(4 * SIZE.width * SIZE.height).fill(255)
  for (const [x, y, width, height] of fills)
    for (let row = y; row < y + height; row++)
      rgba.fill(0, 4 * (row * SIZE.width + x), 4 * (row * SIZE.width + x + width))
  return { ...SIZE, rgba }
}

/** Digits as boxes, 10 high, with the foot at 70. */
const digit = (x: number, foot = 70, height = 10): Fill => [x, foot - height, 5, height]
const FIGURE = [digit(100), digit(107), digit(114)]
const END = 119
const PLACE: Box = { left: 90, top: 40, right: 250, bottom: 100 }

function continued(was: readonly Fill[], added: readonly Fill[], part = PLACE): Box | undefined {
  const [before, after] = [picture(...was), picture(...was, ...added)]
  const changes = changedPixels(before, after)
  return changes === null ? undefined : continuedText(before, after, changes.strength, part)
}

describe("a signature whose ink continues a line of the page", () => {
  it("is found behind the line, in front of it, and inside it", () => {
    expect(continued(FIGURE, [digit(END + 2)])).toEqual({ left: 121, top: 60, right: 126, bottom: 70 })
    expect(continued(FIGURE, [digit(END + 6)])).toBeDefined()
    expect(continued(FIGURE, [digit(93)])).toBeDefined()
    expect(continued([digit(100), digit(120)], [digit(109)])).toBeDefined()
  })

  it("is found behind a comma, which leads to it", () => {
    expect(continued(FIGURE, [[END + 5, 68, 2, 4], digit(END + 12)])).toBeDefined()
    expect(continued(FIGURE, [digit(END + 12)])).toBeUndefined()
  })

  it("is found where it alters a letter", () => {
    expect(continued(FIGURE, [[112, 60, 2, 9]])).toBeDefined()
  })

  it("is found where the text of the page ends outside of its place", () => {
    expect(
      continued(FIGURE, [digit(END + 2)], { left: END + 1, top: 50, right: 200, bottom: 80 }),
    ).toBeDefined()
  })
})

describe("a line that strikes out the text of the page", () => {
  it.each([
    ["the whole of it", [95, 64, 90, 2]],
    ["as thin as it can be", [95, 66, 40, 1]],
    ["as thick as it can be", [95, 63, 40, 4]],
    ["three letters", [99, 64, 21, 1]],
  ] as [string, Fill][])("is found: %s", (_, line) => {
    const found = continued(FIGURE, [line])
    expect(found).toMatchObject({ left: line[0], right: line[0] + line[2] })
  })

  it("is found where the letters touch", () => {
    expect(continued([[100, 60, 30, 10]], [[95, 64, 40, 2]])).toBeDefined()
  })

  it("is none where it was there before", () => {
    expect(continued([...FIGURE, [95, 64, 90, 2]], [[185, 64, 12, 2]])).toBeUndefined()
  })

  it("is none where it slopes, as a pen does", () => {
    const pen = Array.from({ length: 90 }, (_, i): Fill => [80 + i, 50 + Math.floor(i / 3), 1, 2])
    expect(continued(FIGURE, pen)).toBeUndefined()
  })
})

describe("a signature that stands by itself", () => {
  it.each([
    ["further away than a word", [digit(END + 8)]],
    ["above the line", [digit(END + 2, 62)]],
    ["below the line", [digit(END + 2, 78)]],
    ["much larger than the line", [digit(END + 2, 70, 30)]],
    ["a line above the text", [[95, 57, 90, 2]]],
    ["a line through the top of the text", [[95, 60, 90, 1]]],
    ["a line under the text, through its foot", [[95, 69, 90, 2]]],
    ["a line through two letters", [[95, 64, 18, 2]]],
    [
      "a frame around the line",
      [
        [95, 50, 60, 1],
        [95, 80, 60, 1],
        [95, 50, 1, 31],
        [154, 50, 1, 31],
      ],
    ],
    ["a pen that crosses the line", [[104, 45, 3, 50]]],
    [
      "specks",
      [
        [END + 2, 69, 1, 1],
        [END + 4, 62, 1, 1],
      ],
    ],
  ] as [string, Fill[]][])("continues nothing: %s", (_, added) => {
    expect(continued(FIGURE, added)).toBeUndefined()
  })

  it("continues nothing on an empty page", () => {
    expect(continued([], [digit(120), digit(127)])).toBeUndefined()
  })
})
