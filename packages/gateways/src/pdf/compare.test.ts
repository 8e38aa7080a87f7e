import { sign } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { deflateSync } from "node:zlib"
import { makeAppearance } from "@paraph/pades/appearance"
import { finish } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import sharp from "sharp"
import { afterAll, describe, expect, it } from "vitest"
import { handMadePdf } from "../testing/hand-made-pdf.ts"
import { laterRevision, streamBody } from "../testing/later-revision.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { selfSigned } from "../testing/self-signed.ts"
import { TENANT } from "../testing/tenant.ts"
import { type CompareAsked, createPdfRooms } from "./rooms.ts"

// biome-ignore lint/style/noProcessEnv: the corpora are found by it.
const corpora = process.env.PARAPH_CORPORA
const folder = mkdtempSync(join(tmpdir(), "paraph-compare-"))
const rooms = createPdfRooms({ folder, wallMs: 120_000, warmComparing: 1 })

afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

const priceOf = (price: string) =>
  `BT /F1 8 Tf 60 700 Td (The price is CHF ${price}, to be paid at once.) Tj ET`
const LINES = Array.from({ length: 20 }, (_, i) => `BT /F1 10 Tf 60 ${600 - 13 * i} Td (Clause ${i}) Tj ET`)
const base = handMadePdf([`${priceOf("1000.00")}\n${LINES.join("\n")}`, "BT /F1 48 Tf 60 600 Td (Two) Tj ET"])
const PAGE =
  "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >>"

type Areas = Exclude<CompareAsked["pages"], "all">[number]["allowed"]

async function compare(after: Uint8Array, allowed: Areas = [], more: Partial<CompareAsked> = {}) {
  const asked = { before: base.length, pages: [{ page: 0, allowed }], maxPictures: 0, ...more }
  return rooms.compare(await sealedFileOf(after, folder), TENANT, asked)
}

const withContent = (content: string) =>
  laterRevision(base, [[5, streamBody(`${content}\n${LINES.join("\n")}`)]])

const PLACE = [60, 500, 260, 560] as const
/** An annotation upon the first page. */
function withAnnotation(content: string, rect: readonly number[] = PLACE, flags = 4): Uint8Array {
  const [left = 0, bottom = 0, right = 0, top = 0] = rect
  const form = `/Subtype /Form /BBox [0 0 ${right - left} ${top - bottom}] /Resources << /Font << /F1 3 0 R >> >>`
  return laterRevision(base, [
    [4, `<< ${PAGE} /Annots [20 0 R] >>`],
    [20, `<< /Type /Annot /Subtype /Stamp /F ${flags} /Rect [${rect.join(" ")}] /AP << /N 21 0 R >> >>`],
    [21, streamBody(content, `/Type /XObject ${form}`)],
  ])
}

