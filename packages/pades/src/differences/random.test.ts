// Edits that nobody thought of: whatever is done to the objects of a signed document is undefined, unless it is one of the
// few things that a rule allows.

import fc from "fast-check"
import { expect, it } from "vitest"
import { PdfRefused } from "../refused.ts"
import { bodies, change, contract, differencesIn, type Edit, OBJECTS } from "../testing/contract.ts"

const is = bodies()
const base = contract()
const certified = contract({ docMdp: 3 })
const names = (Object.keys(OBJECTS) as (keyof typeof OBJECTS)[]).filter((name) => name !== "signature")

/** What may be said of an object: a value of the field, a date, or what nobody looks at. */
const ALLOWED: Partial<Record<keyof typeof OBJECTS, readonly string[]>> = {
  catalog: ["Version", "Extensions"],
  page: ["LastModified", "ITXT"],
  secondPage: ["LastModified", "ITXT"],
  pages: ["LastModified", "ITXT"],
  information: ["ModDate", "Producer"],
  acroForm: ["Q", "NeedAppearances"],
  text: ["V", "M", "RV"],
  choice: ["V", "M", "I", "TI"],
  checkBox: ["V", "M"],
  waiting: ["M"],
  signed: ["M"],
  button: ["M"],
  metadata: ["Length", "Filter"],
}

const KEYS =
  "A AA AF AP AS Annots B BBox BM BaseFont BS C CO CropBox Contents D DA DR DV Dest Dests Encoding F FT Ff Fields Filter FontDescriptor Group H I ITXT JS K Kids LastModified Length Lock M MK Matrix MediaBox Metadata N NM Names Nums OC Opt Outlines P Pages Parent Pg Producer Q RV Rect Ref Resources Rotate S SMask SV SigFlags StructParent Subtype T TI TU Tabs Title ToUnicode Type UserUnit V Version W Width Widths XFA XObject".split(
    " ",
  )
const VALUES = [
  "null",
  "7",
  "(text)",
  "/Name",
  "[1 2 3 4]",
  "<< /X 1 >>",
  "true",
  ...Object.values(OBJECTS).map((number) => `${number} 0 R`),
  "[3 0 R /Fit]",
  "<< /S /JavaScript /JS (app.alert(1)) >>",
  "<< /N 5 0 R >>",
]

/** The entry of a dictionary that is written on one line. */
function withEntry(body: string, key: string, value: string): string {
  const own = new RegExp(`/${key} ((?:\\([^)]*\\)|\\[[^\\]]*\\]|<<.*?>>|/\\w+|\\d+ 0 R|\\d+)(?= ?))`)
  const end = body.indexOf(">>\nstream") < 0 ? body.lastIndexOf(">>") : body.indexOf(">>\nstream")
  if (own.test(body.slice(0, end))) return body.replace(own, () => `/${key} ${value}`)
  return `${body.slice(0, end)} /${key} ${value} ${body.slice(end)}`
}

const edited = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      name: fc.constantFrom(...names),
      key: fc.constantFrom(...KEYS),
      value: fc.constantFrom(...VALUES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constantFrom(...names),
      key: fc.constant(""),
      value: fc.constantFrom(...Object.values(is), "null", "[]", "<< >>"),
    }),
  },
)

/** What nobody can explain; nothing where the document is not read at all, or has lost its signature. */
function judged(file: Uint8Array): { readonly any: boolean; readonly undefined: boolean } | undefined {
  try {
    const { changes } = differencesIn(file)
    return { any: changes.length > 0, undefined: changes.some((one) => one.undefined) }
  } catch (error) {
    if (error instanceof PdfRefused || String(error).includes("Nobody has signed")) return undefined
    throw error
  }
}

it("an edit is undefined, or is one of those that are allowed, or is none", { timeout: 60_000 }, () => {
  let caught = 0
  fc.assert(
    fc.property(edited, fc.boolean(), ({ name, key, value }, isCertified) => {
      const before = is[name]
      const body = key === "" ? value : withEntry(before, key, value)
      if (body.replaceAll(/\s+/g, "") === before.replaceAll(/\s+/g, "")) return
      const own =
        name === "catalog" && isCertified ? body.replace(/ >>$/, " /Perms << /DocMDP 29 0 R >> >>") : body
      const edit: Edit = [OBJECTS[name], own]
      const found = judged(change(isCertified ? certified : base, [edit]))
      if (found === undefined || found.undefined) {
        caught += 1
        return
      }
      const isComment = isCertified && (name === "comment" || key === "Annots")
      const isSameKid = name === "structure" && key === "K" && value === "28 0 R"
      const isNull = value === "null" && !before.includes(`/${key} `)
      expect(isComment || isNull || isSameKid || ALLOWED[name]?.includes(key), `${name}: ${own}`).toBe(true)
    }),
    { numRuns: 1_500 },
  )
  expect(caught).toBeGreaterThan(1_000)
})
