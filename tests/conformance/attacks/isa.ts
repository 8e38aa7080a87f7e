// Incremental saving: something is appended, in one of the many ways in which readers find it and verifiers overlook it.

import { N, pageContent, ref, stream, text } from "./contract.ts"
import { append, bodyOf, changed, entryOf, type Revision, trailerOf } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Technique } from "./technique.ts"
import { ending, section, table } from "./write.ts"

const OTHER_CONTENT = [N.content, stream(pageContent("9000.00"))] as const

const BASES = [
  "table B-B P=none ×1",
  "stream B-B P=none ×1 seen",
  "table B-B P=1 ×1 seen",
  "stream B-LTA P=2 ×1 seen",
  "table B-B P=none ×2 seen",
]

const technique = (name: string, make: Technique["make"], xref?: SignedBase["xref"]): Technique => ({
  class: "ISA",
  name,
  expected: "undefined",
  on: (base) => BASES.includes(base.name) && (xref === undefined || base.xref === xref),
  make,
})

/** The objects, and whatever is written behind them. */
function loose(
  base: SignedBase,
  write: (body: string, at: number, places: Places) => string,
  revision: Revision = { objects: [OTHER_CONTENT] },
): Buffer {
  const { body, places } = bodyOf(base, revision)
  return Buffer.concat([
    base.bytes,
    Buffer.from(write(body, base.bytes.length + body.length, places), "latin1"),
  ])
}
type Places = ReturnType<typeof bodyOf>["places"]

const old = (base: SignedBase) => ending(base.startxref)

export const isa: readonly Technique[] = [
  technique("another content", (base) => append(base, { objects: [OTHER_CONTENT] })),
  technique("another content, named as another cross-reference kind would", (base) =>
    append(base, { objects: [OTHER_CONTENT], xref: base.xref === "table" ? "stream" : "table" }),
  ),
  technique("objects alone, no cross-reference, no trailer", (base) => loose(base, (body) => body)),
  technique("objects and the old startxref", (base) => loose(base, (body) => body + old(base))),
  technique(
    "a table without a trailer",
    (base) => loose(base, (body, at, places) => `${body}${table(places)}${ending(at)}`),
    "table",
  ),
  technique("a trailer without a table", (base) =>
    loose(
      base,
      (body, at) => `${body}trailer\n<< /Size ${base.free} ${trailerOf(base, {})} >>\n${ending(at)}`,
    ),
  ),
  technique("no startxref at the end", (base) =>
    loose(
      base,
      (body, at, places) =>
        body + section(base.xref, at, places, base.free, trailerOf(base, {})).replace(/startxref.*$/s, ""),
    ),
  ),
  technique("no end-of-file mark", (base) =>
    loose(
      base,
      (body, at, places) =>
        body + section(base.xref, at, places, base.free, trailerOf(base, {})).replace(/%%EOF\n$/, ""),
    ),
  ),
  technique("startxref that points nowhere", (base) =>
    loose(
      base,
      (body, at, places) =>
        body +
        section(base.xref, at, places, base.free, trailerOf(base, {})).replace(
          `startxref\n${at}`,
          "startxref\n99999999",
        ),
    ),
  ),
  technique("an end-of-file mark in a comment before it", (base) =>
    loose(base, (body) => `%%EOF % nothing follows\n${body}${old(base)}`),
  ),
  technique("an object that begins in a comment, behind a lone carriage return", (base) =>
    loose(base, (body) => `% nothing\r${body}% nothing\r${old(base)}`),
  ),
  technique("no previous section", (base) => append(base, { objects: [OTHER_CONTENT], previous: null })),
  technique("a previous section at nought", (base) =>
    append(base, { objects: [OTHER_CONTENT], previous: 0 }),
  ),
  technique("a previous section that is the section itself", (base) =>
    loose(
      base,
      (body, at, places) =>
        body + section(base.xref, at, places, base.free, trailerOf(base, { previous: at })),
    ),
  ),
  technique("a previous section that leaves the signature out", (base) =>
    append(base, {
      objects: [OTHER_CONTENT, [N.form, changed(base, N.form, {})]],
      previous: firstSection(base),
    }),
  ),
  technique(
    "an object of another generation",
    (base) => {
      const page = changed(base, N.page, { Contents: `${N.content} 1 R` })
      const objects = [OTHER_CONTENT, [N.page, page]] as const
      return loose(
        base,
        (body, at, places) => {
          const named = section("table", at, places, base.free, trailerOf(base, {}))
          const first = body.replace(`${N.content} 0 obj`, `${N.content} 1 obj`)
          return first + named.replace(generationOf(N.content), "$10001 n")
        },
        { objects },
      )
    },
    "table",
  ),
  technique("the signature appended once more, with the change", (base) => {
    const { object } = base.signature
    return append(base, { objects: [OTHER_CONTENT, [object, changed(base, object, {})]] })
  }),
  technique("a second catalog", (base) =>
    append(base, { objects: [[base.free, changed(base, N.catalog, {})], OTHER_CONTENT], root: base.free }),
  ),
  technique("another content behind the content of the page", (base) => {
    const over = stream(`1 g 70 725 400 18 re f 0 g ${text(72, 730, "The lender pays CHF 9000.00.")}`)
    const page = changed(base, N.page, {
      Contents: `[${entryOf(base, N.page, "Contents")} ${ref(base.free)}]`,
    })
    return append(base, {
      objects: [
        [base.free, over],
        [N.page, page],
      ],
    })
  }),
  technique("spaces behind the end", (base) =>
    Buffer.concat([append(base, { objects: [OTHER_CONTENT] }), Buffer.alloc(2000, " ")]),
  ),
  technique(
    "an object twice in one section",
    (base) =>
      loose(base, (body, at, places) => {
        const twice = `${table(places)}${N.content} 1\n${String(places.get(N.content)).padStart(10, "0")} 00000 n \n`
        return `${body}${twice}trailer\n<< /Size ${base.free} ${trailerOf(base, {})} >>\n${ending(at)}`
      }),
    "table",
  ),
  technique("two revisions, the second of which changes nothing", (base) => {
    const first = append(base, { objects: [OTHER_CONTENT] })
    const at = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(first.toString("latin1"))?.[1])
    const end = section("table", first.length, new Map(), base.free + 1, trailerOf(base, { previous: at }))
    return Buffer.concat([first, Buffer.from(end, "latin1")])
  }),
  technique("a change between two that say the same", (base) =>
    Buffer.concat([
      base.bytes,
      base.bytes.subarray(-6),
      append(base, { objects: [OTHER_CONTENT] }).subarray(base.bytes.length),
    ]),
  ),
]

const generationOf = (number: number) => new RegExp(`(${number} 1\\n\\d{10} )00000 n`)

/** Where the section of the contract begins, as it was before anybody signed it. */
function firstSection({ bytes }: SignedBase): number {
  return Number(/startxref\s+(\d+)\s+%%EOF/.exec(bytes.toString("latin1"))?.[1])
}
