// Draws the annotations that print shows into the content of their page (ISO 32000-2, 12.5.5). Links and empty signature fields
// stay what they are; all other annotations end.

import { writeStream } from "../appearance/font-objects.ts"
import { type Drawing, drawBehind, freeName } from "../appearance/page-content.ts"
import { ANNOTATION_FLAGS, hasArea } from "../conditional/annotations.ts"
import { quoted } from "../conditional/finding.ts"
import {
  readDict,
  readEntry,
  readInteger,
  readItems,
  readName,
  readText,
  readValue,
} from "../conditional/read-value.ts"
import { box, inherited, type Page, pages } from "../content/page.ts"
import { PdfRefused } from "../refused.ts"
import { type Pdf, readNumber } from "../structure/document.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfRef, type PdfValue } from "../syntax/value.ts"
import { amend, create, type Edits } from "../write/edits.ts"
import { amendDict, latin1, writeNumber, writeNumbers, writeRef } from "../write/syntax.ts"

type Box = readonly [number, number, number, number]
type Drawn = { readonly ref: PdfRef; readonly matrix: readonly number[] }

export type Overlaying = {
  /** Which layers print shows. */
  readonly layers: ReadonlyMap<number, boolean>
  /** Takes the annotations that end. */
  readonly ended: Set<number>
  /** Takes a sentence for the sender. */
  readonly changed: (sentence: string) => void
}

export function drawAnnotations(edits: Edits, overlaying: Overlaying): void {
  const { pdf } = edits
  const all = [...pages(pdf)]
  const name = freeName(pdf, all, "Flattened")
  for (const [index, page] of all.entries()) {
    const [dict] = page.lineage
    if (dict === undefined || page.ref === undefined) continue
    const annotations = readItems(pdf, dict, "Annots")
    if (annotations.every((item) => isRef(item) && staysInteractive(pdf, item) && !isDrawnLink(pdf, item)))
      continue
    const kept = new Set(annotations.filter((item) => staysInteractive(pdf, item)))
    const drawn = annotations.flatMap((item) =>
      kept.has(item) && !isDrawnLink(pdf, item)
        ? []
        : (drawnAs(pdf, item, { ...overlaying, page, index }) ?? []),
    )
    for (const item of annotations) if (isRef(item) && !kept.has(item)) overlaying.ended.add(item.number)
    if (drawn.length > 0) drawBehind(edits, [page], overlayOf(edits, page, name, drawn))
    const refs = [...kept].map((item) => keptAnnotation(edits, item))
    amend(edits, { ref: page.ref, dict }, { Annots: `[${refs.join(" ")}]` })
  }
}

function staysInteractive(pdf: Pdf, item: PdfValue): boolean {
  const dict = readValue(pdf, item)
  if (!isDict(dict)) return false
  const subtype = readName(pdf, dict, "Subtype")
  if (subtype === "Link") return true
  return isRef(item) && subtype === "Widget" && fieldValue(pdf, dict, "FT") === "Sig"
}

/** A link stays a link, and its appearance becomes part of the page. */
function isDrawnLink(pdf: Pdf, item: PdfValue): boolean {
  const dict = readValue(pdf, item)
  return isDict(dict) && readName(pdf, dict, "Subtype") === "Link" && dict.entries.has("AP")
}

/** A direct dictionary becomes an object of its own. Without its appearance, a link would have a border (12.5.6.5). */
function keptAnnotation(edits: Edits, item: PdfValue): string {
  const dict = readValue(edits.pdf, item)
  if (!isDict(dict)) return "null"
  const changes = isDrawnLink(edits.pdf, item)
    ? { AP: "null", AS: "null", BS: "null", Border: "[0 0 0]" }
    : {}
  if (!isRef(item)) return create(edits, amendDict(dict, changes))
  if (Object.keys(changes).length > 0) amend(edits, { ref: item, dict }, changes)
  return writeRef(item)
}

/** 12.7.4.1: from the widget, or from its parents. */
function fieldValue(pdf: Pdf, widget: PdfDict, key: "FT" | "T" | "V"): string | undefined {
  let dict: PdfDict | undefined = widget
  for (let depth = 0; dict !== undefined && depth < 10; depth++) {
    const value = readName(pdf, dict, key) ?? readText(pdf, dict, key)
    if (value !== undefined) return value
    dict = readDict(pdf, dict, "Parent")
  }
  return undefined
}

type DrawnOn = Overlaying & { readonly page: Page; readonly index: number }

