import { crc32 } from "node:zlib"
import sharp from "sharp"
import { describe, expect, it } from "vitest"
import { MAX_IMAGE_BYTES, readImage } from "./image.ts"
import { ImageRefused } from "./image-refused.ts"

const BOX = { width: 100, height: 100 }
const RED = { r: 200, g: 20, b: 30 }
const plain = (width: number, height: number, background: object = RED) =>
  sharp({ create: { width, height, channels: 3, background } })

/** Red left, blue right. */
const twoColours = async () =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: RED } }).composite([
    { input: await plain(10, 10, { r: 0, g: 0, b: 200 }).png().toBuffer(), left: 10, top: 0 },
  ])
const pixel = ({ rgb, width }: { rgb: Uint8Array; width: number }, x: number, y: number) => [
  ...rgb.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
]
const close = (found: readonly number[], r: number, g: number, b: number, tolerance = 8) =>
  [r, g, b].forEach((value, i) => {
    expect(Math.abs((found[i] ?? -99) - value)).toBeLessThanOrEqual(tolerance)
  })

describe("a picture becomes pixels of sRGB", () => {
  it.each(["png", "jpeg"] as const)("from %s", async (format) => {
    const read = await readImage(await plain(30, 20).toFormat(format).toBuffer(), BOX)
    expect(read).toMatchObject({ width: 30, height: 20 })
    expect(read.rgb).toHaveLength(3 * 30 * 20)
    expect(read.mask).toBeUndefined()
    close(pixel(read, 15, 10), 200, 20, 30)
  })

  it("from grey, from sixteen bits, from a palette and from the colours of print", async () => {
    const grey = { r: 128, g: 128, b: 128 }
    const files = [
      await plain(8, 8, grey).toColourspace("b-w").png().toBuffer(),
      await plain(8, 8, grey).toColourspace("rgb16").png().toBuffer(),
      await plain(8, 8, grey).png({ palette: true }).toBuffer(),
      await plain(8, 8, grey).toColourspace("cmyk").jpeg({ quality: 100 }).toBuffer(),
    ]
    for (const file of files) {
      const read = await readImage(file, BOX)
      expect(read.rgb).toHaveLength(3 * 64)
      close(pixel(read, 4, 4), 128, 128, 128, 20)
    }
  })

  it("from the colours of its profile", async () => {
    const wide = await plain(8, 8).withIccProfile("p3").png().toBuffer()
    close(pixel(await readImage(wide, BOX), 4, 4), 200, 20, 30)
  })

  it("upright, as EXIF says", async () => {
    const turned = await (await twoColours())
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100 })
      .toBuffer()
    const read = await readImage(turned, BOX)
    expect(read).toMatchObject({ width: 10, height: 20 })
    // Orientation 6 is shown turned right: what is left in the file is at the top.
    close(pixel(read, 5, 2), 200, 20, 30, 30)
    close(pixel(read, 5, 17), 0, 0, 200, 30)
  })

  it("on white where it is half there, and not at all where it is not", async () => {
    const raw = Buffer.from([0, 0, 0, 255, 0, 0, 0, 128, 0, 0, 0, 0])
    const png = await sharp(raw, { raw: { width: 3, height: 1, channels: 4 } })
      .png()
      .toBuffer()
    const read = await readImage(png, BOX)
    expect([pixel(read, 0, 0), pixel(read, 1, 0), pixel(read, 2, 0)]).toEqual([
      [0, 0, 0],
      [127, 127, 127],
      [255, 255, 255],
    ])
    expect([...(read.mask ?? [])]).toEqual([0b0010_0000])
  })

  it("no more of them than its box can show at 300 dots per inch, and never more than four million", async () => {
    const file = await plain(4000, 2000).png().toBuffer()
    expect(await readImage(file, { width: 72, height: 72 })).toMatchObject({ width: 300, height: 150 })
    const large = await readImage(file, { width: 5_000, height: 5_000 })
    expect(large.width * large.height).toBeLessThanOrEqual(4_000_000)
    expect(large.width / large.height).toBeCloseTo(2, 1)
  })
})

describe("a picture is refused", () => {
  const refusal = (bytes: Uint8Array) =>
    readImage(bytes, BOX).then(
      () => "read",
      (error: unknown) => (error instanceof ImageRefused ? error.code : String(error)),
    )

  it.each(["gif", "webp", "tiff"] as const)("of the format %s", async (format) => {
    expect(await refusal(await plain(4, 4).toFormat(format).toBuffer())).toBe("format")
  })

  it("as SVG, as PDF, as nothing", async () => {
    expect(await refusal(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe("format")
    expect(await refusal(Buffer.from("%PDF-1.7"))).toBe("format")
    expect(await refusal(new Uint8Array())).toBe("format")
  })

  it("of too many bytes", async () => {
    expect(await refusal(new Uint8Array(MAX_IMAGE_BYTES + 1))).toBe("too-large")
  })

  it.each([
    [9_000, 9_000],
    [10_001, 1],
    [16_777_220, 1],
    [1, 24_000_000],
  ])("of %d by %d pixels, before any of them is decoded", async (width, height) => {
    // The header alone is changed: whoever decodes it finds that it is cut short.
    const bomb = await plain(4, 4).png().toBuffer()
    bomb.writeUInt32BE(width, 16)
    bomb.writeUInt32BE(height, 20)
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
    expect(await refusal(bomb)).toBe("too-large")
  })

  it.each(["png", "jpeg"] as const)("as %s that is cut short or spoilt", async (format) => {
    const file = await (await twoColours()).resize(200, 200).toFormat(format).toBuffer()
    expect(await refusal(file.subarray(0, file.length / 2))).toBe("unreadable")
    expect(await refusal(Buffer.concat([file.subarray(0, 12), Buffer.alloc(100)]))).toBe("unreadable")
  })
})