describe("two revisions that are compared", () => {
  it("look the same when what is drawn is the same, from other objects", async () => {
    const after = laterRevision(base, [
      [5, streamBody(`${priceOf("1000.00")}\n${LINES.join("\n")}`)],
      [3, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Name /F1 >>"],
    ])
    const compared = await compare(after, [], { pages: "all", maxPictures: 3 })
    expect(compared).toEqual({
      complete: true,
      pagesCompared: 2,
      pages: [0, 1].map((page) => ({ page, different: false, kinds: [], share: 0 })),
      pictures: [],
      fieldTexts: [],
    })
  })

  it.each(["1000.01", "7000.00", "1000.06", "1000.08", "1000,00"])(
    "are different when a character of 8 pt text is: 1000.00 is now %s",
    async (price) => {
      const { pages } = await compare(withContent(priceOf(price)))
      expect(pages).toMatchObject([{ different: true, kinds: ["outside"] }])
      const [left = 0, bottom = 0, right = 0, top = 0] = pages[0]?.area ?? []
      expect(left).toBeGreaterThan(110)
      expect(right).toBeLessThan(160)
      expect(bottom).toBeGreaterThan(697)
      expect(top).toBeLessThan(708)
    },
  )

  it.each([
    ["another size", `<< ${PAGE.replace("595 842", "595 841")} >>`, ["size"]],
    ["a turn", `<< ${PAGE} /Rotate 180 >>`, ["size"]],
    ["a part cut away", `<< ${PAGE} /CropBox [0 0 595 420] >>`, ["size"]],
    ["another part shown", `<< ${PAGE.replace("0 0 595 842", "5 5 600 847")} >>`, ["outside"]],
  ])("are different when a page has %s", async (_, page, kinds) => {
    const { pages } = await compare(laterRevision(base, [[4, page]]))
    expect(pages).toMatchObject([{ page: 0, different: true, kinds }])
  })

  it("are different when a page is gone, new, or in another place", async () => {
    const tree = (kids: string, count: number) =>
      laterRevision(base, [[2, `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`]])
    const kindsOf = async (after: Uint8Array) =>
      (await compare(after, [], { pages: "all" })).pages.map(({ kinds }) => kinds)
    expect(await kindsOf(tree("4 0 R", 1))).toEqual([[], ["page"]])
    expect(await kindsOf(tree("4 0 R 6 0 R 6 0 R", 3))).toEqual([[], [], ["page"]])
    expect(await kindsOf(tree("6 0 R 4 0 R", 2))).toEqual([["outside"], ["outside"]])
    expect((await compare(base, [], { pages: [{ page: 9, allowed: [] }] })).pages).toEqual([
      { page: 9, different: false, kinds: [], share: 0 },
    ])
  })

  it("are different by something that only a printer shows", async () => {
    const [print, noView] = [4, 32]
    const stroke = "1 0 0 RG 2 2 196 56 re S"
    const { pages } = await compare(withAnnotation(stroke, PLACE, print + noView))
    expect(pages).toMatchObject([{ different: true, kinds: ["outside"] }])
    const hidden = 2
    expect((await compare(withAnnotation(stroke, PLACE, hidden))).pages).toMatchObject([{ different: false }])
  })
})

it.skipIf(corpora === undefined)(
  "files of PARAPH_CORPORA/shadow-attacks that were manipulated look different, where readers of pages show it at all",
  async () => {
    const suite = join(corpora ?? "", "shadow-attacks")
    const names = readdirSync(suite, { recursive: true, encoding: "utf8" })
    const manipulated = names.filter((name) => /\/4_[^/]*\.pdf$/.test(name))
    const looksTheSame: string[] = []
    for (const name of manipulated) {
      const signed = readFileSync(join(suite, dirname(name), "3_original-document-shadowed-signed.pdf"))
      const after = readFileSync(join(suite, name))
      expect(after.subarray(0, signed.length).equals(signed), name).toBe(true)
      const compared = await compare(after, [], { before: signed.length, pages: "all" })
      expect(compared.complete, name).toBe(true)
      if (!compared.pages.some(({ different }) => different)) looksTheSame.push(dirname(name))
    }
    expect(manipulated).toHaveLength(7)
    // It makes another one of two fields in one place writable: only a reader in which people type shows the one or the other.
    expect(looksTheSame).toEqual([
      "shadow-demo-exploits/hide/variant-2_hide-via-referenced-object/hide-form-via-form",
    ])
  },
)

describe("where a signature may show", () => {
  const signatureAt = (rect: readonly [number, number, number, number] = PLACE): Areas => [
    { rect, why: "signature" },
  ]

  it("new ink upon blank ground is no difference, and elsewhere it is one", async () => {
    const blank = [60, 100, 260, 160] as const
    const after = withAnnotation("0 0 0.6 RG 2 w 5 5 m 60 90 90 -40 195 55 c S", blank)
    expect((await compare(after, signatureAt(blank))).pages).toMatchObject([{ different: false, kinds: [] }])
    const aside = [60, 110, 260, 170] as const
    expect((await compare(after, signatureAt(aside))).pages).toMatchObject([{ kinds: ["outside"] }])
  })

  it("strokes across a text that stays readable are no difference", async () => {
    const after = withAnnotation("0 0 0.6 RG 2 w 0 0 m 40 80 90 -40 200 60 c S 0 50 m 200 10 l S")
    expect((await compare(after, signatureAt())).pages).toMatchObject([{ different: false }])
  })

  it.each([
    ["white", "1 g 0 0 200 60 re f"],
    ["black", "0 g 0 0 200 60 re f"],
    ["grey", "0.9 g 0 0 200 60 re f"],
    ["white, with another text upon it", "1 g 0 0 200 60 re f 0 g BT /F1 10 Tf 0 45 Td (Clause 99) Tj ET"],
    ["white, as wide as a digit", "1 g 31 0 6 60 re f"],
    ["black, as wide as a digit", "0 g 31 0 7 60 re f"],
    ["blue, as wide as a digit", "0 0 0.7 rg 31 0 7 60 re f"],
  ])("a text under a box is a difference: %s", async (_, box) => {
    for (const why of ["signature", "form-fill"] as const)
      expect((await compare(withAnnotation(box), [{ rect: PLACE, why }])).pages).toMatchObject([
        { different: true, kinds: ["covered"] },
      ])
  })

  it("anything new is a difference when it is larger than a quarter of the page", async () => {
    const [quarter, more] = [[0, 0, 595, 210] as const, [0, 0, 595, 212] as const]
    const line = "1 0 0 RG 10 10 m 100 10 l S"
    expect((await compare(withAnnotation(line, quarter), signatureAt(quarter))).pages).toMatchObject([
      { different: false },
    ])
    expect((await compare(withAnnotation(line, more), signatureAt(more))).pages).toMatchObject([
      { different: true, kinds: ["repainted"] },
    ])
  })

  it("what an empty field shows gives way to its signature, and what a signed one shows does not", async () => {
    const invites = (value: string) =>
      laterRevision(base, [
        [1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [20 0 R] >> >>"],
        [4, `<< ${PAGE} /Annots [20 0 R] >>`],
        [
          20,
          `<< /Type /Annot /Subtype /Widget /FT /Sig /T (A) /F 4 /Rect [60 100 260 160] /AP << /N 21 0 R >> ${value} >>`,
        ],
        [21, streamBody("0.8 g 0 0 200 60 re f 0 g BT /F1 12 Tf 9 20 Td (Sign here) Tj ET", FORM)],
      ])
    const FORM = "/Type /XObject /Subtype /Form /BBox [0 0 200 60] /Resources << /Font << /F1 3 0 R >> >>"
    const signs = (file: Uint8Array) =>
      laterRevision(file, [[21, streamBody("0 0 0.6 RG 2 w 5 5 m 60 90 90 -40 195 55 c S", FORM)]])
    const kindsOf = async (file: Uint8Array, rect: Areas[number]["rect"]) => {
      const compared = await compare(signs(file), signatureAt(rect), { before: file.length, maxPictures: 1 })
      return compared.pages[0]?.kinds
    }
    expect(await kindsOf(invites(""), [60, 100, 260, 160])).toEqual([])
    expect(await kindsOf(invites(""), [260, 160, 60, 100])).toEqual([])
    // The place of another field, though around this one.
    expect(await kindsOf(invites(""), [59, 99, 261, 161])).toEqual(["covered"])
    expect(await kindsOf(invites("/V 22 0 R"), [60, 100, 260, 160])).toEqual(["covered"])
  })

  it("a comment is a difference, however welcome", async () => {
    const after = withAnnotation("1 0 0 RG 2 2 196 56 re S")
    const allowed: Areas = [{ rect: PLACE, why: "annotation" }]
    expect((await compare(after, allowed)).pages).toMatchObject([{ different: true, kinds: ["annotation"] }])
  })

  it("our own signatures are no difference, on pages that are turned and cropped too", async () => {
    const { certificate, key } = selfSigned(folder)
    const size = { width: 200, height: 60 }
    const appearance = await makeAppearance({ ...size, lines: ["Zoë Müller", "signed on a Sunday"] })
    for (const page of ["", "/Rotate 90", "/CropBox [30 30 500 800] /Rotate 270"]) {
      const turned = laterRevision(base, [[4, `<< ${PAGE} ${page} >>`]])
      const place = { page: 0, x: 250, y: 350, ...size }
      const options = { certificate, chain: [], signedAt: new Date(), appearance, place }
      const prepared = prepare(turned, { ...options, fieldName: "Zoë" })
      const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), key)
      const signed = Buffer.concat([turned, finish(prepared, value)])
      const allowed: Areas = [{ rect: rectIn(signed), why: "signature" }]
      const compared = await compare(signed, allowed, { before: turned.length })
      expect(compared.pages).toMatchObject([{ different: false }])
      expect(compared.pages[0]?.share).toBeGreaterThan(0.001)
      const unasked = await compare(signed, [], { before: turned.length })
      expect(unasked.pages).toMatchObject([{ different: true, kinds: ["outside"] }])
    }
  })
})

