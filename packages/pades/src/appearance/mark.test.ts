import sharp from "sharp"
import { describe, expect, it } from "vitest"
import { makeAppearance } from "./appearance.ts"
import { type AppearanceParts, appearanceObjects } from "./appearance-objects.ts"
import { type Drawing, MAX_POINTS, MAX_STROKES } from "./drawing.ts"
import { HANDS, handFont } from "./font.ts"
import type { Mark } from "./mark.ts"
import { readPng, writePng } from "./png.ts"
import { subset } from "./subset.ts"

const LETTERS = "äöüßéèêëàâçîïôùûœæñćčšžđłńśźżąęşğıİőűřěůťďșțøåãõ"
const NAME = "Łukasz Řehoř Şahin Țăranu ß"
const LINES = ["TEST – no legal effect", NAME, "2026-11-15 05:00 UTC"]

const drawing: Drawing = {
  width: 600,
  height: 200,
  strokes: [
    Array.from({ length: 100 }, (_, i) => [50 + 5 * i, 100 + Math.round(80 * Math.sin(i / 7))]).flat(),
    [500, 20],
  ],
}
const pixels = { width: 30, height: 10, rgb: new Uint8Array(900).fill(90) }
const MARKS: readonly Mark[] = [
  ...HANDS.map((hand): Mark => ({ type: "typed", hand, name: NAME })),
  { type: "drawn", ...drawing },
  { type: "picture", pixels },
]

const shownText = ({ content }: AppearanceParts, font: AppearanceParts["font"], name: string) =>
  [...content.matchAll(/\/(\w+) [\d.]+ Tf\n(.*?)\nET/gs)]
    .filter(([, used]) => used === name)
    .flatMap(([, , rows = ""]) => [...rows.matchAll(/<([0-9a-f]+)> Tj/g)])
    .map(([, hex = ""]) =>
      (hex.match(/.{4}/g) ?? []).map((cid) => font?.cids[Number.parseInt(cid, 16)]?.[1]).join(""),
    )

describe.each(HANDS)("the handwriting %s", (hand) => {
  const font = handFont(hand)
  const lacking = (text: string) =>
    Array.from(text).filter((letter) => font.glyph(letter.codePointAt(0) ?? 0) === 0)

  it("has the letters of European names, large and small, each with an outline", () => {
    const all = `${LETTERS}${LETTERS.toUpperCase()}abcxyzABCXYZ-’.`
    expect(lacking(all)).toEqual([])
    for (const letter of LETTERS) {
      const outline = font.outline(font.glyph(letter.codePointAt(0) ?? 0))
      expect(outline.length, letter).toBeGreaterThan(20)
    }
  })

  it("is embedded as a subset, and small", () => {
    const { program, glyphs } = subset(
      font,
      Array.from(LETTERS, (letter) => font.glyph(letter.codePointAt(0) ?? 0)),
    )
    expect(glyphs.length).toBeGreaterThanOrEqual(LETTERS.length)
    expect(program.length).toBeLessThan(60_000)
  })
})

