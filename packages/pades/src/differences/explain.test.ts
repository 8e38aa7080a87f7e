import { describe, expect, it } from "vitest"
import {
  bodies,
  type ContractOptions,
  change,
  contract,
  differencesIn,
  type Edit,
  undefinedIn,
} from "../testing/contract.ts"

/** A document security store in a new revision, which rewrites the catalog. */
function withStore(base: Uint8Array, options: ContractOptions): Buffer {
  const edits: readonly Edit[] = [
    [1, bodies(options).catalog.replace(/ >>$/, " /DSS 31 0 R >>")],
    [31, "<< /Type /DSS /Certs [32 0 R] >>"],
    [32, "<< /Length 2 >>\nstream\nxx\nendstream"],
  ]
  return change(base, edits)
}

const kinds = (file: Uint8Array) => [...new Set(differencesIn(file).changes.map(({ kind }) => kind))]

describe("a signature reference that names the catalog as its data (ISO 32000-2, table 256)", () => {
  const fieldMdp = "/Action /Include /Fields [(name)]"
  const cases: readonly (readonly [string, ContractOptions])[] = [
    ["FieldMDP, approval", { fieldMdp, data: "/Data 1 0 R" }],
    ["FieldMDP and DocMDP, certification", { fieldMdp, docMdp: 2, data: "/Data 1 0 R" }],
    ["DocMDP, certification", { docMdp: 2, data: "/Data 1 0 R" }],
  ]

  it.each(cases)("does not make validation data an undefined change: %s", (_, options) => {
    const file = withStore(contract(options), options)
    expect(undefinedIn(file)).toEqual([])
    expect(kinds(file)).toEqual(["validation-data"])
  })

  it("still locks the fields that it names", () => {
    const base = contract({ fieldMdp, data: "/Data 1 0 R" })
    const filled = change(base, [[14, bodies().text.replace("(Ada)", "(Bob)")]])
    expect(undefinedIn(filled)).toEqual(["/AcroForm/Fields[0]/V of name"])
  })

  it("does not allow other changes of the catalog", () => {
    const base = contract({ fieldMdp, data: "/Data 1 0 R" })
    const acted = change(base, [[1, bodies().catalog.replace(/ >>$/, " /OpenAction [4 0 R /Fit] >>")]])
    expect(undefinedIn(acted)).toEqual(["/OpenAction"])
  })
})
