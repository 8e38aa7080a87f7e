import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { readPng, writePng } from "@paraph/pades/png"
import sharp from "sharp"
import { afterAll, describe, expect, it } from "vitest"
import { TENANT } from "../testing/tenant.ts"
import { createPdfRooms } from "./rooms.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-picture-"))
const rooms = createPdfRooms({ folder, warm: 0, wallMs: 120_000 })
afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

const STROKE = `<path d="M60 150 C 120 20, 180 260, 240 120 S 340 80, 380 140" fill="none" stroke="#123" stroke-width="6"/>`
const drawn = (inside: string, width = 600, height = 300) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`)
/** A sheet of paper in uneven light, with writing on it. */
const photograph = () =>
  sharp(
    drawn(
      `<defs><linearGradient id="g"><stop offset="0" stop-color="#8f8a80"/><stop offset="1" stop-color="#efe9dd"/></linearGradient></defs>
       <rect width="600" height="300" fill="url(#g)"/>${STROKE}`,
    ),
  )
const pixel = ({ width, rgb }: { width: number; rgb: Uint8Array }, x: number, y: number) => [
  ...rgb.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
]

describe("a picture to sign with", () => {
  it("is writing on white, trimmed, whatever the light on the paper was", async () => {
    const clean = await rooms.cleanPicture(await photograph().jpeg({ quality: 90 }).toBuffer(), TENANT)
    expect(clean.width / clean.height).toBeGreaterThan(1.5)
    expect(clean.width).toBeLessThan(360)
    for (const [x, y] of [
      [0, 0],
      [clean.width - 1, 0],
      [0, clean.height - 1],
      [clean.width - 1, clean.height - 1],
    ] as const)
      expect(Math.min(...pixel(clean, x, y))).toBeGreaterThan(245)
    const darkest = clean.rgb.reduce((least, value) => Math.min(least, value), 255)
    expect(darkest).toBeLessThan(80)
    expect(readPng(writePng(clean))).toEqual({
      width: clean.width,
      height: clean.height,
      rgb: new Uint8Array(clean.rgb),
    })
  })

  it("keeps a thick stroke as dark as it was", async () => {
    const bar = `<rect width="600" height="300" fill="#fff"/><rect x="40" y="120" width="520" height="80" fill="#202040"/>`
    const clean = await rooms.cleanPicture(await sharp(drawn(bar)).png().toBuffer(), TENANT)
    expect(Math.max(...pixel(clean, Math.floor(clean.width / 2), Math.floor(clean.height / 2)))).toBeLessThan(
      110,
    )
  })

  it("stands upright, has no transparency, and tells nothing of where it was taken", async () => {
    const upright = await sharp(drawn(STROKE)).png().toBuffer()
    const turned = await sharp(upright)
      .rotate(90)
      .withExif({ IFD0: { Make: "SecretCamera" }, IFD3: { GPSLatitude: "47/1 22/1 0/1" } })
      .withMetadata({ orientation: 8 })
      .jpeg()
      .toBuffer()
    expect(turned.includes("SecretCamera")).toBe(true)
    const clean = await rooms.cleanPicture(turned, TENANT)
    expect(clean.width).toBeGreaterThan(clean.height)
    expect(Buffer.from(writePng(clean)).includes("SecretCamera")).toBe(false)
  })

  it.each([
    ["an SVG that says it is a PNG", async () => drawn(STROKE)],
    ["text", async () => Buffer.from("hello")],
    ["a PDF", async () => Buffer.from("%PDF-1.7\n1 0 obj")],
    ["a GIF", async () => sharp(drawn(STROKE)).gif().toBuffer()],
    ["a PNG that is cut", async () => (await sharp(drawn(STROKE)).png().toBuffer()).subarray(0, 900)],
    ["nothing but white", async () => sharp(drawn("")).flatten({ background: "#fff" }).png().toBuffer()],
    ["a PNG of 25 gigapixels in 200 bytes", async () => bomb(160_000, 160_000)],
    ["a PNG that is sixteen million pixels wide", async () => bomb(16_000_000, 1)],
  ])("is refused where it is %s", async (_, file) => {
    await expect(rooms.cleanPicture(await file(), TENANT)).rejects.toMatchObject({ name: "PdfAskedWrongly" })
  })

  it("keeps nothing of a file that is two things at once", async () => {
    const png = await sharp(drawn(STROKE)).flatten({ background: "#fff" }).png().toBuffer()
    const clean = await rooms.cleanPicture(
      Buffer.concat([png, Buffer.from("<script>alert(1)</script>%PDF-1.7")]),
      TENANT,
    )
    expect(Buffer.from(writePng(clean)).includes("script")).toBe(false)
  })
})

/** A head that promises more than there is. */
function bomb(width: number, height: number): Buffer {
  const whole = Buffer.from(writePng({ width: 1, height: 1, rgb: new Uint8Array(3) }))
  whole.writeUInt32BE(width, 16)
  whole.writeUInt32BE(height, 20)
  return Buffer.concat([whole.subarray(0, 33), deflateSync(Buffer.alloc(100)), whole.subarray(33)])
}
