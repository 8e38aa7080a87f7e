import { describe, expect, it } from "vitest"
import { bodies, contract, type Edit, signAgain, signatureDict, undefinedIn } from "../testing/contract.ts"

const is = bodies()
const look = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 8 >>\nstream\n(Bob) Tj\nendstream"

/** A further signature in a new field, whose widget has these entries. */
const inNewField = (more: string): readonly Edit[] => [
  [13, is.acroForm.replace("25 0 R]", "25 0 R 31 0 R]")],
  [3, is.page.replace("25 0 R]", "25 0 R 31 0 R]")],
  [31, `<< /Type /Annot /Subtype /Widget /FT /Sig /T (second) /V 32 0 R /Rect [300 300 400 350] ${more} >>`],
  ...signature,
]
/** The same in the field that waits, /F 4. */
const inOldField = (more: string): readonly Edit[] => [
  [
    16,
    is.waiting.replace("/F 4", more.includes("/F ") ? "" : "/F 4").replace(/ >>$/, ` /V 32 0 R ${more} >>`),
  ],
  ...signature,
]
const signature: readonly Edit[] = [
  [32, signatureDict()],
  [33, look],
  [34, look],
]

describe.each([
  ["new", inNewField, "/AcroForm/Fields[6]"],
  ["old", inOldField, "/AcroForm/Fields[2]"],
] as const)("a further signature in a %s field", (_, edits, path) => {
  it.each([
    ["nothing", ""],
    ["one appearance", "/F 132 /AP << /N 33 0 R >>"],
    ["the same one in all uses", "/F 4 /AP << /N 33 0 R /R 33 0 R /D 33 0 R >>"],
    ["flags that lock it", "/F 708 /AP << /N 33 0 R >>"],
    ["flags that hide it", "/F 38 /AP << /N 33 0 R >>"],
  ])("may have %s", (_, more) => {
    expect(undefinedIn(signAgain(contract(), edits(more)))).toEqual([])
  })

  it.each([
    ["another appearance under the pointer", "AP", "/AP << /N 33 0 R /R 34 0 R >>"],
    ["another appearance when pressed", "AP", "/AP << /N 33 0 R /D 34 0 R >>"],
    ["states", "AP", "/AP << /N << /A 33 0 R /B 34 0 R >> >>"],
    ["a state", "AP", "/AP << /N << /A 33 0 R >> >> /AS /A"],
    ["no normal appearance but another one", "AP", "/AP << /D 34 0 R >>"],
    ["the flag Invisible", "F", "/F 5 /AP << /N 33 0 R >>"],
    ["the flag NoZoom", "F", "/F 12 /AP << /N 33 0 R >>"],
    ["the flag NoRotate", "F", "/F 20 /AP << /N 33 0 R >>"],
    ["the flag ToggleNoView", "F", "/F 260 /AP << /N 33 0 R >>"],
    ["flags that are no number", "F", "/F /Print /AP << /N 33 0 R >>"],
  ])("must not have %s", (_, key, more) => {
    const found = undefinedIn(signAgain(contract(), edits(more)))
    expect(found.length).toBeGreaterThan(0)
    if (!more.includes("/AS")) expect(found).toContain(`${path}/${key}`)
  })
})
