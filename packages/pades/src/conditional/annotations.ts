// Annotations (ISO 32000-2, 12.5) that change with the pointer. Differences between screen and print are found by rendering
// both (gateways/src/pdf), because a flag alone draws nothing.

import type { Pdf } from "../structure/document.ts"
import { entry, isArray, isRef, type PdfDict } from "../syntax/value.ts"
import type { Findings } from "./finding.ts"
import { readDict, readEntry, readInteger, readName, readValue } from "./read-value.ts"

/** 12.5.3, table 167. */
export const ANNOTATION_FLAGS = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 } as const

export function checkAnnotation(pdf: Pdf, findings: Findings, object: number, dict: PdfDict): void {
  if (!dict.entries.has("Rect") || !dict.entries.has("AP") || !hasArea(pdf, dict)) return
  const appearances = readDict(pdf, dict, "AP")
  if (appearances === undefined) return
  const flags = readInteger(pdf, dict, "F")
  if ((flags & ANNOTATION_FLAGS.hidden) !== 0) return
  const subtype = readName(pdf, dict, "Subtype") ?? "unknown"
  if ((flags & ANNOTATION_FLAGS.toggleNoView) !== 0)
    findings.report(
      "annotation-visibility",
      object,
      `A ${subtype} annotation appears or disappears under the pointer (ToggleNoView)`,
    )
  if (!isButton(pdf, dict) && changesUnderPointer(appearances))
    findings.report(
      "annotation-appearance",
      object,
      `A ${subtype} annotation has another appearance under the pointer or when clicked (/AP /R or /D)`,
    )
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

/** A pressed button looks pressed; its value is compared with its state (form-values.ts). */
function isButton(pdf: Pdf, widget: PdfDict): boolean {
  const parent = readDict(pdf, widget, "Parent")
  const type = readName(pdf, widget, "FT") ?? (parent && readName(pdf, parent, "FT"))
  return readName(pdf, widget, "Subtype") === "Widget" && type === "Btn"
}
