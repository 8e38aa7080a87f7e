// What our visible signatures and watermarks look like to poppler, on pages that are turned, cropped and measured in
// other units; and whether a PDF/A file that has got one is still PDF/A to veraPDF.
//
// All pages of one shape look the same to a person, so there is one expected picture per shape and kind, seen and
// accepted by one. PARAPH_ACCEPT=true writes them anew from the page that is neither turned nor cropped.

import { execFile } from "node:child_process"
import { generateKeyPairSync, sign } from "node:crypto"
import { readdirSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { crc32, deflateSync } from "node:zlib"
import { type Mark, makeAppearance } from "@paraph/pades/appearance"
import { finish } from "@paraph/pades/finish"
import { readImage } from "@paraph/pades/image"
import { type PrepareOptions, prepare } from "@paraph/pades/prepare"
import { writeSample } from "@paraph/pades/sample"
import { watermark } from "@paraph/pades/watermark"
import { createAuthority } from "@paraph/trust-sandbox/authority"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { qpdfFaults, type VeraPdfVerdict, verapdf } from "./judges.ts"

const run = promisify(execFile)
const corpora = process.env.PARAPH_CORPORA
const withoutCorpora = corpora === undefined
const accepting = process.env.PARAPH_ACCEPT === "true"
const EXPECTED = new URL("expected/", import.meta.url)

const NAME = "Željko Đurić-Αλέξανδρος Щербаков"
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
let folder = ""
let signer: Pick<PrepareOptions, "certificate" | "chain" | "signedAt">

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-appearance-"))
  const now = new Date()
  const authority = await createAuthority({ commonName: "Sandbox root", now })
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  const certificate = await authority.issue({ commonName: NAME, publicKeySpki, now, validDays: 30 })
  signer = { certificate, chain: [authority.certificate], signedAt: now }
})

afterAll(() => rm(folder, { recursive: true }))

function signed(base: Uint8Array, options: Omit<PrepareOptions, keyof typeof signer>): Uint8Array {
  const prepared = prepare(base, { ...options, ...signer })
  const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), privateKey)
  return Buffer.concat([base, finish(prepared, value)])
}

/** Three quarters of a square, so that no turn of it looks like another; a quarter is not painted. */
function picture(): Uint8Array {
  const side = 64
  const rows: Buffer[] = []
  for (let y = 0; y < side; y++) {
    const row = Buffer.alloc(1 + 4 * side)
    for (let x = 0; x < side; x++) {
      const painted = x < side / 2 || y >= side / 2
      row.writeUInt32BE(painted ? 0x103080ff : 0, 1 + 4 * x)
    }
    rows.push(row)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const signature = Buffer.from("89504e470d0a1a0a", "hex")
  const data = deflateSync(Buffer.concat(rows))
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

const page = (entries: string, content = "") =>
  writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${entries} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ])

type Shape = "portrait" | "landscape"
type Case = readonly [name: string, shape: Shape, entries: string, dotsPerInch: number]
const CASES: readonly Case[] = [
  ["portrait", "portrait", "/MediaBox [0 0 140 200]", 72],
  ["landscape", "landscape", "/MediaBox [0 0 200 140]", 72],
  ["turned right", "portrait", "/MediaBox [0 0 200 140] /Rotate 90", 72],
  ["turned over", "portrait", "/MediaBox [0 0 140 200] /Rotate 180", 72],
  ["turned left", "landscape", "/MediaBox [0 0 140 200] /Rotate 270", 72],
  ["cropped", "landscape", "/MediaBox [-50 -40 300 400] /CropBox [30 20 230 160]", 72],
  ["cropped and turned", "portrait", "/MediaBox [0 0 400 400] /CropBox [20 30 220 170] /Rotate 90", 72],
  // Poppler ignores the unit, so two dots are one point of what a person sees.
  ["in units of two points", "portrait", "/MediaBox [0 0 70 100] /UserUnit 2", 144],
  ["in units of two points, turned", "landscape", "/MediaBox [0 0 70 100] /UserUnit 2 /Rotate 270", 144],
]

