// The file itself: two readers that find different objects under one number.

import { N, pageContent, ref, stream } from "./contract.ts"
import { append, bodyOf, changed, trailerOf } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Technique } from "./technique.ts"
import { ending, objectStream, type Place, section, table } from "./write.ts"

const BASES = [
  "table B-B P=none ×1",
  "stream B-B P=none ×1 seen",
  "table B-B P=2 ×1",
  "stream B-B P=1 ×1",
  "table B-B P=none ×2 seen",
]

const technique = (name: string, make: Technique["make"]): Technique => ({
  class: "structure",
  name,
  expected: "undefined",
  on: (base) => BASES.includes(base.name),
  make,
})

const OTHER = stream(pageContent("9000.00"))
const otherPage = (base: SignedBase, content: number) => changed(base, N.page, { Contents: ref(content) })

/** Objects by hand, and what names them. */
function file(
  base: SignedBase,
  objects: readonly (readonly [number, string])[],
  end: (at: number, places: ReadonlyMap<number, Place>, next: number) => string,
): Buffer {
  const { body, places, next } = bodyOf(base, { objects })
  return Buffer.concat([
    base.bytes,
    Buffer.from(body + end(base.bytes.length + body.length, places, next), "latin1"),
  ])
}

export const structures: readonly Technique[] = [
  technique("an object twice in one object stream", (base) => {
    const container = base.free + 1
    const twice = objectStream([
      [N.page, changed(base, N.page, {})],
      [N.page, otherPage(base, base.free)],
    ])
    return file(
      base,
      [
        [base.free, OTHER],
        [container, twice],
      ],
      (at, places, next) =>
        section(
          "stream",
          at,
          new Map([...places, [N.page, { in: container, at: 1 }]]),
          next,
          trailerOf(base, {}),
        ),
    )
  }),
  technique("an object in a stream under the index of another", (base) => {
    const container = base.free + 1
    const two = objectStream([
      [N.secondPage, otherPage(base, base.free)],
      [N.page, changed(base, N.page, {})],
    ])
    return file(
      base,
      [
        [base.free, OTHER],
        [container, two],
      ],
      (at, places, next) =>
        section(
          "stream",
          at,
          new Map([...places, [N.page, { in: container, at: 0 }]]),
          next,
          trailerOf(base, {}),
        ),
    )
  }),
  technique("an object stream that extends another one", (base) => {
    const container = base.free + 1
    const extended = objectStream([[N.page, otherPage(base, base.free)]]).replace(
      "/N 1",
      `/N 1 /Extends ${ref(container)}`,
    )
    return file(
      base,
      [
        [base.free, OTHER],
        [container, extended],
      ],
      (at, places, next) =>
        section(
          "stream",
          at,
          new Map([...places, [N.page, { in: container, at: 0 }]]),
          next,
          trailerOf(base, {}),
        ),
    )
  }),
  technique("a hidden section beside the table (hybrid)", (base) => hybrid(base, false)),
  technique("a hidden section beside a table that says otherwise (hybrid)", (base) => hybrid(base, true)),
  technique("a first page before the rest, as in a linearised file", (base) => {
    const linearised = `<< /Linearized 1 /L ${base.bytes.length} /H [0 0] /O ${N.preparedPage} /E 100 /N 2 /T 100 >>`
    return append(base, {
      objects: [
        [base.free, linearised],
        [N.pages, changed(base, N.pages, { Kids: `[${ref(N.preparedPage)} ${ref(N.secondPage)}]` })],
      ],
    })
  }),
  technique("the section of the table in another order", (base) =>
    file(base, [[N.content, OTHER]], (at, places, next) => {
      const lines = `xref\n${N.content} 1\n${String(places.get(N.content)).padStart(10, "0")} 00000 n \n0 1\n0000000000 65535 f \n`
      return `${lines}trailer\n<< /Size ${next} ${trailerOf(base, {})} >>\n${ending(at)}`
    }),
  ),
  technique("an object beyond the size", (base) =>
    file(
      base,
      [
        [N.page, otherPage(base, base.free + 50)],
        [base.free + 50, OTHER],
      ],
      (at, places) => section("table", at, places, base.free, trailerOf(base, {})),
    ),
  ),
  technique("a size that leaves the signature out", (base) =>
    file(base, [[N.content, OTHER]], (at, places) =>
      section("table", at, places, N.info + 1, trailerOf(base, {})),
    ),
  ),
  technique("an offset that leads into a string", (base) => {
    const decoy = `<< /Decoy (${N.content} 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj) >>`
    const made = bodyOf(base, { objects: [[base.free, decoy]] })
    const inside = base.bytes.length + made.body.indexOf(`(${N.content} 0 obj`) + 1
    return append(base, { objects: [[base.free, decoy]], moved: new Map([[N.content, inside]]) })
  }),
  technique("an offset into the contents of the signature", (base) =>
    append(base, { moved: new Map([[N.content, base.signature.range[1] + 1]]) }),
  ),
  technique("a length of a stream that another object tells", (base) => {
    const body = `<< /Length ${ref(base.free)} >>\nstream\n${pageContent("9000.00")}\nendstream`
    return append(base, {
      objects: [
        [N.content, body],
        [base.free, "5"],
      ],
    })
  }),
  technique("a length of a stream that is too short", (base) =>
    append(base, { objects: [[N.content, OTHER.replace(/\/Length \d+/, "/Length 10")]] }),
  ),
  technique("a filter that nobody knows", (base) =>
    append(base, { objects: [[N.content, OTHER.replace("<<", "<< /Filter /EvilDecode")]] }),
  ),
  technique("a content in another file", (base) =>
    append(base, { objects: [[N.content, OTHER.replace("<<", "<< /F (evil.bin)")]] }),
  ),
  technique("an entry twice in one dictionary", (base) =>
    append(base, {
      objects: [
        [base.free, OTHER],
        [N.page, otherPage(base, N.content).replace(/>>$/, `/Contents ${ref(base.free)} >>`)],
      ],
    }),
  ),
  technique("an entry under a name with a character in hexadecimal", (base) =>
    append(base, {
      objects: [
        [base.free, OTHER],
        [N.page, otherPage(base, N.content).replace(/>>$/, `/C#6fntents ${ref(base.free)} >>`)],
      ],
    }),
  ),
  technique("a later header", (base) =>
    Buffer.concat([
      base.bytes,
      Buffer.from("%PDF-1.7\n", "latin1"),
      append(base, { objects: [[N.content, OTHER]] }).subarray(base.bytes.length),
    ]),
  ),
  technique("another document behind it", (base) => Buffer.concat([base.bytes, other(base)])),
  technique("a version that the catalog claims", (base) =>
    append(base, {
      objects: [
        [N.catalog, changed(base, N.catalog, { Version: "/2.0" })],
        [N.content, OTHER],
      ],
    }),
  ),
  technique("a root that is not a catalog", (base) =>
    append(base, { objects: [[base.free, `<< /Pages ${ref(N.preparedPages)} >>`]], root: base.free }),
  ),
]

