// What other people's programs see in a PDF of ours, and in a picture.
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** What qpdf complains about; nothing for a sound file. */
export const qpdfFaults = (pdf: Uint8Array): Promise<string> =>
  withFile(pdf, (file) =>
    run("qpdf", ["--check", file]).then(
      ({ stderr }) => stderr,
      (error: { stderr: string; stdout: string }) => error.stderr || error.stdout,
    ),
  )

/** The text of each page, as poppler reads it. */
export const textOf = (pdf: Uint8Array): Promise<readonly string[]> =>
  withFile(pdf, async (file) => (await run("pdftotext", ["-raw", file, "-"])).stdout.split("\f").slice(0, -1))

export type Ink = {
  /** Of the pixels that are not white: how many, the darkest, and how far they reach, each from 0 to 1. */
  readonly share: number
  readonly darkest: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Where a page has something on it, drawn by poppler in shades of grey. */
export const inkOf = (pdf: Uint8Array, page: number): Promise<Ink> =>
  withFile(pdf, async (file, folder) => {
    const number = String(page + 1)
    const picture = join(folder, "page")
    await run("pdftoppm", [
      "-gray",
      "-cropbox",
      "-r",
      "50",
      "-f",
      number,
      "-l",
      number,
      "-singlefile",
      file,
      picture,
    ])
    return measure(await readFile(`${picture}.pgm`))
  })

function measure(pgm: Buffer): Ink {
  const [header = "", width = "0", height = "0"] =
    /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(pgm.toString("latin1", 0, 64)) ?? []
  const [columns, rows] = [Number(width), Number(height)]
  const ink = { count: 0, darkest: 255, left: columns, top: rows, right: 0, bottom: 0 }
  for (let i = 0; i < columns * rows; i++) {
    const grey = pgm[header.length + i] ?? 255
    if (grey >= 250) continue
    const [x, y] = [i % columns, Math.floor(i / columns)]
    ink.count++
    ink.darkest = Math.min(ink.darkest, grey)
    ink.left = Math.min(ink.left, x)
    ink.right = Math.max(ink.right, x)
    ink.top = Math.min(ink.top, y)
    ink.bottom = Math.max(ink.bottom, y)
  }
  return {
    share: ink.count / (columns * rows),
    darkest: ink.darkest,
    left: ink.left / columns,
    right: ink.right / columns,
    top: ink.top / rows,
    bottom: ink.bottom / rows,
  }
}

export type Picture = { readonly type: "png" | "webp"; readonly width: number; readonly height: number }

/** PNG, 11.2.1; WebP (RFC 9649, 2.5 to 2.7): the three ways in which it says its size. */
export function pictureOf(bytes: Buffer): Picture | null {
  if (bytes.toString("latin1", 1, 4) === "PNG")
    return { type: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes.toString("latin1", 8, 12) !== "WEBP") return null
  const webp = (width: number, height: number): Picture => ({ type: "webp", width, height })
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return webp(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    case "VP8L": {
      const bits = bytes.readUInt32LE(21)
      return webp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    }
    case "VP8X":
      return webp(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    default:
      return null
  }
}

async function withFile<T>(pdf: Uint8Array, look: (file: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-look-"))
  try {
    const file = join(folder, "document.pdf")
    await writeFile(file, pdf)
    return await look(file, folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