type Pixels = Awaited<ReturnType<typeof readImage>>

async function pixels(png: Uint8Array): Promise<Pixels> {
  return readImage(png, { width: 400, height: 400 })
}

async function render(pdf: Uint8Array, dotsPerInch = 72): Promise<Buffer> {
  const path = join(folder, "page.pdf")
  await writeFile(path, pdf)
  const { stdout } = await run("pdftoppm", ["-r", `${dotsPerInch}`, "-cropbox", "-png", path], {
    encoding: "buffer",
  })
  return stdout
}

/** How much of the ink is elsewhere: 0 where two pictures are the same, towards 2 where nothing overlaps. */
function difference(found: Pixels, expected: Pixels): number {
  if (found.width !== expected.width || found.height !== expected.height) return Number.POSITIVE_INFINITY
  let other = 0
  let ink = 0
  for (const [i, value] of expected.rgb.entries()) {
    other += Math.abs(value - (found.rgb[i] ?? 0))
    ink += 255 - value
  }
  return other / ink
}

// With the poppler that drew them the pictures are the same to the last dot; another version smooths letters otherwise.
const TOLERANCE = 0.1

async function expectLooksLike(name: string, png: Uint8Array): Promise<void> {
  const file = new URL(`${name}.png`, EXPECTED)
  expect(difference(await pixels(png), await pixels(await readFile(file)))).toBeLessThan(TOLERANCE)
}

const PLACE = { page: 0, x: 15, y: 25, width: 110, height: 60 }

async function visiblySigned(base: Uint8Array, moved = 0): Promise<Uint8Array> {
  const appearance = await makeAppearance({ ...PLACE, image: picture(), lines: [NAME, "Zürich"] })
  return signed(base, { fieldName: "Signature", place: { ...PLACE, x: PLACE.x + moved }, appearance })
}

const marked = (base: Uint8Array) => Buffer.concat([base, watermark(base, { text: "DRAFT Щ", rotation: 30 })])

describe("a visible signature stands upright where a person wants it, on a page", () => {
  it.each(CASES)("%s", async (name, shape, entries, dotsPerInch) => {
    const png = await render(await visiblySigned(page(entries)), dotsPerInch)
    if (accepting && name === shape) await writeFile(new URL(`signature-${shape}.png`, EXPECTED), png)
    await expectLooksLike(`signature-${shape}`, png)
  })

  it("that has the field already", async () => {
    const base = writeSample([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 140] /Rotate 90 /Annots [4 0 R] >>",
      "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Here) /F 4 /Rect [115 15 175 125] >>",
    ])
    const appearance = await makeAppearance({ ...PLACE, image: picture(), lines: [NAME, "Zürich"] })
    const png = await render(signed(base, { fieldName: "Here", appearance }))
    await expectLooksLike("signature-portrait", png)
  })

  it("and the check sees one that is moved by two points, turned, or not there", async () => {
    const expected = await pixels(await readFile(new URL("signature-portrait.png", EXPECTED)))
    const of = async (pdf: Uint8Array) => difference(await pixels(await render(pdf)), expected)
    const upright = page("/MediaBox [0 0 140 200] /Rotate 000")
    expect(await of(await visiblySigned(upright))).toBeLessThan(TOLERANCE)
    expect(await of(await visiblySigned(upright, 2))).toBeGreaterThan(TOLERANCE)
    expect(await of(upright)).toBeGreaterThan(TOLERANCE)
    // As long as it was, so that the cross-reference table stays right.
    const text = Buffer.from(await visiblySigned(upright)).toString("latin1")
    const turned = text.replace(
      "/Type /XObject /Subtype /Form /BBox [0 0 110 60] /Matrix [1 0 0 1 0 0]",
      "/Type/XObject /Subtype/Form /BBox [0 0 110 60] /Matrix [-1 0 0 -1 0 0]",
    )
    expect(turned).not.toBe(text)
    expect(turned).toHaveLength(text.length)
    expect(await of(Buffer.from(turned, "latin1"))).toBeGreaterThan(TOLERANCE)
  })
})

