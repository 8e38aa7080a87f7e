import { describe, expect, it } from "vitest"
import type { Mark, Position, SignatureRequest, VisualSignature } from "../signature-request/model.ts"
import type { SignatureField } from "./model.ts"
import { placingOf, visualFault, visualsFault } from "./visual.ts"

const place = { x: 10, y: 20, width: 100, height: 40 }
const field = (name: string, signed = false): SignatureField => ({
  name,
  signed,
  positions: [{ page: 1, ...place }],
})

/** Three pages of A4, one of which lies on its side, and one that cannot be measured. */
const document = {
  pageCount: 4,
  pageWidth: 595,
  pageHeight: 842,
  pageSizes: [
    { count: 2, width: 595.28, height: 841.89 },
    { count: 1, width: 841.89, height: 595.28 },
    { count: 1, width: 0, height: 0 },
  ],
  signatureFields: [field("Buyer"), field("Seller", true), field("part.one")],
}

const at = (...positions: Partial<Position>[]): VisualSignature => ({
  type: "positions",
  positions: positions.map((position) => ({ page: 0, ...place, ...position })),
})
const formField = (name: string): VisualSignature => ({ type: "form-field", name })

describe("the place of a signature", () => {
  it.each<[string, VisualSignature | null]>([
    ["nowhere in particular", null],
    ["an empty signature field", formField("Buyer")],
    ["a field below another one", formField("part.one")],
    ["a position", at({})],
    ["the whole page", at({ x: 0, y: 0, width: 595.28, height: 841.89 })],
    ["the whole page in whole points", at({ x: 0, y: 0, width: 595, height: 842 })],
    ["the right edge of a page on its side", at({ page: 2, x: 741.89, y: 0 })],
    ["several positions, which may overlap", at({}, {}, { page: 1 }, { page: 2 })],
    ["as many as there may be", at(...Array.from({ length: 50 }, () => ({})))],
  ])("may be %s", (_, visual) => {
    expect(visualFault(document, visual)).toBeNull()
  })

  it.each<[string, VisualSignature, RegExp]>([
    ["a field that is not there", formField("Nobody"), /no signature field of the name "Nobody"/],
    ["a field in other letters", formField("buyer"), /no signature field/],
    ["a part of a field's name", formField("one"), /no signature field/],
    ["no name at all", formField(""), /no signature field/],
    ["a signed field", formField("Seller"), /signed already/],
    ["a page behind the last one", at({ page: 4 }), /no page 4; the first one is 0, the last one 3/],
    ["a page before the first one", at({ page: -1 }), /no page -1/],
    ["half a page", at({ page: 0.5 }), /no page 0.5/],
    ["no page", at({ page: Number.NaN }), /no page/],
    ["left of the page", at({ x: -0.1 }), /does not lie in page 0, which is 595.28 × 841.89 points/],
    ["below the page", at({ y: -1 }), /does not lie/],
    ["beyond the right edge", at({ x: 496 }), /does not lie/],
    ["beyond the top", at({ y: 803 }), /does not lie/],
    ["in a portrait page, where the page lies on its side", at({ page: 2, y: 700 }), /in page 2/],
    ["on a page without a size", at({ page: 3, x: 0, y: 0, width: 1, height: 1 }), /0 × 0/],
    ["without a width", at({ width: 0 }), /at least 1 point/],
    ["with a negative height", at({ y: 100, height: -40 }), /at least 1 point/],
    ["too thin to be seen", at({ width: 0.00001 }), /at least 1 point/],
    ["huge", at({ width: 1e308, height: 1e308 }), /does not lie/],
    ["so far away that the sum is not a number any more", at({ x: 1e308, width: 1e308 }), /does not lie/],
    ["not a number", at({ x: Number.NaN }), /does not lie/],
    ["endless", at({ height: Number.POSITIVE_INFINITY }), /does not lie/],
    ["one that is right and one that is not", at({}, { x: 9_999 }), /does not lie/],
    ["no position", at(), /at least one/],
    ["too many positions", at(...Array.from({ length: 51 }, () => ({}))), /at most 50 positions/],
  ])("must not be %s", (_, visual, fault) => {
    expect(visualFault(document, visual)).toMatch(fault)
  })

  it("is judged as far as it is known, in a document that was measured before we measured all pages", () => {
    const older = { ...document, pageSizes: null }
    expect(visualFault(older, at({ y: 803 }))).toMatch(/does not lie in page 0, which is 595 × 842 points/)
    expect(visualFault(older, at({ page: 1, y: 9_000 }))).toBeNull()
    expect(visualFault(older, at({ page: 1, y: 14_400 }))).toMatch(/does not lie/)
    expect(visualFault(older, at({ page: 4 }))).toMatch(/no page/)
  })

  it("is judged as far as it is known behind the pages that were measured", () => {
    const long = { ...document, pageCount: 10 }
    expect(visualFault(long, at({ page: 9, y: 2_000 }))).toBeNull()
    expect(visualFault(long, at({ page: 9, x: -1 }))).toMatch(/does not lie/)
  })
})

describe("the places of one request", () => {
  const request = (signers: readonly Partial<Mark>[][], groups: readonly Partial<Mark>[][] = []) => {
    const marks = (all: readonly Partial<Mark>[]) =>
      all.map((mark) => ({ documentId: "d1", versionId: null, visual: null, ...mark }))
    return {
      signatures: signers.map((each) => ({ marks: marks(each) })),
      groups: groups.map((each) => ({ marks: marks(each) })),
    } as unknown as SignatureRequest
  }
  const buyer = { visual: formField("Buyer") }

  it("are each signer's own, of any kind, and may overlap", () => {
    expect(visualsFault(request([[buyer], [{ visual: at({}) }], [{ visual: at({}) }], [{}]]))).toBeNull()
    expect(visualsFault(request([[buyer], [{ ...buyer, documentId: "d2" }]]))).toBeNull()
    expect(visualsFault(request([[], []], [[{ visual: at({}) }]]))).toBeNull()
  })

  it("are not more than a document is meant to hold", () => {
    const fifty = { visual: at(...Array.from({ length: 50 }, () => ({}))) }
    const ten = Array.from({ length: 10 }, () => [fifty])
    expect(visualsFault(request([...ten, [{ ...fifty, documentId: "d2" }]]))).toBeNull()
    expect(visualsFault(request([...ten, [{ visual: at({}) }]]))).toMatch(/at 500 places at most/)
  })

  it("name a form field once", () => {
    expect(visualsFault(request([[buyer], [{}], [buyer]]))).toMatch(/"Buyer" is asked for twice/)
  })

  it("give no form field to a group, all of whose members sign", () => {
    expect(visualsFault(request([], [[buyer]]))).toMatch(/not by a group/)
  })
})

describe("where a mark stands", () => {
  it("is a field of its own that nobody sees, unless a place is enforced", () => {
    expect(placingOf(document, null, "Paraph-s1")).toEqual({
      fieldName: "Paraph-s1",
      field: "new",
      positions: [],
    })
  })

  it("is a new field at the positions asked for", () => {
    const positions = [{ page: 2, ...place }]
    const placing = placingOf(document, { type: "positions", positions }, "Paraph-s1")
    expect(placing).toEqual({ fieldName: "Paraph-s1", field: "new", positions })
  })

  it("is the field of the document, where that is seen", () => {
    expect(placingOf(document, formField("Buyer"), "Paraph-s1")).toEqual({
      fieldName: "Buyer",
      field: "existing",
      positions: [{ page: 1, ...place }],
    })
  })
})