describe("the mark of a person", () => {
  it("[VIS-07] shows a name in each handwriting, and can be copied as text", async () => {
    for (const hand of HANDS) {
      const mark = { type: "typed", hand, name: NAME } as const
      const parts = await makeAppearance({ width: 400, height: 40, mark, lines: LINES })
      expect(shownText(parts, parts.hand, "Hand").join(" ")).toBe(NAME)
      expect(parts.hand?.name).toMatch(/^[A-Z]{6}\+(Caveat|DancingScript|Allura)-Regular$/)
      expect(shownText(parts, parts.font, "Text").join("|")).toContain("TEST – no legal effect")
    }
  })

  it("falls back to the font of all letters where a handwriting lacks one, for the whole name", async () => {
    const mark = { type: "typed", hand: "allura", name: "Щербаков Ann" } as const
    const parts = await makeAppearance({ width: 300, height: 60, mark })
    expect(parts.hand?.name).toMatch(/\+Arimo-Regular$/)
    expect(shownText(parts, parts.hand, "Hand").join(" ")).toBe("Щербаков Ann")
  })

  it("keeps the first line, which says that it is a test, as long as any text fits", async () => {
    for (const mark of MARKS)
      for (const [width, height] of [
        [60, 20],
        [120, 18],
        [45, 45],
        [400, 150],
      ] as const) {
        const parts = await makeAppearance({ width, height, mark, lines: LINES })
        expect(shownText(parts, parts.font, "Text").join(" "), `${mark.type} ${width}`).toMatch(/^TEST/)
      }
  })

  it("draws a line with round ends, curves and dots, smaller than the points it is made of", async () => {
    const { content } = await makeAppearance({ width: 200, height: 60, mark: { type: "drawn", ...drawing } })
    expect(content).toContain("1 J 1 j")
    expect(content.match(/ c\b/g)?.length).toBeGreaterThan(50)
    expect(content).toMatch(/m \S+ \S+ l S Q\nQ/)
    const strewn = Array.from({ length: 6000 }, (_, i) => Math.round(300 + 200 * Math.sin(i / 900)))
    const dense = { width: 600, height: 600, strokes: [strewn] }
    const small = await makeAppearance({ width: 100, height: 30, mark: { type: "drawn", ...dense } })
    expect(small.content.length).toBeLessThan(40_000)
    const objects = appearanceObjects(small, {
      firstNumber: 1,
      bbox: [0, 0, 100, 30],
      matrix: [1, 0, 0, 1, 0, 0],
    })
    expect(objects[0]?.body.length).toBeLessThan(15_000)
  })

  it("stays in its box, whatever the box and the drawing", async () => {
    const drawings: Drawing[] = [
      drawing,
      { width: 100, height: 100, strokes: [[50, 50]] },
      { width: 100, height: 100, strokes: [[0, 50, 100, 50]] },
      { width: 10_000, height: 1, strokes: [[5, 0, 5, 1]] },
    ]
    for (const one of drawings)
      for (const width of [8, 60, 400])
        for (const height of [8, 60, 400]) {
          const { content } = await makeAppearance({ width, height, mark: { type: "drawn", ...one } })
          const pen = Number(/ (\S+) w 1 J/.exec(content)?.[1]) / 2
          expect(pen).toBeGreaterThan(0)
          for (const [, x, y] of content.matchAll(/(?:^|\s)(-?[\d.]+) (-?[\d.]+) (?:m|l|c)\b/g)) {
            expect(Number(x) - pen, `${width} × ${height}`).toBeGreaterThan(-0.05)
            expect(Number(x) + pen, `${width} × ${height}`).toBeLessThan(width + 0.05)
            expect(Number(y) - pen, `${width} × ${height}`).toBeGreaterThan(-0.05)
            expect(Number(y) + pen, `${width} × ${height}`).toBeLessThan(height + 0.05)
          }
        }
  })

  it("holds nothing that any part of PDF/A forbids", async () => {
    for (const mark of MARKS) {
      const parts = await makeAppearance({ width: 200, height: 60, mark, lines: LINES })
      expect(JSON.parse(JSON.stringify(parts))).toEqual(parts)
      const place = { firstNumber: 7, bbox: [0, 0, 200, 60], matrix: [1, 0, 0, 1, 0, 0] } as const
      const objects = appearanceObjects(parts, place)
      expect(objects.map(({ number }) => number)).toEqual(objects.map((_, i) => 7 + i))
      const text = objects.map(({ body }) => Buffer.from(body).toString("latin1")).join("\n")
      expect(text).not.toMatch(/DeviceRGB|DeviceGray|DeviceCMYK|SMask|ExtGState|Interpolate|\/Group/)
    }
  })

  it.each([
    ["no strokes", { strokes: [] }],
    ["a stroke without an end", { strokes: [[1, 2, 3]] }],
    ["a stroke beyond its canvas", { strokes: [[1, 2, 601, 3]] }],
    ["what is no number", { strokes: [[1, Number.NaN]] }],
    ["too many strokes", { strokes: Array.from({ length: MAX_STROKES + 1 }, () => [1, 1]) }],
    ["too many points", { strokes: [Array.from({ length: 2 * MAX_POINTS + 2 }, () => 1)] }],
    ["an endless canvas", { width: 1e9 }],
  ])("refuses a drawing with %s", async (_, wrong) => {
    const mark = { type: "drawn", ...drawing, ...wrong } as const
    await expect(makeAppearance({ width: 100, height: 40, mark })).rejects.toThrow(RangeError)
  })
})

describe("the PNG of a cleaned picture", () => {
  const rgb = Uint8Array.from({ length: 3 * 7 * 5 }, (_, i) => (37 * i) % 256)
  const file = writePng({ width: 7, height: 5, rgb })

  it("is read by others, and by us", async () => {
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels]).toEqual([7, 5, 3])
    expect(data.equals(rgb)).toBe(true)
    expect(readPng(file)).toEqual({ width: 7, height: 5, rgb })
  })

  it("is the only thing that is read", async () => {
    const other = await sharp(file).png().toBuffer()
    const longer = Buffer.concat([file, Buffer.from("<script>")])
    const cut = file.subarray(0, 60)
    const huge = Buffer.from(file)
    huge.writeUInt32BE(2_000_000, 16)
    for (const wrong of [other, longer, cut, huge, Buffer.from("PNG")])
      expect(() => readPng(wrong)).toThrow("cleaned")
  })
})
