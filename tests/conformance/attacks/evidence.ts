// What belongs to validation: the security store, time-stamps over the document, and what a certification permits.

import { N, pageContent, ref, stream } from "./contract.ts"
import { append, changed, entryOf, type Objects, withMore } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Attack, Technique } from "./technique.ts"

const BASES = [
  "table B-B P=none ×1",
  "table B-B P=1 ×1 seen",
  "stream B-B P=2 ×1 seen",
  "table B-LTA P=none ×1",
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

const store = (
  name: string,
  dss: string | ((base: SignedBase) => string),
  more: (base: SignedBase) => Objects = () => [],
) =>
  technique("security-store", name, (base) => [
    [N.catalog, changed(base, N.catalog, { DSS: typeof dss === "string" ? dss : dss(base) })],
    ...more(base),
  ])

const OTHER: Objects = [[N.content, stream(pageContent("9000.00"))]]

/** A new field for a time-stamp over the document, with a value. */
const stamped = (
  name: string,
  value: (base: SignedBase) => string,
  more: (base: SignedBase) => Objects = () => [],
) =>
  technique("timestamp", name, (base) => [
    [N.form, changed(base, N.form, { Fields: withMore(base, N.form, "Fields", [base.free]), SigFlags: "3" })],
    [
      base.free,
      `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Archive) /F 132 /Rect [0 0 0 0] /P ${ref(N.page)} /V ${ref(base.free + 1)} >>`,
    ],
    [base.free + 1, value(base)],
    ...more(base),
  ])

const token = (base: SignedBase, contents: string, range?: string): string =>
  `<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 /ByteRange ${range ?? `[0 ${base.bytes.length} ${base.bytes.length + 100} 10]`} /Contents ${contents} >>`

const certification = (name: string, objects: (base: SignedBase) => Objects) =>
  technique("certification", name, objects)

const permit = (level: string): string =>
  `[<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /V /1.2 /P ${level} >> >>]`

export const evidence: readonly Technique[] = [
  store("the content of a page as a certificate", `<< /Type /DSS /Certs [${ref(N.content)}] >>`, () => OTHER),
  store("the look of a field as a certificate", `<< /Type /DSS /Certs [${ref(N.amountLook)}] >>`, () => [
    [
      N.amountLook,
      stream(
        "BT /F1 11 Tf 2 5 Td (9000) Tj ET",
        "/Type /XObject /Subtype /Form /BBox [0 0 128 20] /Resources 47 0 R",
      ),
    ],
  ]),
  store("a picture as a revocation list", `<< /Type /DSS /CRLs [${ref(N.image)}] >>`, () => [
    [
      N.image,
      stream(
        "\0".repeat(64),
        "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8",
      ),
    ],
  ]),
  store("a font as an answer about revocation", `<< /Type /DSS /OCSPs [${ref(N.glyphOne)}] >>`, () => [
    [N.glyphOne, stream("600 0 0 0 600 700 d1 0 0 600 700 re f")],
  ]),
  store("a page hung below it", `<< /Type /DSS /Certs [] /Page ${ref(N.preparedPage)} >>`, (base) => [
    [N.pages, changed(base, N.pages, { Kids: `[${ref(N.preparedPage)} ${ref(N.secondPage)}]` })],
  ]),
  store(
    "the page tree as related information",
    `<< /Type /DSS /VRI << /${"A".repeat(40)} ${ref(N.pages)} >> >>`,
    (base) => [[N.pages, changed(base, N.pages, { Kids: `[${ref(N.secondPage)} ${ref(N.page)}]` })]],
  ),
  store("not a dictionary, with another content", "[]", () => OTHER),
  store("a form hung below it", `<< /Type /DSS /Certs [] /AcroForm ${ref(N.form)} >>`, (base) => [
    [N.form, changed(base, N.form, { NeedAppearances: "true" })],
  ]),
  store(
    "the catalog as a certificate",
    (base) => `<< /Type /DSS /Certs [${ref(N.catalog)} ${ref(base.free)}] >>`,
    (base) => [[base.free, stream("no certificate")], ...OTHER],
  ),

  stamped(
    "a token of zeros",
    (base) => token(base, `<${"00".repeat(40)}>`),
    () => OTHER,
  ),
  stamped(
    "a token that is none",
    (base) => token(base, "<3000>"),
    () => OTHER,
  ),
  stamped(
    "the signature of somebody as a token",
    (base) => token(base, entryOf(base, base.signature.object, "Contents")),
    () => OTHER,
  ),
  stamped("a signature of the document as a token, with its range", (base) =>
    token(base, entryOf(base, base.signature.object, "Contents"), `[${base.signature.range.join(" ")}]`),
  ),
  stamped(
    "a token in a field that shows something",
    (base) => token(base, "<3000>"),
    (base) => [
      [N.page, changed(base, N.page, { Annots: withMore(base, N.page, "Annots", [base.free + 2]) })],
      [
        base.free + 2,
        `<< /Type /Annot /Subtype /Widget /Parent ${ref(base.free)} /F 132 /Rect [70 724 390 746] /AP << /N ${ref(N.coverLook)} >> >>`,
      ],
    ],
  ),
  stamped("a time-stamp that certifies", (base) =>
    token(base, "<3000>").replace(/>>$/, `/Reference ${permit("3")} >>`),
  ),
  technique(
    "timestamp",
    "the signature called a time-stamp",
    (base) => [
      [
        base.signature.object,
        changed(base, base.signature.object, { Type: "/DocTimeStamp", SubFilter: "/ETSI.RFC3161" }),
      ],
    ],
    "failed",
  ),

  certification("one more permission", (base) => [
    [base.signature.object, changed(base, base.signature.object, { Reference: permit("3") })],
    [N.catalog, changed(base, N.catalog, { Perms: `<< /DocMDP ${ref(base.signature.object)} >>` })],
    ...OTHER,
  ]),
  certification("the permissions taken out of the catalog", (base) => [
    [N.catalog, changed(base, N.catalog, { Perms: null, Lang: "(fr)" })],
  ]),
  certification("the permissions of another dictionary", (base) => [
    [N.catalog, changed(base, N.catalog, { Perms: `<< /DocMDP ${ref(base.free)} >>` })],
    [
      base.free,
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 0 0 0] /Contents <3000> /Reference ${permit("3")} >>`,
    ],
    ...OTHER,
  ]),
  certification("a certification behind the signature", (base) => [
    [N.form, changed(base, N.form, { Fields: withMore(base, N.form, "Fields", [base.free]) })],
    [N.catalog, changed(base, N.catalog, { Perms: `<< /DocMDP ${ref(base.free + 1)} >>` })],
    [base.free, `<< /FT /Sig /T (Certified) /V ${ref(base.free + 1)} >>`],
    [base.free + 1, changed(base, base.signature.object, { Reference: permit("3") })],
    ...OTHER,
  ]),
  certification("a permission that does not exist", (base) => [
    [base.signature.object, changed(base, base.signature.object, { Reference: permit("4") })],
    ...OTHER,
  ]),
  certification("a lock of other fields than those that were locked", (base) => [
    [
      base.signature.field,
      changed(base, base.signature.field, {
        Lock: "<< /Type /SigFieldLock /Action /Exclude /Fields [(amount)] >>",
      }),
    ],
    [N.amount, changed(base, N.amount, { V: "(9000)" })],
  ]),
  certification("a reference to what may be changed, by field", (base) => [
    [
      base.signature.object,
      changed(base, base.signature.object, {
        Reference:
          "[<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /V /1.2 /Action /Include /Fields [(name)] >> >>]",
      }),
    ],
    [N.amount, changed(base, N.amount, { V: "(9000)" })],
  ]),
]
