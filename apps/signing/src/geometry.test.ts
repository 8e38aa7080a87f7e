import { expect, it } from "vitest"
import { millimetres, onPicture, within } from "./geometry.ts"

const A4 = { width: 595, height: 842 }

it("keeps a place in its page, wherever it was pushed to", () => {
  const place = { page: 0, x: -50, y: 900, width: 180, height: 60 }
  expect(within(place, A4)).toEqual({ page: 0, x: 0, y: 782, width: 180, height: 60 })
  expect(within({ ...place, width: 9_999 }, A4)).toMatchObject({ x: 0, width: 595 })
})

it("never makes a signature too small to be seen", () => {
  const { width, height } = within({ page: 0, x: 10, y: 10, width: -5, height: 0 }, A4)
  expect([millimetres(width), millimetres(height)]).toEqual([15, 6])
})

it("counts from the upper left corner on the picture, and from the lower left in the PDF", () => {
  const shown = onPicture({ x: 0, y: 0, width: 595, height: 84.2 }, A4)
  expect(shown).toMatchObject({ left: "0%", width: "100%" })
  expect(Number.parseFloat(shown.top)).toBeCloseTo(90)
})
