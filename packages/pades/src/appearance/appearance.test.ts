import sharp from "sharp"
import { describe, expect, it } from "vitest"
import { type AppearanceOptions, makeAppearance } from "./appearance.ts"
import { type AppearanceParts, appearanceObjects } from "./appearance-objects.ts"

const NAME = "Željko Đurić-Αλέξανδρος Щербаков"
const LINES = [NAME, "Signed on 15 November 2026 at 05:00 UTC", "Reason: I agree"]
const picture = await sharp({
  create: { width: 60, height: 20, channels: 4, background: { r: 0, g: 0, b: 90, alpha: 0.5 } },
})
  .png()
  .toBuffer()

const shownText = ({ font, content }: AppearanceParts): readonly string[] =>
  [...content.matchAll(/<([0-9a-f]+)> Tj/g)].map(([, hex = ""]) =>
    (hex.match(/.{4}/g) ?? []).map((cid) => font?.cids[Number.parseInt(cid, 16)]?.[1] ?? "?").join(""),
  )
const size = ({ content }: AppearanceParts) => Number(/ ([\d.]+) Tf/.exec(content)?.[1])

/** Left, bottom, right and top of everything that is drawn. */
function drawn({ content, font }: AppearanceParts): readonly (readonly [number, number, number, number])[] {
  const areas: [number, number, number, number][] = []
  for (const [, w, h, x, y] of content.matchAll(/q (\S+) 0 0 (\S+) (\S+) (\S+) cm/g))
    areas.push([Number(x), Number(y), Number(x) + Number(w), Number(y) + Number(h)])
  const points = Number(/ ([\d.]+) Tf/.exec(content)?.[1])
  for (const [, x, y, hex = ""] of content.matchAll(/1 0 0 1 (\S+) (\S+) Tm <([0-9a-f]+)>/g)) {
    const cids = (hex.match(/.{4}/g) ?? []).map((cid) => Number.parseInt(cid, 16))
    const width = cids.reduce((sum, cid) => sum + (font?.cids[cid]?.[0] ?? 0), 0)
    areas.push([
      Number(x),
      Number(y) + ((font?.descent ?? 0) * points) / 1000,
      Number(x) + (width * points) / 1000,
      Number(y) + ((font?.ascent ?? 0) * points) / 1000,
    ])
  }
  return areas
}

