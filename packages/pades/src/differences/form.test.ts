import { describe, expect, it } from "vitest"
import { bodies, change, contract, differencesIn, type Edit, undefinedIn } from "../testing/contract.ts"

const is = bodies()
const form = (data: string, more = "") =>
  `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${more} /Length ${data.length} >>\nstream\n${data}\nendstream`
const FONTS = "/Font << /F1 8 0 R >>"
const fields = is.acroForm.replace(/\/DA.*$/, "")
const formWith = (resources: string, more = "/DA (/F1 0 Tf)") => `${fields} ${more} /DR ${resources} >>`

describe("how fields are drawn", () => {
  const added: readonly (readonly [string, readonly Edit[], string])[] = [
    ["an alignment", [[13, is.acroForm.replace(/ >>$/, " /Q 2 >>")]], "/AcroForm/Q"],
    ["a font", [[13, formWith("<< /Font << /F1 8 0 R /F2 8 0 R >> >>")]], "/AcroForm/DR"],
    [
      "an XObject",
      [
        [13, formWith(`<< ${FONTS} /XObject << /FRM 31 0 R >> >>`)],
        [31, form("")],
      ],
      "/AcroForm/DR",
    ],
  ]

  it.each(added)("may get %s later, but not with P 1", (_, edits, path) => {
    expect(differencesIn(change(contract(), edits)).changes).toEqual([])
    expect(undefinedIn(change(contract({ docMdp: 2 }), edits))).toEqual([])
    expect(undefinedIn(change(contract({ docMdp: 1 }), edits))).toEqual([path])
  })

  it("may get a default appearance where there was none, but not with P 1", () => {
    const edits: readonly Edit[] = [[13, is.acroForm]]
    const objects: readonly Edit[] = [[13, formWith(`<< ${FONTS} >>`, "")]]
    expect(undefinedIn(change(contract({ docMdp: 2, objects }), edits))).toEqual([])
    expect(undefinedIn(change(contract({ docMdp: 1, objects }), edits))).toEqual(["/AcroForm/DA"])
  })

  it("may get fonts where the resources are an object of their own, but not with P 1", () => {
    const edits: readonly Edit[] = [[50, "<< /Font << /F1 8 0 R /F2 8 0 R >> >>"]]
    const objects: readonly Edit[] = [
      [13, formWith("50 0 R")],
      [50, `<< ${FONTS} >>`],
    ]
    expect(undefinedIn(change(contract({ docMdp: 2, objects }), edits))).toEqual([])
    expect(undefinedIn(change(contract({ docMdp: 1, objects }), edits))).toEqual(["/AcroForm/DR"])
  })
})

describe("an XObject of the default resources", () => {
  const resources = (to: number) => `<< ${FONTS} /XObject << /FRM ${to} 0 R >> >>`
  const own = "/Resources << /XObject << /FRM 50 0 R >> >>"
  const exchange: readonly Edit[] = [
    [13, formWith(resources(31))],
    [31, form("(9000) Tj")],
  ]
  const add: readonly Edit[] = [[13, formWith(resources(50))]]
  const signedWith = (look: string, dr: string, ...more: readonly Edit[]) =>
    contract({ objects: [[13, formWith(dr)], [19, look], [50, form("(100) Tj")], ...more] })

  it.each([
    ["draws no XObject", form("(Ada) Tj")],
    ["has it in its own resources", form("/FRM Do", own)],
    [
      "has another one in its own resources",
      form("/Other Do", "/Resources << /XObject << /Other 50 0 R >> >>"),
    ],
  ])("may be exchanged where the appearance of each field %s", (_, look) => {
    expect(undefinedIn(change(signedWith(look, resources(50)), exchange))).toEqual([])
    expect(undefinedIn(change(signedWith(look, `<< ${FONTS} >>`), add))).toEqual([])
  })

  const deep = "/Resources << /XObject << /Other 51 0 R >> >>"
  it.each<readonly [string, string, readonly Edit[]]>([
    ["takes it from there", form("/FRM Do"), []],
    ["takes it from there by another spelling", form("/F#52M Do"), []],
    ["has other resources", form("/FRM Do", "/Resources << /XObject << /Other 50 0 R >> >>"), []],
    ["draws another one that takes it from there", form("/Other Do", deep), [[51, form("/FRM Do")]]],
    ["cannot be read", form("(Ada) Tj", "/Filter /Unknown"), []],
  ])("must not be exchanged or added where the appearance of a field %s", (_, look, more) => {
    expect(undefinedIn(change(signedWith(look, resources(50), ...more), exchange))).toEqual(["/AcroForm/DR"])
    expect(undefinedIn(change(signedWith(look, `<< ${FONTS} >>`, ...more), add))).toEqual(["/AcroForm/DR"])
  })

  it("must not be written again", () => {
    const file = signedWith(form("(Ada) Tj"), resources(50))
    expect(undefinedIn(change(file, [[50, form("(9000) Tj")]]))).not.toEqual([])
  })
})
