import { describe, expect, it } from "vitest"
import { bodies, change, contract, type Edit, undefinedIn } from "../testing/contract.ts"

const is = bodies()
const look = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 8 >>\nstream\n(Bob) Tj\nendstream"

describe("a certification with P 3", () => {
  const drawnElsewhere = ["Line", "Polygon", "PolyLine", "Stamp", "Caret", "FreeText"]
  const listed: Edit = [3, is.page.replace("25 0 R]", "25 0 R 31 0 R]")]
  const note = (subtype: string, more: string) =>
    `<< /Type /Annot /Subtype /${subtype} /Rect [50 50 60 60] /Contents (9000) ${more} >>`

  it.each(drawnElsewhere)(
    "forbids that a %s without an appearance is added, changed or removed",
    (subtype) => {
      const without = [note(subtype, ""), note(subtype, "/AP << >>"), note(subtype, "/AP << /N null >>")]
      for (const body of without) {
        expect(undefinedIn(change(contract({ docMdp: 3 }), [listed, [31, body]]))).toEqual([
          "/Pages/Kids[0]/Annots[7]",
        ])
        const was = contract({ docMdp: 3, objects: [[22, body]] })
        expect(undefinedIn(change(was, [[22, body.replace("9000", "100")]]))).not.toEqual([])
        expect(
          undefinedIn(
            change(was, [
              [22, body.replace(/ \/AP.*>> /, " ").replace(" >>", " /AP << /N 32 0 R >> >>")],
              [32, look],
            ]),
          ),
        ).not.toEqual([])
        expect(undefinedIn(change(was, [[3, is.page.replace("22 0 R", "")]]))).toEqual([
          "/Pages/Kids[0]/Annots[5]",
        ])
      }
      const drawn = note(subtype, "/AP << /N 32 0 R >>")
      expect(undefinedIn(change(contract({ docMdp: 3 }), [listed, [31, drawn], [32, look]]))).toEqual([])
    },
  )

  it.each(["Text", "Square", "Circle", "Highlight", "Underline", "Squiggly", "StrikeOut", "Ink"])(
    "allows a %s without an appearance, which PDFium draws",
    (subtype) => {
      expect(undefinedIn(change(contract({ docMdp: 3 }), [listed, [31, note(subtype, "")]]))).toEqual([])
    },
  )

  it.each([
    ["under the pointer", "/AP << /N 32 0 R /R 33 0 R >>"],
    ["when it is pressed", "/AP << /N 32 0 R /D 33 0 R >>"],
    ["in another state", "/AP << /N << /On 32 0 R /Off 33 0 R >> >> /AS /On"],
    ["on paper", "/AP << /N 32 0 R >> /F 36"],
    ["when it is chosen", "/AP << /N 32 0 R >> /F 256"],
    ["in some readers", "/AP << /N 32 0 R >> /F 1"],
  ])("forbids a comment that shows something else %s", (_, more) => {
    const edits: Edit[] = [listed, [31, note("Highlight", more)], [32, look], [33, look]]
    expect(undefinedIn(change(contract({ docMdp: 3 }), edits))).toEqual(["/Pages/Kids[0]/Annots[7]"])
  })
})