describe("the pictures of a difference", () => {
  it("are three of each page, as many as are wanted", async () => {
    const after = laterRevision(base, [
      [5, streamBody(priceOf("7000.00"))],
      [7, streamBody("BT /F1 48 Tf 60 600 Td (Too) Tj ET")],
    ])
    const { pages, pictures } = await compare(after, [], { pages: "all", maxPictures: 1 })
    expect(pages).toMatchObject([{ different: true }, { different: true }])
    expect(pictures).toMatchObject([{ page: 0 }])
    for (const name of ["before", "after", "difference"] as const)
      expect(await sharp(pictures[0]?.[name] ?? undefined).metadata()).toMatchObject({
        format: "png",
        width: 826,
        height: 1169,
      })
    // Black upon white has no colour; what is gone has one.
    expect(await isColoured(pictures[0]?.before)).toBe(false)
    expect(await isColoured(pictures[0]?.difference)).toBe(true)
  })

  it("are those that there are, of a page that only one revision has", async () => {
    const after = laterRevision(base, [[2, "<< /Type /Pages /Count 1 /Kids [4 0 R] >>"]])
    const { pictures } = await compare(after, [], { pages: "all", maxPictures: 9 })
    expect(pictures).toMatchObject([
      { page: 1, before: expect.any(Uint8Array), after: null, difference: null },
    ])
  })

  it("are of a bounded size, and of a page of two metres every part is looked at", async () => {
    const page = PAGE.replace("595 842", "6000 6000").replace("5 0 R", "7 0 R")
    const small = "BT /F1 8 Tf 5800 20 Td (1000.00) Tj ET"
    const huge = laterRevision(base, [
      [4, `<< ${page} >>`],
      [7, streamBody(small)],
    ])
    const after = laterRevision(huge, [[7, streamBody(small.replace("1000", "1008"))]])
    const compared = await compare(after, [], { before: huge.length, maxPictures: 1 })
    expect(compared.complete).toBe(true)
    expect(compared.pages).toMatchObject([{ different: true, kinds: ["outside"] }])
    const { width = 0, height = 0 } = await sharp(compared.pictures[0]?.after ?? undefined).metadata()
    expect(width * height).toBeLessThanOrEqual(2_000_000)
  })
})