function drawnAs(pdf: Pdf, item: PdfValue, { layers, changed, page, index }: DrawnOn): Drawn | undefined {
  const dict = readValue(pdf, item)
  if (!isDict(dict)) return undefined
  const what = `${nameOf(pdf, dict)} on page ${index + 1}`
  const flags = readInteger(pdf, dict, "F")
  const isPrinted =
    (flags & ANNOTATION_FLAGS.print) !== 0 &&
    (flags & ANNOTATION_FLAGS.hidden) === 0 &&
    isInPrintedLayer(dict, layers)
  const drawn = isPrinted ? appearanceOf(pdf, dict) : undefined
  const isLink = readName(pdf, dict, "Subtype") === "Link"
  if (drawn === undefined) {
    if (isLink) changed(`${what} lost its appearance, which print does not show. It is still a link.`)
    else if (!isPrinted || !hasArea(pdf, dict)) changed(`${what} was removed: print does not show it.`)
    else changed(`${what} was removed: it has no appearance that every reader draws alike.`)
    return undefined
  }
  // 12.5.3: it would stay upright where a reader turns the page. PDFium does not know this flag.
  if ((flags & NO_ROTATE) !== 0 && isTurned(pdf, page))
    throw new PdfRefused("too-complex", `${what} stays upright on a page that is turned (NoRotate).`)
  const value = readName(pdf, dict, "Subtype") === "Widget" ? fieldValue(pdf, dict, "V") : undefined
  const stored = value === undefined ? "" : ` Its stored value ${quoted(value)} was removed.`
  const kept = isLink ? " It is still a link." : ""
  changed(`${what} is now part of the page, as it is printed.${stored}${kept}`)
  return drawn
}

const NO_ROTATE = 16

function isTurned(pdf: Pdf, page: Page): boolean {
  const degrees = inherited(pdf, page, "Rotate")
  return typeof degrees === "number" && degrees % 360 !== 0
}

function nameOf(pdf: Pdf, dict: PdfDict): string {
  const field = readName(pdf, dict, "Subtype") === "Widget" ? fieldValue(pdf, dict, "T") : undefined
  return field === undefined
    ? `The ${quoted(readName(pdf, dict, "Subtype") ?? "unknown")} annotation`
    : `The form field ${quoted(field)}`
}

function isInPrintedLayer(dict: PdfDict, layers: ReadonlyMap<number, boolean>): boolean {
  const layer = entry(dict, "OC")
  return !isRef(layer) || layers.get(layer.number) !== false
}

/** The normal appearance, or that of the current state, and the matrix A of 12.5.5 that puts its box into the rectangle. */
function appearanceOf(pdf: Pdf, dict: PdfDict): Drawn | undefined {
  const appearances = readDict(pdf, dict, "AP")
  const normal = appearances && entry(appearances, "N")
  if (normal === undefined) return undefined
  const ref = isForm(pdf, normal) ? normal : stateOf(pdf, dict, normal)
  const form = isRef(ref) ? readValue(pdf, ref) : null
  const rect = box(pdf, readEntry(pdf, dict, "Rect"))
  if (!isRef(ref) || !isDict(form) || rect === undefined) return undefined
  const bounds = transformed(box(pdf, readEntry(pdf, form, "BBox")) ?? rect, matrixOf(pdf, form))
  const [width, height] = [bounds[2] - bounds[0], bounds[3] - bounds[1]]
  if (width === 0 || height === 0) return undefined
  const [sx, sy] = [(rect[2] - rect[0]) / width, (rect[3] - rect[1]) / height]
  return { ref, matrix: [sx, 0, 0, sy, rect[0] - bounds[0] * sx, rect[1] - bounds[1] * sy] }
}

function isForm(pdf: Pdf, value: PdfValue): boolean {
  return isRef(value) && readNumber(pdf, value.number)?.streamAt !== undefined
}

function stateOf(pdf: Pdf, dict: PdfDict, normal: PdfValue): PdfValue {
  const states = readValue(pdf, normal)
  const state = readName(pdf, dict, "AS") ?? "Off"
  return isDict(states) ? entry(states, state) : null
}

function matrixOf(pdf: Pdf, form: PdfDict): readonly number[] {
  const value = readEntry(pdf, form, "Matrix")
  const numbers = isArray(value) ? value.items.map((item) => readValue(pdf, item)) : []
  const isMatrix = numbers.length === 6 && numbers.every((number) => typeof number === "number")
  return isMatrix ? (numbers as number[]) : [1, 0, 0, 1, 0, 0]
}

function transformed(
  [x1, y1, x2, y2]: Box,
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[],
): Box {
  const corners = [
    [x1, y1],
    [x2, y1],
    [x1, y2],
    [x2, y2],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const)
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** One form XObject for each page, which paints the appearances in the order of the annotations. */
function overlayOf(edits: Edits, page: Page, name: string, drawn: readonly Drawn[]): Drawing {
  const media = box(edits.pdf, inherited(edits.pdf, page, "MediaBox")) ?? [0, 0, 14_400, 14_400]
  const resources = drawn.map(({ ref }, i) => `/A${i} ${writeRef(ref)}`).join(" ")
  const content = drawn
    .map(({ matrix }, i) => `q ${matrix.map(writeNumber).join(" ")} cm /A${i} Do Q`)
    .join("\n")
  // 14.8.2.2: in a tagged document, what has no tag is an artifact.
  const marked = edits.pdf.catalog.entries.has("StructTreeRoot") ? `/Artifact BMC\n${content}\nEMC` : content
  const keys = `/Type /XObject /Subtype /Form /BBox ${writeNumbers(media)} /Resources << /XObject << ${resources} >> >>`
  const ref = create(edits, writeStream(keys, latin1(marked)))
  return { name, ref, matrix: () => [1, 0, 0, 1, 0, 0], group: false }
}
