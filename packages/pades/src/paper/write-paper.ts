// The pages of a paper as a PDF: fonts with the letters that are shown, pictures, marked content, structure, metadata.

import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"
import { SRGB } from "../appearance/appearance-objects.ts"
import { type EmbeddedFont, embedFont } from "../appearance/embed-font.ts"
import { boldFont } from "../appearance/font.ts"
import { fontObjects, writeStream } from "../appearance/font-objects.ts"
import { shape, widthOf } from "../appearance/text.ts"
import { latin1, writeDate, writeNumber, writeTextString } from "../write/syntax.ts"
import { attached, attachmentObjects } from "./attachment.ts"
import type { Paper } from "./block.ts"
import { type Desk, GREY, type Item, LEFT, PAGE, WIDTH } from "./desk.ts"
import { xmp } from "./metadata.ts"
import type { PngImage } from "./png-image.ts"
import { fill } from "./signs.ts"
import { type Tag, tagObjects } from "./tags.ts"

type Fonts = { readonly text: EmbeddedFont; readonly bold: EmbeddedFont }

// The catalog, the pages, the metadata, the information dictionary, the colours; then fonts of six objects each.
const CATALOG = 1
const PAGES = 2
const METADATA = 3
const INFORMATION = 4
const COLOUR = 5
const GREY_SCALE = 6
const TEXT_FONT = 7
const BOLD_FONT = 13
// PDF/A-2, 6.2.2: every page names its resources itself.
const RESOURCES = 19
const FIRST_FREE = 20

export function writePages(paper: Paper, { pages, root }: Desk): Uint8Array {
  const all = pages.map((items, page) => [...items, ...footer(paper, page + 1, pages.length)])
  const images = [...new Set(all.flat().flatMap((item) => (item.kind === "image" ? [item.image] : [])))]
  const numbers = new Map(images.map((image, i) => [image, FIRST_FREE + i]))
  const fonts = embed(all.flat())
  const firstPage = FIRST_FREE + images.length
  const pageRefs = all.map((_, page) => `${firstPage + 2 * page} 0 R`)
  const firstTag = firstPage + 2 * all.length
  const contents = all.map((items, page) => contentOf(items, page, fonts, numbers))
  const { attachment } = paper
  const tags = tagObjects(root, firstTag, pageRefs)
  const fileAt = firstTag + tags.length
  const objects: (string | Uint8Array)[] = [
    `<< /Type /Catalog /Pages ${PAGES} 0 R /Metadata ${METADATA} 0 R /Lang ${writeTextString(paper.language)} /MarkInfo << /Marked true >>${attachment === undefined ? "" : attached(attachment, fileAt)} /StructTreeRoot ${firstTag} 0 R /ViewerPreferences << /DisplayDocTitle true >> >>`,
    `<< /Type /Pages /Kids [${pageRefs.join(" ")}] /Count ${all.length} /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] >>`,
    writeStream(
      "/Type /Metadata /Subtype /XML",
      Buffer.from(xmp(paper, attachment === undefined ? 2 : 3), "utf8"),
    ),
    `<< /Title ${writeTextString(paper.title)} /CreationDate ${writeDate(paper.madeAt)} /ModDate ${writeDate(paper.madeAt)} /Producer ${writeTextString(paper.producer)} >>`,
    SRGB,
    "[/CalGray << /WhitePoint [0.9505 1 1.089] /Gamma 2.2 >>]",
    ...fontObjects(fonts.text.parts, TEXT_FONT).map(({ body }) => body),
    ...fontObjects(fonts.bold.parts, BOLD_FONT).map(({ body }) => body),
    resources(numbers),
    ...images.map(imageObject),
    ...contents.flatMap((content, page) => pageObjects(content, page, firstPage)),
    ...tags,
    ...(attachment === undefined ? [] : attachmentObjects(attachment, fileAt, paper.madeAt)),
  ]
  return writeFile(objects)
}

function footer({ footer: said }: Paper, page: number, pages: number): readonly Item[] {
  const size = 8
  const [left, right] = said(page, pages).map((text) => shape(text))
  if (left === undefined || right === undefined) return []
  const look = { kind: "text", tag: undefined, y: 40, size, isBold: false, colour: GREY } as const
  return [
    { ...look, x: LEFT, letters: left },
    { ...look, x: LEFT + WIDTH - widthOf(right) * size, letters: right },
  ]
}

