// Draws the annotations that print shows into the content of their page (ISO 32000-2, 12.5.5). Links without an appearance and
// empty signature fields stay what they are; all other annotations end.

import { writeStream } from "../appearance/font-objects.ts"
import { type Drawing, drawBehind, freeName } from "../appearance/page-content.ts"
import { ANNOTATION_FLAGS } from "../conditional/annotations.ts"
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
import { type Pdf, readNumber } from "../structure/document.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfRef, type PdfValue } from "../syntax/value.ts"
import { amend, create, type Edits } from "../write/edits.ts"
import { latin1, writeNumber, writeNumbers, writeRef } from "../write/syntax.ts"

type Box = readonly [number, number, number, number]
type Drawn = { readonly ref: PdfRef; readonly matrix: readonly number[] }

/** `layers` says which layers print shows; `changed` takes a sentence for the sender. */
export function drawAnnotations(
  edits: Edits,
  layers: ReadonlyMap<number, boolean>,
  changed: (sentence: string) => void,
): void {
  const { pdf } = edits
  const all = [...pages(pdf)]
  const name = freeName(pdf, all, "Flattened")
  for (const [index, page] of all.entries()) {
    const [dict] = page.lineage
    if (dict === undefined || page.ref === undefined) continue
    const annotations = readItems(pdf, dict, "Annots")
    const kept = annotations.filter((item) => staysInteractive(pdf, item))
    if (kept.length === annotations.length) continue
    const others = annotations.filter((item) => !kept.includes(item))
    const drawn = others.flatMap((item) => drawnAs(pdf, item, layers, index, changed) ?? [])
    if (drawn.length > 0) drawBehind(edits, [page], overlayOf(edits, page, name, drawn))
    const refs = kept.filter(isRef).map(writeRef)
    amend(edits, { ref: page.ref, dict }, { Annots: `[${refs.join(" ")}]` })
  }
}

/** A direct dictionary cannot be listed again without its bytes, so it ends, as few writers make them. */
function staysInteractive(pdf: Pdf, item: PdfValue): boolean {
  const dict = readValue(pdf, item)
  if (!isRef(item) || !isDict(dict)) return false
  const subtype = readName(pdf, dict, "Subtype")
  if (subtype === "Link") return !dict.entries.has("AP")
  return subtype === "Widget" && fieldValue(pdf, dict, "FT") === "Sig"
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

function drawnAs(
  pdf: Pdf,
  item: PdfValue,
  layers: ReadonlyMap<number, boolean>,
  index: number,
  changed: (sentence: string) => void,
): Drawn | undefined {
  const dict = readValue(pdf, item)
  if (!isDict(dict)) return undefined
  const what = nameOf(pdf, dict)
  const where = `on page ${index + 1}`
  const flags = readInteger(pdf, dict, "F")
  const isPrinted = (flags & ANNOTATION_FLAGS.print) !== 0 && (flags & ANNOTATION_FLAGS.hidden) === 0
  const drawn = isPrinted && isInPrintedLayer(dict, layers) ? appearanceOf(pdf, dict) : undefined
  if (drawn === undefined) {
    changed(`${what} ${where} was removed: print does not show it.`)
    return undefined
  }
  const value = readName(pdf, dict, "Subtype") === "Widget" ? fieldValue(pdf, dict, "V") : undefined
  const stored = value === undefined ? "" : ` Its stored value ${quoted(value)} was removed.`
  changed(`${what} ${where} is now part of the page, as it is printed.${stored}`)
  return drawn
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
  const keys = `/Type /XObject /Subtype /Form /BBox ${writeNumbers(media)} /Resources << /XObject << ${resources} >> >>`
  const ref = create(edits, writeStream(keys, latin1(content)))
  return { name, ref, matrix: () => [1, 0, 0, 1, 0, 0], group: false }
}