describe("what a signature shows", () => {
  it("stays inside its box, whatever the box", async () => {
    const contents: Partial<AppearanceOptions>[] = [
      { lines: LINES },
      { image: picture },
      { image: picture, lines: LINES },
      { image: picture, lines: ["x".repeat(300)] },
    ]
    for (const width of [3, 20, 60, 150, 400])
      for (const height of [3, 12, 60, 150, 400])
        for (const more of contents) {
          const parts = await makeAppearance({ width, height, ...more })
          for (const [left, bottom, right, top] of drawn(parts)) {
            expect(Math.min(left, bottom), `${width} x ${height}`).toBeGreaterThanOrEqual(0)
            expect(right, `${width} x ${height}`).toBeLessThanOrEqual(width)
            expect(top, `${width} x ${height}`).toBeLessThanOrEqual(height)
          }
        }
  })

  it("does not let picture and text cover each other", async () => {
    for (const [width, height] of [
      [200, 60],
      [60, 200],
      [120, 120],
      [400, 100],
    ] as const) {
      const [image, ...lines] = drawn(await makeAppearance({ width, height, image: picture, lines: LINES }))
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines)
        expect((image?.[2] ?? 0) <= line[0] || (image?.[1] ?? 0) >= line[3], `${width} x ${height}`).toBe(
          true,
        )
    }
  })

  it("puts the picture left in a wide box and above in a high one, its shape kept", async () => {
    const [wide = [0, 0, 0, 0]] = drawn(
      await makeAppearance({ width: 400, height: 40, image: picture, lines: LINES }),
    )
    const [high = [0, 0, 0, 0]] = drawn(
      await makeAppearance({ width: 80, height: 150, image: picture, lines: LINES }),
    )
    expect(wide[2]).toBeLessThan(200)
    expect(high[1]).toBeGreaterThan(75)
    for (const [left, bottom, right, top] of [wide, high])
      expect((right - left) / (top - bottom)).toBeCloseTo(3, 2)
  })

  it("shows every European letter, also one that was sent in two pieces", async () => {
    const text = "ÀŻŐșțđħłøßæþıİĀģķņŗūŵŷẞ ΑΆΐώς ЂЄІЇЉЊЋҐѓщ"
    const parts = await makeAppearance({ width: 500, height: 30, lines: [text.normalize("NFD")] })
    expect(shownText(parts)).toEqual([text])
  })

  it("shows one replacement for each character that the font lacks, and none for what is not seen", async () => {
    const parts = await makeAppearance({
      width: 500,
      height: 30,
      lines: ["日本 A👩‍👩‍👧B \u202eC\u00adD ©\ufe0f שלום\u0000\n!"],
    })
    expect(shownText(parts)).toEqual(["\ufffd\ufffd A\ufffdB CD © \ufffd\ufffd\ufffd\ufffd !"])
  })

  it("is as large as it goes between 4 and 12 points", async () => {
    const of = async (width: number, height: number, ...lines: string[]) =>
      size(await makeAppearance({ width, height, lines }))
    expect(await of(500, 500, "Ada")).toBe(12)
    expect(await of(40, 20, "Ada Lovelace")).toBeLessThan(12)
    expect(await of(40, 8, "Ada Lovelace, Countess of Lovelace")).toBe(4)
  })

  it("breaks lines between words, and leaves out the end at last, with a sign of it", async () => {
    const broken = await makeAppearance({ width: 60, height: 60, lines: [NAME] })
    expect(shownText(broken)).toEqual(["Željko", "Đurić-", "Αλέξανδρος", "Щербаков"])
    const cut = await makeAppearance({ width: 40, height: 12, lines: [NAME, "more"] })
    expect(shownText(cut).join(" ")).toMatch(/^Željko .*…$/)
  })

  it("is nothing where there is nothing to show or no room", async () => {
    expect((await makeAppearance({ width: 100, height: 20 })).content).toBe("")
    expect((await makeAppearance({ width: 100, height: 20, lines: [" ", ""] })).content).toBe("")
    expect((await makeAppearance({ width: 100, height: 2, lines: [NAME] })).content).toBe("")
  })

  it.each([
    ["a box without a size", { width: 0, height: 10 }],
    ["a box that is no number", { width: 10, height: Number.NaN }],
    ["a box larger than any page", { width: 10, height: 1e9 }],
    ["too many lines", { width: 10, height: 10, lines: Array.from({ length: 21 }, () => "a") }],
    ["too long a line", { width: 10, height: 10, lines: ["a".repeat(501)] }],
  ])("refuses %s", async (_, options) => {
    await expect(makeAppearance(options)).rejects.toThrow(RangeError)
  })
})

describe("the objects of an appearance", () => {
  const place = { firstNumber: 7, bbox: [0, 0, 200, 60], matrix: [1, 0, 0, 1, 0, 0] } as const
  const body = (parts: AppearanceParts, at = place as Parameters<typeof appearanceObjects>[1]) =>
    appearanceObjects(parts, at)
      .map((object) => Buffer.from(object.body).toString("latin1"))
      .join("\n")

  it("are the same bytes for the same arguments, also in another process", async () => {
    const make = () => makeAppearance({ width: 200, height: 60, image: picture, lines: LINES })
    const [parts, again] = [await make(), await make()]
    expect(JSON.parse(JSON.stringify(parts))).toEqual(parts)
    expect(body(again)).toBe(body(parts))
  })

  it("are numbered in a row, the form XObject first", async () => {
    const parts = await makeAppearance({ width: 200, height: 60, image: picture, lines: LINES })
    const objects = appearanceObjects(parts, place)
    expect(objects.map(({ number }) => number)).toEqual(objects.map((_, i) => 7 + i))
    expect(Buffer.from(objects[0]?.body ?? []).toString("latin1")).toMatch(/\/Subtype \/Form/)
  })

  it("hold nothing that any part of PDF/A forbids", async () => {
    const parts = await makeAppearance({ width: 200, height: 60, image: picture, lines: LINES })
    expect(body(parts)).not.toMatch(/DeviceRGB|DeviceGray|DeviceCMYK|SMask|ExtGState|Interpolate|\/Group/)
    expect(body(parts)).toMatch(/\/CIDSet/)
  })

  it("are scaled evenly and put in the middle of a box that they were not made for", async () => {
    const parts = await makeAppearance({ width: 200, height: 60, lines: ["Ada"] })
    expect(body(parts)).not.toContain(" cm\n")
    expect(body(parts, { ...place, bbox: [0, 0, 100, 60] })).toContain("q 0.5 0 0 0.5 0 15 cm\n")
  })
})