/** ISO 32000-2, 7.5.8.4: a table for old readers that names a stream for new ones. */
function hybrid(base: SignedBase, contradicts: boolean): Buffer {
  return file(
    base,
    [
      [base.free, OTHER],
      [base.free + 1, otherPage(base, base.free)],
    ],
    (at, places, next) => {
      const moved = new Map<number, Place>([[N.page, Number(places.get(base.free + 1))]])
      const hidden = section("stream", at, moved, next, trailerOf(base, {})).replace(/startxref.*$/s, "")
      const seen = new Map<number, Place>([
        [base.free, Number(places.get(base.free))],
        ...(contradicts ? ([[N.page, "free"]] as const) : []),
      ])
      const tableAt = at + hidden.length
      return `${hidden}${table(seen)}trailer\n<< /Size ${next + 1} ${trailerOf(base, { trailer: `/XRefStm ${at}` })} >>\n${ending(tableAt)}`
    },
  )
}

/** A whole PDF of its own, whose offsets count from where it begins. */
function other(base: SignedBase): Buffer {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R >>`,
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
    stream("BT /F1 12 Tf 72 730 Td (The lender pays CHF 9000.00.) Tj ET"),
  ]
  let body = "%PDF-1.7\n"
  const places = new Map<number, Place>([[0, "free"]])
  for (const [i, object] of objects.entries()) {
    places.set(i + 1, base.bytes.length + body.length)
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
  }
  return Buffer.from(
    body + section("table", base.bytes.length + body.length, places, 5, "/Root 1 0 R"),
    "latin1",
  )
}
