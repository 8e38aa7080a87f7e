import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { writeSample } from "../sample.ts"
import { finish } from "../signing/finish.ts"
import { prepare } from "../signing/prepare.ts"
import { options, valueFor } from "../testing/signer.ts"
import { describePdf } from "./describe.ts"
import type { PagePlace } from "./page.ts"

const CATALOG = (fields: string) => `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${fields}] >> >>`
const PAGES = "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 600 800] >>"
const page = (entries = "") => `<< /Type /Page /Parent 2 0 R ${entries} >>`
const positionsIn = (...bodies: string[]) =>
  describePdf(writeSample(bodies)).signatureFields.map((one) => one.positions)

describe("the positions of a signature field", () => {
  const widget = (entries: string) =>
    `<< /T (a) /FT /Sig /Subtype /Widget /Rect [100 200 300 250] ${entries} >>`
  const at = (index: number): PagePlace => ({ page: index, x: 100, y: 200, width: 200, height: 50 })

  it("are on the page that it names", () => {
    expect(positionsIn(CATALOG("5 0 R"), PAGES, page(), page(), widget("/P 4 0 R"))).toEqual([[at(1)]])
  })

  it("are on the page that lists it, where it names none or none that there is", () => {
    for (const named of ["", "/P 1 0 R", "/P null"]) {
      const [direct, indirect] = ["[5 0 R]", "6 0 R"].map((annotations) =>
        positionsIn(
          CATALOG("5 0 R"),
          PAGES,
          page(),
          page(`/Annots ${annotations}`),
          widget(named),
          "[5 0 R]",
        ),
      )
      expect(direct).toEqual([[at(1)]])
      expect(indirect).toEqual([[at(1)]])
    }
  })

  it("are several where it has several widgets", () => {
    const field = "<< /T (a) /FT /Sig /Kids [6 0 R 7 0 R 8 0 R] >>"
    const kid = (entries: string) => `<< /Parent 5 0 R /Subtype /Widget ${entries} >>`
    const kids = [
      kid("/Rect [9 9 0 0] /P 4 0 R"),
      kid("/Rect [1 1 1 9] /P 3 0 R"),
      kid("/Rect [0 0 8 8] /P 3 0 R"),
    ]
    expect(positionsIn(CATALOG("5 0 R"), PAGES, page(), page(), field, ...kids)).toEqual([
      [
        { page: 1, x: 0, y: 0, width: 9, height: 9 },
        { page: 0, x: 0, y: 0, width: 8, height: 8 },
      ],
    ])
  })

  it.each([
    ["without a rectangle", "<< /T (a) /FT /Sig /P 3 0 R >>"],
    ["with one that is none", "<< /T (a) /FT /Sig /P 3 0 R /Rect [1 2 (3) 4] >>"],
    ["with one without a size", "<< /T (a) /FT /Sig /P 3 0 R /Rect [0 0 0 0] >>"],
    ["outside the page", "<< /T (a) /FT /Sig /P 3 0 R /Rect [600 0 700 100] >>"],
    ["on no page", "<< /T (a) /FT /Sig /Rect [0 0 100 100] >>"],
    ["on a page without a size", "<< /T (a) /FT /Sig /P 4 0 R /Rect [0 0 100 100] >>"],
  ])("are none for one %s", (_, field) => {
    expect(positionsIn(CATALOG("5 0 R"), PAGES, page(), page("/MediaBox [0 0 0 0]"), field)).toEqual([[]])
  })

  it("are what is seen: within the page, cropped and turned", () => {
    const turned = page("/CropBox [100 100 500 700] /Rotate 90")
    const field = "<< /T (a) /FT /Sig /P 3 0 R /Rect [50 600 200 800] >>"
    // The page is 600 wide and 400 high; what was at its left is now at its top.
    expect(positionsIn(CATALOG("5 0 R"), PAGES, turned, page(), field)).toEqual([
      [{ page: 0, x: 500, y: 300, width: 100, height: 100 }],
    ])
  })

  it("are limited", () => {
    const kids = "<< /Rect [0 0 9 9] /P 3 0 R >>".repeat(10_001)
    expect(() =>
      positionsIn(CATALOG("5 0 R"), PAGES, page(), page(), `<< /T (a) /FT /Sig /Kids [${kids}] >>`),
    ).toThrow("too many signature fields")
  })
})

const coordinate = fc.integer({ min: 0, max: 500 })
const places = fc.record({
  x: coordinate,
  y: coordinate,
  width: fc.integer({ min: 1, max: 90 }),
  height: fc.integer({ min: 1, max: 90 }),
})

it("a signature is seen where it was asked for, and its position given back makes a field at the same spot", () => {
  const rotations = fc.constantFrom(0, 90, 180, 270)
  const units = fc.constantFrom(1, 0.1, 3)
  fc.assert(
    fc.property(places, rotations, units, fc.nat(1), (rect, rotate, unit, index) => {
      const box = [10, 20, 10 + 600 / unit, 20 + 600 / unit]
      const one = page(`/MediaBox [${box.join(" ")}] /Rotate ${rotate} /UserUnit ${unit}`)
      const file = writeSample([CATALOG(""), PAGES, one, one])
      const place = { page: index, ...rect }
      const signed = signAt(file, "One", place)
      const [found] = describePdf(signed).signatureFields
      expect(found).toMatchObject({ name: "One", signed: true })
      const [position] = found?.positions ?? []
      for (const key of ["page", "x", "y", "width", "height"] as const)
        expect(position?.[key]).toBeCloseTo(place[key], 2)
      const again = describePdf(signAt(signed, "Two", position ?? place)).signatureFields
      expect(again.map(({ positions }) => positions)).toEqual([[position], [position]])
    }),
    { numRuns: 40 },
  )
})

it("a signature without a place is nowhere", () => {
  const file = writeSample([CATALOG(""), PAGES, page(), page()])
  expect(describePdf(signAt(file, "One")).signatureFields).toEqual([
    { name: "One", signed: true, positions: [] },
  ])
})

function signAt(file: Uint8Array, fieldName: string, place?: PagePlace): Uint8Array {
  const prepared = prepare(file, { ...options(fieldName), ...(place === undefined ? {} : { place }) })
  return Buffer.concat([file, finish(prepared, valueFor(prepared))])
}