describe("a watermark runs as a person wants it, across a page", () => {
  it.each(CASES)("%s", async (name, shape, entries, dotsPerInch) => {
    const png = await render(marked(page(entries)), dotsPerInch)
    if (accepting && name === shape) await writeFile(new URL(`watermark-${shape}.png`, EXPECTED), png)
    await expectLooksLike(`watermark-${shape}`, png)
  })

  it.each([
    ["scaled and left open", "q 3 0 0 3 50 50 cm q 0 1 -1 0 0 0 cm"],
    ["scaled without a stack", "0.1 0 0 0.1 0 0 cm"],
    ["cut off", "0 0 10 10 re W n"],
    ["closed too often", "q Q Q Q 2 0 0 2 0 0 cm"],
    ["left with another text", "BT 50 Tz 30 Ts 9 Tc 3 Tr ET"],
  ])("whose content is %s", async (_, content) => {
    const png = await render(marked(page("/MediaBox [0 0 140 200]", content)))
    await expectLooksLike("watermark-portrait", png)
  })

  it("and the check sees another angle and another text", async () => {
    const expected = await pixels(await readFile(new URL("watermark-portrait.png", EXPECTED)))
    const base = page("/MediaBox [0 0 140 200]")
    for (const options of [
      { text: "DRAFT Щ", rotation: 35 },
      { text: "DRAFT Ш", rotation: 150 },
    ]) {
      const png = await render(Buffer.concat([base, watermark(base, options)]))
      expect(difference(await pixels(png), expected)).toBeGreaterThan(TOLERANCE)
    }
  })
})

describe("the text of a visible signature", () => {
  it("can be found, copied and read aloud", async () => {
    const path = join(folder, "text.pdf")
    const appearance = await makeAppearance({ width: 300, height: 60, lines: [NAME, "日本"] })
    const base = page("/MediaBox [0 0 400 200]")
    const place = { page: 0, x: 10, y: 10, width: 300, height: 60 }
    await writeFile(path, signed(base, { fieldName: "Signature", place, appearance }))
    const { stdout } = await run("pdftotext", [path, "-"])
    expect(stdout.trim()).toBe(`${NAME}\n\ufffd\ufffd`)
  })
})

/** What people sign with; a handwriting that lacks a letter of the name is another case. */
const MARKS: readonly Mark[] = [
  { type: "typed", hand: "caveat", name: "François Müller" },
  { type: "typed", hand: "dancing-script", name: "Łukasz Řehoř" },
  { type: "typed", hand: "allura", name: NAME },
  {
    type: "drawn",
    width: 300,
    height: 100,
    strokes: [
      [10, 50, 60, 10, 120, 90, 290, 20],
      [200, 80],
    ],
  },
  { type: "picture", pixels: { width: 2, height: 1, rgb: Uint8Array.of(9, 9, 90, 250, 250, 250) } },
]

const pdfaFiles = withoutCorpora
  ? []
  : readdirSync(join(corpora, "pdfa"), { recursive: true, withFileTypes: true })
      .filter((file) => file.name.endsWith(".pdf"))
      .map((file) => join(file.parentPath, file.name))