describe("several revisions that are compared with the last", () => {
  const second = withContent(priceOf("1000.01"))
  const third = laterRevision(second, [[5, streamBody(priceOf("7000.00"))]])
  const pages = [{ page: 0, allowed: [] }]
  const comparisons = [base.length, second.length, 40, third.length].map((before) => ({ before, pages }))

  it("say each the same as alone, with as many pictures as are wanted of all together", async () => {
    const file = await sealedFileOf(third, folder)
    const all = await rooms.compareAll(file, TENANT, { comparisons, maxPictures: 1 })
    const alone = []
    for (const [i, one] of comparisons.entries())
      alone.push(await rooms.compare(file, TENANT, { ...one, maxPictures: i === 0 ? 1 : 0 }))
    expect(all).toEqual(alone)
    expect(all.map(({ lack, pages: [page] }) => lack ?? page?.different)).toEqual([
      true,
      true,
      "unreadable",
      false,
    ])
    expect(all.map(({ pictures }) => pictures.length)).toEqual([1, 0, 0, 0])
  })

  it("have the time that is left, and say what they have not seen", async () => {
    const file = await sealedFileOf(third, folder)
    const none = await rooms.compareAll(file, TENANT, { comparisons, maxPictures: 1, processorMs: -1 })
    expect(none.map(({ complete, lack }) => [complete, lack])).toEqual(Array(4).fill([false, "budget"]))
  })
})

