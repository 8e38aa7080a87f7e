// Annotations (ISO 32000-2, 12.5) that change with the pointer. Differences between screen and print are found by rendering
// both (gateways/src/pdf), because a flag alone draws nothing.

import type { Pdf } from "../structure/document.ts"
import { entry, isArray, isDict, isRef, type PdfDict } from "../syntax/value.ts"
import type { Findings } from "./finding.ts"
import { readDict, readEntry, readInteger, readItems, readName, readValue } from "./read-value.ts"

/** 12.5.3, table 167. */
export const ANNOTATION_FLAGS = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 } as const

/** Not drawn by PDFium without an appearance, while other readers draw them from their other entries. */
export const DRAWN_ELSEWHERE = new Set([
  "Line",
  "PolyLine",
  "Polygon",
  "Stamp",
  "Caret",
  "FreeText",
  "Redact",
])
/** Drawn by PDFium too, so that both media are compared. */
const DRAWN_BY_ALL = new Set(["Circle", "Highlight", "Ink", "Square", "Squiggly", "StrikeOut", "Underline"])
/** 12.5.4: a wider border covers words. */
const MAX_BORDER_POINTS = 3

export function checkAnnotation(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  if (!dict.entries.has("Rect")) return
  const flags = readInteger(pdf, dict, "F")
  if ((flags & ANNOTATION_FLAGS.hidden) !== 0) return
  const subtype = readName(pdf, dict, "Subtype") ?? "unknown"
  const appearances = readDict(pdf, dict, "AP")
  if (appearances === undefined || !hasNormal(pdf, appearances)) checkUndrawn(pdf, findings, object, dict)
  if (appearances === undefined || !hasArea(pdf, dict)) return
  if ((flags & ANNOTATION_FLAGS.toggleNoView) !== 0)
    findings.report(
      "annotation-visibility",
      object,
      `A ${subtype} annotation appears or disappears under the pointer (ToggleNoView)`,
    )
  if ((flags & ANNOTATION_FLAGS.invisible) !== 0)
    findings.report(
      "annotation-visibility",
      object,
      `A ${subtype} annotation is shown by some readers and hidden by others (Invisible)`,
    )
  if (!isBox(pdf, dict) && changesUnderPointer(appearances))
    findings.report(
      "annotation-appearance",
      object,
      `A ${subtype} annotation has another appearance under the pointer or when clicked (/AP /R or /D)`,
    )
}

function checkUndrawn(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  const subtype = readName(pdf, dict, "Subtype") ?? "unknown"
  if (DRAWN_ELSEWHERE.has(subtype))
    findings.report(
      "annotation-appearance",
      object,
      `A ${subtype} annotation has no appearance, so that only some readers draw it`,
    )
  else if (!DRAWN_BY_ALL.has(subtype) && borderWidth(pdf, dict) > MAX_BORDER_POINTS)
    findings.report(
      "annotation-appearance",
      object,
      `A ${subtype} annotation has a border of more than ${MAX_BORDER_POINTS} points that only some readers draw`,
    )
}

/** An empty dictionary of states is no appearance. */
function hasNormal(pdf: Pdf, appearances: PdfDict): boolean {
  const normal = readEntry(pdf, appearances, "N")
  return isDict(normal) && normal.entries.size > 0
}

function borderWidth(pdf: Pdf, dict: PdfDict): number {
  const style = readDict(pdf, dict, "BS")
  const widths = [
    style && readEntry(pdf, style, "W"),
    readValue(pdf, readItems(pdf, dict, "Border")[2] ?? null),
  ]
  return Math.max(0, ...widths.filter((width) => typeof width === "number"))
}

/** 12.5.2: an annotation without an area shows nothing. */
export function hasArea(pdf: Pdf, annotation: PdfDict): boolean {
  const rect = readEntry(pdf, annotation, "Rect")
  if (!isArray(rect)) return false
  const [x1, y1, x2, y2] = rect.items.map((item) => readValue(pdf, item))
  return x1 !== x2 && y1 !== y2
}

/** 12.5.5: where /R or /D is missing, or is the same object, the normal appearance is used. */
function changesUnderPointer(appearances: PdfDict): boolean {
  const normal = entry(appearances, "N")
  return ["R", "D"].some((key) => {
    const other = entry(appearances, key)
    if (other === null) return false
    return !(isRef(other) && isRef(normal) && other.number === normal.number)
  })
}

/** A pressed box looks pressed; its value is compared with its state (form-values.ts). A push button could show any words. */
function isBox(pdf: Pdf, widget: PdfDict): boolean {
  if (readName(pdf, widget, "Subtype") !== "Widget") return false
  const lineage = lineageOf(pdf, widget)
  const type = lineage.find((dict) => dict.entries.has("FT"))
  const flags = lineage.find((dict) => dict.entries.has("Ff"))
  const isPushButton = flags !== undefined && (readInteger(pdf, flags, "Ff") & PUSH_BUTTON) !== 0
  return type !== undefined && readName(pdf, type, "FT") === "Btn" && !isPushButton
}

/** 12.7.5.2. */
export const PUSH_BUTTON = 1 << 16

/** A field and its ancestors, as its own entries name them (12.7.4.1). */
export function lineageOf(pdf: Pdf, field: PdfDict): readonly PdfDict[] {
  const lineage: PdfDict[] = []
  for (let at: PdfDict | undefined = field; at !== undefined; at = readDict(pdf, at, "Parent")) {
    lineage.push(at)
    if (lineage.length > MAX_PARENTS) break
  }
  return lineage
}

const MAX_PARENTS = 20
