// Sneaky signature attack: what further signatures may bring along, their fields and what these show, without a signature
// worth the name.

import { look, N, ref, text } from "./contract.ts"
import { append, changed, entryOf, type Objects, withMore } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Technique } from "./technique.ts"

const BASES = [
  "table B-B P=none ×1",
  "table B-B P=1 ×1 seen",
  "table B-B P=2 ×1",
  "table B-B P=3 ×1 seen",
  "stream B-B P=2 ×1 seen",
]
const OVER = `1 g 0 0 320 22 re f 0 g ${text(2, 6, "The lender pays CHF 9000.00 to the borrower.")}`
const PLACE = "[70 724 390 746]"

const technique = (name: string, make: Technique["make"]): Technique => ({
  class: "SSA",
  name,
  expected: "undefined",
  on: (base) => BASES.includes(base.name),
  make,
})

/** A new signature field, its value and what it shows. */
function withField(
  base: SignedBase,
  entries: Entries,
  more: Objects = [],
  shown = look(OVER, 320, 22),
): Buffer {
  const [number, looks] = [base.free, base.free + 1]
  const all: Entries = {
    Type: "/Annot",
    Subtype: "/Widget",
    FT: "/Sig",
    T: "(Carol)",
    F: "132",
    P: ref(N.page),
    Rect: PLACE,
    AP: `<< /N ${ref(looks)} >>`,
    ...entries,
  }
  const field = Object.entries(all).map(([key, value]) => `/${key} ${value}`)
  return append(base, {
    objects: [
      [N.form, changed(base, N.form, { Fields: withMore(base, N.form, "Fields", [number]), SigFlags: "3" })],
      [N.page, changed(base, N.page, { Annots: withMore(base, N.page, "Annots", [number]) })],
      [number, `<< ${field.join(" ")} >>`],
      [looks, shown],
      ...more,
    ],
  })
}
type Entries = Readonly<Record<string, string>>

const ZEROS = "<".padEnd(200, "0")
/** What looks like a signature to whoever does not check it. */
const hollow = (base: SignedBase, contents = `${ZEROS}>`): string =>
  `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 ${base.bytes.length} ${base.bytes.length + 200} 100] /Contents ${contents} /M (D:20261101000000Z) /Name (Carol) >>`

export const ssa: readonly Technique[] = [
  technique("an unsigned field that shows another amount", (base) => withField(base, {})),
  technique("an unsigned field as large as the page", (base) =>
    withField(
      base,
      { Rect: "[0 0 595 842]" },
      [],
      look(`1 g 0 0 595 842 re f 0 g ${text(72, 730, "The lender pays CHF 9000.00.")}`, 595, 842),
    ),
  ),
  technique("an unsigned field that only a printer shows", (base) => withField(base, { F: "36" })),
  technique("a field signed with zeros", (base) =>
    withField(base, { V: ref(base.free + 2) }, [[base.free + 2, hollow(base)]]),
  ),
  technique("a field signed with nothing", (base) =>
    withField(base, { V: ref(base.free + 2) }, [[base.free + 2, "<< /Type /Sig >>"]]),
  ),
  technique("a field signed with null", (base) => withField(base, { V: "null" })),
  technique("a field signed with a text", (base) => withField(base, { V: "(signed by Carol)" })),
  technique("a field that shows the signature of somebody else", (base) =>
    withField(base, { V: ref(base.signature.object) }),
  ),
  technique("a field with a copy of the signature of somebody else", (base) =>
    withField(base, { V: ref(base.free + 2) }, [[base.free + 2, changed(base, base.signature.object, {})]]),
  ),
  technique("a field signed with a time-stamp that is none", (base) =>
    withField(base, { V: ref(base.free + 2) }, [
      [
        base.free + 2,
        hollow(base)
          .replace("/Type /Sig", "/Type /DocTimeStamp")
          .replace("ETSI.CAdES.detached", "ETSI.RFC3161"),
      ],
    ]),
  ),
  technique("the signed field shows something else", (base) => {
    const { field } = base.signature
    return append(base, {
      objects: [
        [field, changed(base, field, { Rect: PLACE, AP: `<< /N ${ref(base.free)} >>`, F: "132" })],
        [N.page, changed(base, N.page, { Annots: withMore(base, N.page, "Annots", [field]) })],
        [base.free, look(OVER, 320, 22)],
      ],
    })
  }),
  technique("the signed field shown a second time, larger", (base) => {
    const { field } = base.signature
    const kid = `<< /Type /Annot /Subtype /Widget /F 132 /Parent ${ref(field)} /Rect ${PLACE} /AP << /N ${ref(base.free + 1)} >> >>`
    return append(base, {
      objects: [
        [field, changed(base, field, { Kids: `[${ref(base.free)}]` })],
        [N.page, changed(base, N.page, { Annots: withMore(base, N.page, "Annots", [base.free]) })],
        [base.free, kid],
        [base.free + 1, look(OVER, 320, 22)],
      ],
    })
  }),
  technique("the empty field of the contract shows something without being signed", (base) =>
    append(base, {
      objects: [
        [N.emptySignature, changed(base, N.emptySignature, { AP: `<< /N ${ref(base.free)} >>` })],
        [
          base.free,
          look("0 0 0.5 rg 0 0 200 60 re f 1 g BT /F1 12 Tf 10 25 Td (Signed: the bank) Tj ET", 200, 60),
        ],
      ],
    }),
  ),
  technique("the empty field of the contract moved over the amount", (base) =>
    append(base, {
      objects: [
        [
          N.emptySignature,
          changed(base, N.emptySignature, { Rect: PLACE, AP: `<< /N ${ref(base.free)} >>` }),
        ],
        [base.free, look(OVER, 320, 22)],
      ],
    }),
  ),
  technique("the empty field of the contract given a value that is none", (base) =>
    append(base, {
      objects: [
        [
          N.emptySignature,
          changed(base, N.emptySignature, { V: ref(base.free), AP: `<< /N ${ref(base.free + 1)} >>` }),
        ],
        [base.free, hollow(base)],
        [base.free + 1, look("BT /F1 12 Tf 10 25 Td (Signed: the bank) Tj ET", 200, 60)],
      ],
    }),
  ),
  technique("a field whose look is in every state", (base) =>
    withField(base, {
      AP: `<< /N ${ref(base.free + 1)} /R ${ref(base.free + 1)} /D ${ref(base.free + 1)} >>`,
    }),
  ),
  technique("a field that is a text field to some readers", (base) =>
    withField(base, { FT: "/Tx", V: "(9000)" }),
  ),
  technique("a field that locks what was open", (base) =>
    withField(base, { Lock: "<< /Type /SigFieldLock /Action /All >>" }),
  ),
  technique("a field upon no page, and its look upon one", (base) => {
    const annots = withMore(base, N.page, "Annots", [base.free])
    return append(base, {
      objects: [
        [N.page, changed(base, N.page, { Annots: annots })],
        [
          base.free,
          `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Carol) /F 132 /Rect ${PLACE} /AP << /N ${ref(base.free + 1)} >> >>`,
        ],
        [base.free + 1, look(OVER, 320, 22)],
      ],
    })
  }),
  technique("the name of the signed field changed", (base) => {
    const { field } = base.signature
    return append(base, { objects: [[field, changed(base, field, { T: "(The bank)", TU: "(The bank)" })]] })
  }),
  technique("the signed field taken out of the form", (base) => {
    const fields = entryOf(base, N.form, "Fields").replace(ref(base.signature.field), "")
    return append(base, { objects: [[N.form, changed(base, N.form, { Fields: fields, SigFlags: null })]] })
  }),
]
