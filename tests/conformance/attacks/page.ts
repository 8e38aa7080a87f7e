// Pages: their boxes, their turn, their order and their number.

import { N, pageContent, ref, stream, text } from "./contract.ts"
import { append, changed, type Objects } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Technique } from "./technique.ts"

const BASES = [
  "table B-B P=none ×1",
  "stream B-B P=2 ×1 seen",
  "table B-B P=3 ×1 seen",
  "stream B-LTA P=3 ×2",
]

const technique = (name: string, objects: (base: SignedBase) => Objects): Technique => ({
  class: "page",
  name,
  expected: "undefined",
  on: (base) => BASES.includes(base.name),
  make: (base) => append(base, { objects: objects(base) }),
})

const page = (base: SignedBase, entries: Readonly<Record<string, string | null>>): Objects => [
  [N.page, changed(base, N.page, entries)],
]
const kids = (base: SignedBase, list: readonly number[], more: Objects = []): Objects => [
  [N.pages, changed(base, N.pages, { Kids: `[${list.map(ref).join(" ")}]`, Count: String(list.length) })],
  ...more,
]
const ADDED = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources 47 0 R"

export const pages: readonly Technique[] = [
  technique("a smaller box", (base) => page(base, { MediaBox: "[0 0 595 745]" })),
  technique("a box that is elsewhere", (base) => page(base, { MediaBox: "[0 300 595 1142]" })),
  technique("a part cut away", (base) => page(base, { CropBox: "[0 0 595 720]" })),
  technique("turned by a quarter", (base) => page(base, { Rotate: "90" })),
  technique("turned upside down", (base) => page(base, { Rotate: "180" })),
  technique("a larger unit", (base) => page(base, { UserUnit: "10" })),
  technique("a box inherited from the tree", (base) => [
    [N.pages, changed(base, N.pages, { CropBox: "[0 0 595 720]", Rotate: "180" })],
  ]),
  technique("no content", (base) => page(base, { Contents: null })),
  technique("another content", (base) => [
    ...page(base, { Contents: ref(base.free) }),
    [base.free, stream(pageContent("9000.00"))],
  ]),
  technique("a content before the content", (base) => [
    ...page(base, { Contents: `[${ref(base.free)} ${ref(N.content)}]` }),
    [base.free, stream("0.1 0 0 0.1 0 0 cm")],
  ]),
  technique("contents in another order", (base) =>
    page(base, { Contents: `[${ref(N.secondContent)} ${ref(N.content)}]` }),
  ),
  technique("a page more", (base) =>
    kids(
      base,
      [N.page, N.secondPage, base.free],
      [
        [base.free, `${ADDED} /Contents ${ref(base.free + 1)} >>`],
        [base.free + 1, stream(text(72, 730, "The borrower pays a fee of CHF 5000."))],
      ],
    ),
  ),
  technique("a page before the others", (base) =>
    kids(
      base,
      [base.free, N.page, N.secondPage],
      [[base.free, `${ADDED} /Contents ${ref(N.preparedContent)} >>`]],
    ),
  ),
  technique("an empty page between", (base) =>
    kids(base, [N.page, base.free, N.secondPage], [[base.free, `${ADDED} >>`]]),
  ),
  technique("a page less", (base) => kids(base, [N.page])),
  technique("pages in another order", (base) => kids(base, [N.secondPage, N.page])),
  technique("one page twice", (base) => kids(base, [N.page, N.page])),
  technique("a page in the place of another", (base) => kids(base, [N.preparedPage, N.secondPage])),
  technique("a tree upon the tree", (base) => [
    [N.pages, changed(base, N.pages, { Kids: `[${ref(base.free)} ${ref(N.secondPage)}]` })],
    [base.free, `<< /Type /Pages /Parent ${ref(N.pages)} /Count 1 /Kids [${ref(N.preparedPage)}] >>`],
  ]),
  technique("a count that leaves a page out", (base) => [[N.pages, changed(base, N.pages, { Count: "1" })]]),
  technique("an action when the page is opened", (base) =>
    page(base, { AA: "<< /O << /S /URI /URI (https://evil.example/) >> >>" }),
  ),
  technique("a page that a clock turns", (base) => page(base, { Dur: "1", Trans: "<< /S /Fade >>" })),
  technique("a template in the place of a page", (base) => page(base, { Type: "/Template" })),
  technique("a thumbnail of another page", (base) => page(base, { Thumb: ref(N.image) })),
  technique("a group that mixes colours otherwise", (base) =>
    page(base, { Group: "<< /S /Transparency /CS /DeviceCMYK /I true /K true >>" }),
  ),
]
