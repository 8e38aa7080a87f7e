// Shadow attacks: who wrote the document also prepared what it is to become. What the signer saw is hidden, replaced, or
// both; the objects for it are in the signed revision already, or nearly.

import { image, imageBytes, look, N, pageContent, ref, stream, text } from "./contract.ts"
import { append, changed, without } from "./revision.ts"
import type { Attack, Technique } from "./technique.ts"

const BASES = [
  "table B-B P=none ×1",
  "stream B-B P=1 ×1",
  "table B-B P=2 ×1",
  "table B-B P=3 ×1 seen",
  "stream B-LTA P=2 ×1 seen",
]

const technique =
  (kind: Attack["class"]) =>
  (name: string, make: Technique["make"]): Technique => ({
    class: kind,
    name,
    expected: "undefined",
    on: (base) => BASES.includes(base.name),
    make,
  })

const hide = technique("shadow-hide")
const replace = technique("shadow-replace")
const both = technique("shadow-hide-and-replace")

const NOTHING = look("", 340, 25)

export const shadow: readonly Technique[] = [
  hide("the cover taken off the page", (base) =>
    append(base, {
      objects: [
        [
          N.secondPage,
          changed(base, N.secondPage, { Annots: without(base, N.secondPage, "Annots", [N.cover]) }),
        ],
      ],
    }),
  ),
  hide("the cover made to show nothing", (base) => append(base, { objects: [[N.coverLook, NOTHING]] })),
  hide("the cover hidden by its flags", (base) =>
    append(base, { objects: [[N.cover, changed(base, N.cover, { F: "2" })]] }),
  ),
  hide("the cover hidden on the screen alone", (base) =>
    append(base, { objects: [[N.cover, changed(base, N.cover, { F: "36" })]] }),
  ),
  hide("the cover without a look", (base) =>
    append(base, { objects: [[N.cover, changed(base, N.cover, { AP: null })]] }),
  ),
  hide("the cover moved aside", (base) =>
    append(base, { objects: [[N.cover, changed(base, N.cover, { Rect: "[60 20 400 45]" })]] }),
  ),
  hide("the cover made as small as a point", (base) =>
    append(base, { objects: [[N.cover, changed(base, N.cover, { Rect: "[60 720 60.1 720.1]" })]] }),
  ),
  hide("the cover in a layer that is not shown", (base) =>
    append(base, { objects: [[N.cover, changed(base, N.cover, { OC: ref(N.hiddenLayer) })]] }),
  ),
  hide("the cover freed", (base) => append(base, { freed: [N.cover] })),
  hide("the look of the cover freed", (base) => append(base, { freed: [N.coverLook] })),
  hide("the cover transparent", (base) =>
    append(base, {
      objects: [
        [N.coverLook, look("/Plain gs", 340, 25)],
        [N.state, "<< /Type /ExtGState /ca 0 /CA 0 >>"],
      ],
    }),
  ),
  hide("the picture freed", (base) => append(base, { freed: [N.image] })),
  hide("a null in the place of the form that the page draws", (base) =>
    append(base, { objects: [[N.logo, "null"]] }),
  ),

  replace("the value that the form shows", (base) =>
    append(base, { objects: [[N.amountLook, look("BT /F1 11 Tf 2 5 Td (9000) Tj ET", 128, 20)]] }),
  ),
  replace("the font by one with other glyphs", (base) =>
    append(base, {
      objects: [[N.font, changed(base, N.font, { BaseFont: "/ZapfDingbats", Encoding: null })]],
    }),
  ),
  replace("the glyphs of the drawn font exchanged", (base) =>
    append(base, {
      objects: [
        [
          N.drawnFont,
          changed(base, N.drawnFont, {
            CharProcs: `<< /one ${ref(N.glyphNine)} /nine ${ref(N.glyphOne)} >>`,
          }),
        ],
      ],
    }),
  ),
  replace("the text under the cover", (base) =>
    append(base, { objects: [[N.secondContent, stream(text(72, 730, "A penalty of CHF 99000 is due."))]] }),
  ),
  replace("the look of the box that is to be ticked", (base) =>
    append(base, { objects: [[N.agreeOff, look("0 0 14 14 re S 2 2 m 12 12 l S 2 12 m 12 2 l S", 14, 14)]] }),
  ),
  replace("the picture", (base) => append(base, { objects: [[N.image, image(imageBytes(120))]] })),

  both("the page tree that was prepared", (base) =>
    append(base, { objects: [[N.catalog, changed(base, N.catalog, { Pages: ref(N.preparedPages) })]] }),
  ),
  both("the catalog that was prepared", (base) => append(base, { root: N.preparedCatalog })),
  both("the page that was prepared", (base) =>
    append(base, {
      objects: [[N.pages, changed(base, N.pages, { Kids: `[${ref(N.preparedPage)} ${ref(N.secondPage)}]` })]],
    }),
  ),
  both("the content that was prepared", (base) =>
    append(base, { objects: [[N.page, changed(base, N.page, { Contents: ref(N.preparedContent) })]] }),
  ),
  ...([N.content, N.logo, N.font] as const).map((number) =>
    both(`object ${number} pointed to a twin of the signed revision`, (base) => {
      const place = base.twins.get(number)
      if (place === undefined) throw new Error("There is no twin.")
      return append(base, { moved: new Map([[number, place]]) })
    }),
  ),
  both("the content pointed into the middle of another stream", (base) => {
    const prepared = base.bytes.indexOf(`${N.preparedContent} 0 obj`)
    return append(base, { moved: new Map([[N.content, prepared]]) })
  }),
  both("the cover taken off, and the text under it changed", (base) =>
    append(base, {
      objects: [
        [N.secondPage, changed(base, N.secondPage, { Annots: "[]" })],
        [N.secondContent, stream(text(72, 730, "A penalty of CHF 99000 is due."))],
      ],
    }),
  ),
  both("the content replaced in an object stream of its own name", (base) =>
    append(base, {
      packed: [[N.page, changed(base, N.page, { Contents: ref(base.free) })]],
      objects: [[base.free, stream(pageContent("7777.00"))]],
      xref: "stream",
    }),
  ),
]