describe.skipIf(withoutCorpora)("every PDF/A file of the corpus is PDF/A of the same part and level", () => {
  let after: Map<string, VeraPdfVerdict>
  const watermarked = new Map<string, string>()
  const visible = new Map<string, string>()

  beforeAll(async () => {
    const small = { page: 0, x: 2, y: 2, width: 60, height: 20 }
    const looks = [{ image: picture() }, ...MARKS.map((mark) => ({ mark }))]
    const appearances = await Promise.all(
      looks.map((look) => makeAppearance({ ...small, ...look, lines: [NAME] })),
    )
    // Each kind of look on every sixth file, and so on each part and level.
    const lookOf = (i: number) => {
      const appearance = appearances[i % appearances.length]
      return appearance === undefined ? {} : { appearance }
    }
    for (const [i, file] of pdfaFiles.entries()) {
      const base = await readFile(file)
      const paths = { mark: join(folder, `${i}-mark.pdf`), sign: join(folder, `${i}-sign.pdf`) }
      await writeFile(paths.mark, Buffer.concat([base, watermark(base, { text: "DRAFT Щ" })]))
      await writeFile(paths.sign, signed(base, { fieldName: "Paraph", place: small, ...lookOf(i) }))
      watermarked.set(file, paths.mark)
      visible.set(file, paths.sign)
    }
    after = await verapdf([...watermarked.values(), ...visible.values()])
  }, 300_000)

  const faults = (made: Map<string, string>) =>
    [...made].flatMap(([file, path]) => {
      const verdict = after.get(path)
      const same = verdict?.flavour === flavourOf(file)
      if (verdict?.compliant === true && same) return []
      const rules = verdict?.failed?.map(({ clause, test }) => `${clause}-${test}`)
      return [`${basename(file)}: ${verdict?.error ?? rules?.join(" ")}`]
    })

  it("with a watermark", () => {
    expect(watermarked.size).toBe(180)
    expect(faults(watermarked)).toEqual([])
  })

  it("with a visible signature", () => {
    expect(visible.size).toBe(180)
    expect(faults(visible)).toEqual([])
  })

  it("and without a fault for qpdf where it had none", async () => {
    for (const [file, path] of watermarked) {
      const found = await qpdfFaults(path)
      if (found !== "") expect(await qpdfFaults(file), basename(file)).not.toBe("")
    }
  }, 300_000)

  it("and veraPDF sees what we take care of", async () => {
    const spoilt: string[] = []
    const keep = async (bytes: Uint8Array) => {
      spoilt.push(join(folder, `spoilt-${spoilt.length}.pdf`))
      await writeFile(spoilt.at(-1) ?? "", bytes)
    }
    const spoil = async (flavour: string, made: Map<string, string>, from: RegExp, to: string) => {
      for (const [file, path] of made) {
        const base = await readFile(file)
        const tail = (await readFile(path)).subarray(base.length).toString("latin1")
        if (flavourOf(file) !== flavour || !from.test(tail)) continue
        return keep(Buffer.concat([base, Buffer.from(tail.replace(from, to), "latin1")]))
      }
      throw new Error(`No file of ${flavour} has ${from}.`)
    }
    // Each change is as long as what it replaces.
    await spoil("1b", visible, /\/CIDSet /, "/CIDSot ")
    await spoil("2b", visible, /\/FontFile2 /, "/FontFilex ")
    await spoil("2u", visible, /\/ToUnicode /, "/ToUnicade ")
    await spoil("2b", watermarked, /\/Group (?=<< \/S \/Transparency \/CS \[\/CalRGB)/, "/Grouq ")
    // A watermark that takes the file for no PDF/A at all, behind a file of PDF/A-1.
    const first = pdfaFiles.find((file) => flavourOf(file) === "1b") ?? ""
    const base = await readFile(first)
    const unknown = base.toString("latin1").replaceAll("aiim.org/pdfa/ns/id", "aiim.org/pdfa/ns/xx")
    await keep(Buffer.concat([base, watermark(Buffer.from(unknown, "latin1"), { text: "DRAFT" })]))

    const verdicts = await verapdf(spoilt)
    const rules = spoilt.map((path) =>
      verdicts.get(path)?.failed?.map(({ clause, test }) => `${clause}-${test}`),
    )
    expect(rules).toEqual([["6.3.5-3"], ["6.2.11.4.1-1"], ["6.2.11.7.2-1"], ["6.2.10-2"], ["6.4-6"]])
  })
})

function flavourOf(file: string): string | undefined {
  return /PDF_A-(\d\w)/.exec(file)?.[1]
}
