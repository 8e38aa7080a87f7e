// Property: adding a revision never improves a verdict. The cases are a grammar of incremental updates over documents that were
// signed, certified and archived: objects changed, exchanged, removed and put back, fields filled, pages and comments added.

import { PdfRefused } from "@paraph/pades/refused"
import { writeSample } from "@paraph/pades/sample"
import { bytesSource } from "@paraph/pades/source"
import fc from "fast-check"
import { beforeAll, expect, it } from "vitest"
import type { DocumentReport } from "./report.ts"
import { casesOf } from "./testing/cases.ts"
import { appendRevision, type Edit, objectsIn, withEntry } from "./testing/hand-made-revision.ts"
import { type SigningWorld, signingWorld } from "./testing/signing-world.ts"
import { validatePdf } from "./validate.ts"

const at = (time: string) => new Date(`2026-05-05T${time}Z`)
const NOW = at("12:30:00")

const text = "BT /F1 24 Tf 72 720 Td (A contract over 100) Tj ET"
const stream = (entries: string, data: string) =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`
/** A page with a text field, a check box, a comment and an empty signature field. */
const FORM = writeSample([
  "<< /Type /Catalog /Pages 2 0 R /AcroForm 5 0 R >>",
  "<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 595 842] >>",
  stream("", text),
  "<< /Type /Page /Parent 2 0 R /Contents 3 0 R /Resources << /Font << /F1 10 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R 9 0 R] >>",
  "<< /Fields [6 0 R 7 0 R 9 0 R] /SigFlags 3 /DA (/F1 10 Tf) /DR << /Font << /F1 10 0 R >> >> >>",
  "<< /Type /Annot /Subtype /Widget /FT /Tx /T (price) /V (100) /Rect [10 10 110 30] /F 4 /P 4 0 R /AP << /N 11 0 R >> >>",
  "<< /Type /Annot /Subtype /Widget /FT /Btn /T (agreed) /V /Off /AS /Off /Rect [10 40 30 60] /F 4 /P 4 0 R /AP << /N << /Yes 11 0 R /Off 12 0 R >> >> >>",
  "<< /Type /Annot /Subtype /Text /Contents (A remark) /Rect [200 200 220 220] /F 4 /P 4 0 R >>",
  "<< /Type /Annot /Subtype /Widget /FT /Sig /T (waiting) /Rect [10 70 110 90] /F 4 /P 4 0 R >>",
  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  stream("/Type /XObject /Subtype /Form /BBox [0 0 100 20]", "BT /F1 10 Tf (100) Tj ET"),
  stream("/Type /XObject /Subtype /Form /BBox [0 0 20 20]", ""),
])

let world: SigningWorld
let bases: readonly Uint8Array[]
beforeAll(async () => {
  const year = { notBefore: new Date("2026-01-01"), notAfter: new Date("2028-12-31") }
  world = await signingWorld({ signer: year, authorities: [year] })
  const signed = world.sign(at("12:00:00"), FORM)
  const lt = await world.raise(signed, "B-LT", at("12:00:00"))
  const certified = ([1, 2, 3] as const).map((certify) => world.sign(at("12:00:00"), FORM, { certify }))
  bases = [
    signed,
    lt,
    await world.raise(lt, "B-LTA", at("12:05:00")),
    ...(await Promise.all(certified.map((one) => world.raise(one, "B-LT", at("12:00:00"))))),
    world.sign(at("12:10:00"), lt, { fieldName: "Bob" }),
  ]
})

const KEYS =
  "A AA AP AS Annots BBox Contents CropBox DA DSS DV F Ff Fields FT Kids Lock M MediaBox Metadata Names OC OpenAction P Perms Q Rect Resources Rotate SigFlags T TU V Type Version".split(
    " ",
  )
const VALUES = [
  "null",
  "7",
  "(100000)",
  "/Yes",
  "[0 0 9 9]",
  "<< /X 1 >>",
  "[]",
  "<< /S /JavaScript /JS (app.alert(1)) >>",
  ...Array.from({ length: 20 }, (_, i) => `${i + 1} 0 R`),
]

type Update =
  | { readonly act: "entry"; readonly object: number; readonly key: string; readonly value: string }
  | { readonly act: "exchange"; readonly object: number; readonly by: number }
  | { readonly act: "put-back"; readonly object: number }
  | { readonly act: "fill"; readonly value: string; readonly isShown: boolean }
  | { readonly act: "comment" | "page" | "remove" | "content"; readonly object: number }

const update: fc.Arbitrary<Update> = fc.oneof(
  fc.record({
    act: fc.constant("entry"),
    object: fc.nat(30),
    key: fc.constantFrom(...KEYS),
    value: fc.constantFrom(...VALUES),
  }),
  fc.record({ act: fc.constant("exchange"), object: fc.nat(30), by: fc.nat(30) }),
  fc.record({ act: fc.constant("put-back"), object: fc.nat(30) }),
  fc.record({
    act: fc.constant("fill"),
    value: fc.constantFrom("100", "100000", "9"),
    isShown: fc.boolean(),
  }),
  fc.record({ act: fc.constantFrom("comment", "page", "remove", "content"), object: fc.nat(30) }),
)

/** What one update writes. `original` are the objects as they were signed. */
function editsOf(
  one: Update,
  objects: ReadonlyMap<number, string>,
  original: ReadonlyMap<number, string>,
): readonly Edit[] {
  const numbers = [...objects.keys()].toSorted((a, b) => a - b)
  const pick = (i: number) => numbers[i % numbers.length] ?? 1
  const free = (numbers.at(-1) ?? 0) + 1
  const body = (number: number) => objects.get(number) ?? "null"
  switch (one.act) {
    case "entry":
      return [[pick(one.object), withEntry(body(pick(one.object)), one.key, one.value)]]
    case "exchange":
      return [[pick(one.object), body(pick(one.by))]]
    case "put-back":
      return [[pick(one.object), original.get(pick(one.object)) ?? body(pick(one.object))]]
    case "fill": {
      const look = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 100 20]",
        `BT /F1 10 Tf (${one.value}) Tj ET`,
      )
      const filled = withEntry(body(6), "V", `(${one.value})`)
      return one.isShown
        ? [
            [6, withEntry(filled, "AP", `<< /N ${free} 0 R >>`)],
            [free, look],
          ]
        : [[6, filled]]
    }
    case "comment":
      return [
        [4, withEntry(body(4), "Annots", `[6 0 R 7 0 R 8 0 R 9 0 R ${free} 0 R]`)],
        [
          free,
          "<< /Type /Annot /Subtype /FreeText /Contents (100000) /Rect [72 700 300 740] /F 4 /P 4 0 R >>",
        ],
      ]
    case "page":
      return [
        [2, withEntry(withEntry(body(2), "Kids", `[4 0 R ${free} 0 R]`), "Count", "2")],
        [free, "<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>"],
      ]
    case "remove":
      return [[pick(one.object), "null"]]
    case "content":
      return [[3, stream("", text.replace("100", "999"))]]
  }
}

async function judge(file: Uint8Array): Promise<DocumentReport | undefined> {
  try {
    const anchors = [{ certificate: world.root.certificate }]
    return (await validatePdf(bytesSource(file), { now: NOW, anchors })).report
  } catch (error) {
    // A file that cannot be read has no verdict, so it is not accepted.
    if (error instanceof PdfRefused) return undefined
    throw error
  }
}

const RANKS = ["TOTAL-FAILED", "INDETERMINATE", "TOTAL-PASSED"]
const rank = ({ indication }: { readonly indication: string }) => RANKS.indexOf(indication)

/** The document by the name "", and each signature by that of its field. A document without any signature has no verdict. */
function ranksOf(report: DocumentReport | undefined): ReadonlyMap<string, number> {
  if (report === undefined || report.signatures.length === 0) return new Map()
  return new Map([["", rank(report)], ...report.signatures.map((one) => [one.field, rank(one)] as const)])
}

/** Rewriting the first signature's dictionary broke that signature, and with it the lock that the second one was judged by. */
const FOUND_ONCE: [number, Update[]][] = [
  [
    6,
    [
      { act: "fill", value: "9", isShown: false },
      { act: "put-back", object: 12 },
    ],
  ],
]

it("adding a revision never improves a verdict", { timeout: 3_600_000 }, async () => {
  let failed = 0
  let kept = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(6), fc.array(update, { minLength: 1, maxLength: 3 }), async (base, updates) => {
      const signed = bases[base]
      if (signed === undefined) return
      const original = objectsIn(signed)
      let file = signed
      // The lowest so far: a verdict that was lost with its signature does not come back better.
      const lowest = new Map(ranksOf(await judge(signed)))
      for (const one of updates) {
        file = appendRevision(file, editsOf(one, objectsIn(file), original))
        for (const [name, after] of ranksOf(await judge(file))) {
          const before = lowest.get(name)
          if (before === undefined) continue
          expect(after, name).toBeLessThanOrEqual(before)
          if (after < before) failed += 1
          else kept += 1
          lowest.set(name, after)
        }
      }
    }),
    { ...casesOf("adding a revision", 2_000), examples: FOUND_ONCE },
  )
  // Both happen, so the grammar says something.
  expect(Math.min(failed, kept)).toBeGreaterThan(0)
})
