import { deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { PdfRefused } from "../refused.ts"
import { writeSample } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { readEmbeddedFile } from "./embedded-files.ts"

const STORY = Buffer.from('{"format":"a story"}')

const stream = (bytes: Uint8Array, more = ""): Uint8Array =>
  Buffer.concat([
    Buffer.from(`<< /Type /EmbeddedFile /Length ${bytes.length} ${more} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ])

/** From object 4 on; the tree is the first of them. */
const withFiles = (...objects: readonly (string | Uint8Array)[]) =>
  openPdf(
    bytesSource(
      writeSample([
        "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles 4 0 R >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 100] >>",
        "<< /Type /Page /Parent 2 0 R >>",
        ...objects,
      ]),
    ),
  )

const file = (name: string, object: number) =>
  `<< /Type /Filespec /F (other) /UF ${name} /EF << /F ${object} 0 R /UF ${object} 0 R >> >>`

describe("readEmbeddedFile", () => {
  it("finds a file by its name, in a flat tree and in a deep one, plain and compressed", () => {
    const flat = withFiles("<< /Names [(story.json) 5 0 R] >>", file("(story.json)", 6), stream(STORY))
    expect(readEmbeddedFile(flat, "story.json", 100)).toEqual(new Uint8Array(STORY))
    const deep = withFiles(
      "<< /Kids [5 0 R 6 0 R] >>",
      `<< /Names [(a) ${file("(a)", 8)}] >>`,
      "<< /Kids [7 0 R] >>",
      // In UTF-16, as some write it.
      `<< /Names [(b) ${file(`<feff${Buffer.from("story.json", "utf16le").swap16().toString("hex")}>`, 8)}] >>`,
      stream(deflateSync(STORY), "/Filter /FlateDecode"),
    )
    expect(Buffer.from(readEmbeddedFile(deep, "story.json", 100) ?? [])).toEqual(STORY)
    expect(readEmbeddedFile(deep, "other", 100)).toBeUndefined()
  })

  it("finds nothing where there is none", () => {
    const none = openPdf(
      bytesSource(writeSample(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"])),
    )
    expect(readEmbeddedFile(none, "story.json", 100)).toBeUndefined()
    expect(readEmbeddedFile(withFiles("(no tree)"), "story.json", 100)).toBeUndefined()
  })

  it("gives no more octets than were asked for, whatever they are packed into", () => {
    const bomb = deflateSync(Buffer.alloc(1_000_000))
    const pdf = withFiles(
      `<< /Names [(a) ${file("(a)", 5)} (b) ${file("(b)", 6)}] >>`,
      stream(bomb, "/Filter /FlateDecode"),
      stream(Buffer.alloc(101)),
    )
    for (const name of ["a", "b"]) expect(() => readEmbeddedFile(pdf, name, 100)).toThrow(PdfRefused)
  })

  it("refuses two of one name, and one without content", () => {
    const twice = withFiles(`<< /Names [(a) ${file("(a)", 5)} (b) ${file("(a)", 5)}] >>`, stream(STORY))
    expect(() => readEmbeddedFile(twice, "a", 100)).toThrow("Two embedded files have one name.")
    for (const specification of [
      "<< /UF (a) >>",
      "<< /UF (a) /EF << >> >>",
      "<< /UF (a) /EF << /F 99 0 R >> >>",
    ])
      expect(() => readEmbeddedFile(withFiles(`<< /Names [(a) ${specification}] >>`), "a", 100)).toThrow(
        "An embedded file has no content.",
      )
  })

  it("comes to an end in a tree that leads back to itself, or is too large", () => {
    expect(
      readEmbeddedFile(withFiles("<< /Kids [4 0 R 5 0 R] >>", "<< /Kids [4 0 R] >>"), "a", 100),
    ).toBeUndefined()
    const wide = withFiles(`<< /Kids [${"<< >> ".repeat(2000)}] >>`)
    expect(() => readEmbeddedFile(wide, "a", 100)).toThrow("too large")
  })
})
