// What this package signs, over and over: no signature of ours is a change that nobody can explain.

import { expect, it } from "vitest"
import { makeAppearance } from "../appearance/appearance.ts"
import { samplePdf } from "../sample.ts"
import { readSignatures } from "../signed/signatures.ts"
import { finish } from "../signing/finish.ts"
import { type PrepareOptions, prepare } from "../signing/prepare.ts"
import { raise } from "../signing/raise.ts"
import { bytesSource } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { authorities, signer } from "../testing/authorities.ts"
import { withObjectStream } from "../testing/hostile.ts"
import { formWith } from "../testing/signer.ts"
import { type Differences, findDifferences } from "./differences.ts"

async function sign(
  pdf: Uint8Array,
  fieldName: string,
  more: Partial<PrepareOptions> = {},
): Promise<Uint8Array> {
  const prepared = prepare(pdf, { ...signer, fieldName, signedAt: new Date(), ...more })
  const value = await signer.sign(Buffer.from(prepared.signedAttributes, "base64"))
  return Buffer.concat([pdf, finish(prepared, value)])
}

async function raised(pdf: Uint8Array): Promise<Uint8Array> {
  return Buffer.concat([pdf, await raise(pdf, { ...authorities, to: "B-LTA", now: new Date() })])
}

function differences(file: Uint8Array): ReadonlyMap<string, Differences> {
  const pdf = openPdf(bytesSource(file))
  return findDifferences(pdf, readSignatures(pdf))
}

const undefinedIn = (file: Uint8Array) =>
  [...differences(file)].flatMap(([field, { changes }]) =>
    changes.filter((one) => one.undefined).map(({ path }) => `${field}: ${path}`),
  )

const appearance = await makeAppearance({ width: 100, height: 40, lines: ["Ada"] })
const place = (page: number, at: number) => ({ page, x: 50, y: at, width: 100, height: 40 })

/** One page with a waiting field, in an object stream and behind a cross-reference stream. */
const packed = withObjectStream(
  ["<< /Type /Catalog /Pages 2 0 R /AcroForm 5 0 R >>", "<< /Type /Pages /Kids [6 0 R] /Count 1 >>", "null"],
  [
    [5, 0],
    [6, 40],
    [7, 140],
  ],
  [
    "<< /Fields [7 0 R] >>".padEnd(40),
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [7 0 R] >>".padEnd(100),
    "<< /Subtype /Widget /FT /Sig /T (One) /Rect [10 10 90 40] /P 6 0 R >>",
  ].join(""),
)

it.each([
  ["invisible signatures", samplePdf(), {}],
  ["visible ones", samplePdf({ pages: 2 }), { place: place(1, 50), appearance }],
  [
    "visible ones at several places",
    samplePdf({ pages: 3 }),
    { place: place(0, 50), alsoAt: [place(0, 300), place(2, 50)], appearance },
  ],
  [
    "a form with a waiting field",
    formWith("<< /Subtype /Widget /FT /Sig /T (One) /Rect [10 10 90 40] /P 3 0 R >>"),
    { appearance },
  ],
  [
    "a form that the first signature locks",
    formWith("<< /Subtype /Widget /FT /Tx /T (price) /V (100) /Rect [10 10 90 40] /P 3 0 R >>"),
    { appearance },
  ],
  ["objects in an object stream", packed, { appearance }],
  ["a certification that allows to sign", samplePdf(), { certify: 2 as const }],
  [
    "a certification that allows to comment",
    samplePdf(),
    { certify: 3 as const, place: place(0, 50), appearance },
  ],
])("five signatures to B-LTA each: %s", async (_, base, more) => {
  const { certify, ...others } = more as Partial<PrepareOptions>
  let file = base
  for (const [i, name] of ["One", "Two", "Three", "Four", "Five"].entries()) {
    const own = i === 0 && certify !== undefined ? { ...others, certify } : others
    file = await raised(await sign(file, name, own))
    expect(undefinedIn(file)).toEqual([])
  }
  const found = differences(file)
  // Each has a time-stamp of its own, and one over the validation data.
  expect(found.size).toBe(15)
  const kinds = new Set(found.get("One")?.changes.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(["signature", "timestamp", "validation-data"])
})

it("a certification that allows nothing, raised and renewed", async () => {
  let file = await sign(samplePdf(), "One", { certify: 1, place: place(0, 50), appearance })
  for (let years = 0; years < 3; years++) file = await raised(file)
  expect(undefinedIn(file)).toEqual([])
})

it("says where further signatures may be seen", async () => {
  let file = await sign(samplePdf({ pages: 2 }), "One")
  file = await sign(file, "Two", { place: place(1, 50), alsoAt: [place(0, 100)], appearance })
  const { pages } = differences(file).get("One") ?? { pages: [] }
  expect(pages.map(({ page, allowed }) => [page, allowed.map(({ why }) => why)])).toEqual([
    [0, ["signature"]],
    [1, ["signature"]],
  ])
})

it("has nothing to look at where they cannot be seen, and looks where one can", async () => {
  let file = await sign(samplePdf({ pages: 2 }), "One")
  for (const name of ["Two", "Three"]) file = await sign(file, name)
  expect(differences(file).get("One")?.pages).toEqual([])
  file = await sign(file, "Four", { place: place(1, 50), appearance })
  expect(
    differences(file)
      .get("One")
      ?.pages.map(({ page }) => page),
  ).toEqual([1])
})

it("a place to sign that is new on a page takes more than leave to sign, once the page was certified", async () => {
  for (const [certify, isUndefined] of [
    [2, true],
    [3, false],
  ] as const) {
    const certified = await sign(samplePdf(), "One", { certify })
    const seen = await sign(certified, "Two", { place: place(0, 50), appearance })
    const unseen = await sign(certified, "Two", {})
    expect(undefinedIn(seen).length > 0).toBe(isUndefined)
    expect(undefinedIn(unseen)).toEqual([])
  }
})