describe("a document made to do harm", () => {
  const packed = deflateSync(deflateSync(Buffer.alloc(512_000_000, "0 0 m "), { level: 1 }), { level: 9 })
  const bomb = handMadePdf([{ dictionary: "/Filter [/FlateDecode /FlateDecode]", bytes: packed }])
  // Each form draws the next one ten times, and the last one a line.
  const nested = Array.from({ length: 9 }, (_, i): readonly [number, string] => {
    const next = `<< /XObject << /X ${31 + i} 0 R >> >>`
    const form = `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources ${next}`
    return [30 + i, streamBody(i === 8 ? "0 0 m 99 99 l S" : "q /X Do Q ".repeat(10), form)]
  })
  // A colour for each place, by a long sum that is done for each pixel.
  const sum = `{ ${"2 mul sin ".repeat(200)} pop dup dup }`
  const resources = "/XObject << /X 30 0 R >> /Shading << /S 20 0 R >> /Font"
  const withPage = (content: string) =>
    laterRevision(base, [
      [4, `<< ${PAGE.replace("/Font", resources)} >>`],
      [5, streamBody(content)],
      [20, "<< /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 595 0 842] /Function 21 0 R >>"],
      [21, streamBody(sum, "/FunctionType 4 /Domain [0 595 0 842] /Range [0 1 0 1 0 1]")],
      ...nested,
    ])
  const NOTHING = { complete: false, pagesCompared: 0, pages: [], pictures: [], fieldTexts: [] }

  it("ends in an answer, and others get theirs meanwhile", async () => {
    const all = { pages: "all", maxPictures: 0 } as const
    const asked = [bomb, Buffer.from("no PDF")].map(async (file) =>
      compare(file, [], { ...all, before: file.length }),
    )
    const neighbour = compare(withContent(priceOf("1000.01")))
    expect(await Promise.all(asked)).toEqual([
      { ...NOTHING, lack: "budget" },
      { ...NOTHING, lack: "unreadable" },
    ])
    expect((await neighbour).pages).toMatchObject([{ different: true }])
  })

  it("that has more pages than there is time for says how far it was seen, and that this is not all", async () => {
    const many = handMadePdf(Array.from({ length: 1200 }, () => LINES.join("\n")))
    const compared = await compare(many, [], { before: many.length, pages: "all" })
    expect(compared).toMatchObject({ complete: false, lack: "budget" })
    expect(compared.pagesCompared).toBeGreaterThan(10)
    expect(compared.pagesCompared).toBeLessThan(1200)
    expect(compared.pages).toHaveLength(compared.pagesCompared)
  })

  it.each([
    ["time", "/S sh ".repeat(1000)],
    ["memory", "/X Do"],
  ])("that would take any amount of %s is ended", async (_, content) => {
    expect(await compare(withPage(content), [], { pages: "all" })).toEqual({ ...NOTHING, lack: "budget" })
  })

  it("whose signed revision cannot be drawn is not one that looks the same", async () => {
    expect(await compare(base, [], { before: 40, pages: "all" })).toEqual({ ...NOTHING, lack: "unreadable" })
  })
})

async function isColoured(png: Uint8Array | null | undefined): Promise<boolean> {
  const { data } = await sharp(png ?? undefined)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data.some((value, at) => value !== data[at - (at % 3)])
}

function rectIn(file: Uint8Array): readonly [number, number, number, number] {
  const text =
    [
      ...Buffer.from(file)
        .toString("latin1")
        .matchAll(/\/Rect ?\[([^\]]*)\]/g),
    ].at(-1)?.[1] ?? ""
  const [a = 0, b = 0, c = 0, d = 0] = text.trim().split(/\s+/).map(Number)
  return [a, b, c, d]
}