function embed(items: readonly Item[]): Fonts {
  const letters = (isBold: boolean) =>
    items.flatMap((item) => (item.kind === "text" && item.isBold === isBold ? item.letters : []))
  return { text: embedFont(letters(false)), bold: embedFont(letters(true), boldFont()) }
}

function resources(images: ReadonlyMap<PngImage, number>): string {
  const pictures = [...images.values()].map((number) => `/I${number} ${number} 0 R`)
  return `<< /ColorSpace << /Colour ${COLOUR} 0 R >> /Font << /Text ${TEXT_FONT} 0 R /Bold ${BOLD_FONT} 0 R >> /XObject << ${pictures.join(" ")} >> >>`
}

function imageObject({ width, height, colours, data }: PngImage): Uint8Array {
  const space = colours === 1 ? GREY_SCALE : COLOUR
  const parameters = `/DecodeParms << /Predictor 15 /Colors ${colours} /BitsPerComponent 8 /Columns ${width} >>`
  const keys = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${space} 0 R /BitsPerComponent 8 /Filter /FlateDecode ${parameters}`
  return writeStream(keys, data)
}

function pageObjects(content: string, page: number, first: number): readonly (string | Uint8Array)[] {
  const number = first + 2 * page
  return [
    `<< /Type /Page /Parent ${PAGES} 0 R /Resources ${RESOURCES} 0 R /Contents ${number + 1} 0 R /StructParents ${page} /Tabs /S >>`,
    writeStream("/Filter /FlateDecode", deflateSync(latin1(content), { level: 9 })),
  ]
}

/** Neighbours that belong to the same part are marked as one piece of it. */
function contentOf(
  items: readonly Item[],
  page: number,
  fonts: Fonts,
  images: ReadonlyMap<PngImage, number>,
): string {
  const parts: string[] = []
  let open: Tag | "decoration" | undefined
  let mark = 0
  for (const item of items) {
    const tag = item.kind === "drawing" ? undefined : item.tag
    if (open !== (tag ?? "decoration")) {
      if (open !== undefined) parts.push("EMC")
      open = tag ?? "decoration"
      parts.push(tag === undefined ? "/Artifact BMC" : `/${tag.role} << /MCID ${mark} >> BDC`)
      if (tag !== undefined) {
        tag.kids.push({ page, mark })
        mark += 1
      }
    }
    parts.push(drawn(item, fonts, images))
  }
  if (open !== undefined) parts.push("EMC")
  return parts.join("\n")
}

function drawn(item: Item, fonts: Fonts, images: ReadonlyMap<PngImage, number>): string {
  if (item.kind === "drawing") return `q ${item.content} Q`
  const at = (...values: readonly number[]) => values.map(writeNumber).join(" ")
  if (item.kind === "image")
    return `q ${at(item.width, 0, 0, item.height, item.x, item.y)} cm /I${images.get(item.image)} Do Q`
  const { letters, isBold, size, x, y, colour } = item
  const encoded = (isBold ? fonts.bold : fonts.text).encode(letters)
  return `BT ${fill(colour)} /${isBold ? "Bold" : "Text"} ${at(size)} Tf ${at(1, 0, 0, 1, x, y)} Tm ${encoded} Tj ET`
}

function writeFile(objects: readonly (string | Uint8Array)[]): Uint8Array {
  const head = latin1("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
  const parts: Uint8Array[] = [head]
  const offsets: number[] = []
  let length = head.length
  for (const [i, body] of objects.entries()) {
    const object = Buffer.concat([
      latin1(`${i + 1} 0 obj\n`),
      typeof body === "string" ? latin1(body) : body,
      latin1("\nendobj\n"),
    ])
    offsets.push(length)
    parts.push(object)
    length += object.length
  }
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  const id = `<${hash.digest("hex").slice(0, 32)}>`
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const trailer = `<< /Size ${objects.length + 1} /Root ${CATALOG} 0 R /Info ${INFORMATION} 0 R /ID [${id} ${id}] >>`
  parts.push(
    latin1(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}
