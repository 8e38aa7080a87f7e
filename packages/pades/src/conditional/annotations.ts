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
  const unlike = whatDiffers(pdf, dict, subtype, appearances)
  if (unlike !== undefined)
    findings.report("annotation-appearance", object, `${aOrAn(subtype)} annotation ${unlike}`)
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

/** Readers choose in different ways between an appearance, a drawing of their own, and nothing. */
function whatDiffers(
  pdf: Pdf,
  dict: PdfDict,
  subtype: string,
  appearances: PdfDict | undefined,
): string | undefined {
  const rect = readItems(pdf, dict, "Rect").map((side) => readValue(pdf, side))
  if (rect.length !== 4 || !rect.every((side) => typeof side === "number"))
    return "has a malformed rectangle (/Rect)"
  const normal = appearances === undefined ? null : readEntry(pdf, appearances, "N")
  const isDrawnWithout = DRAWN_BY_ALL.has(subtype) || DRAWN_ELSEWHERE.has(subtype)
  if (isDrawnWithout && !hasArea(pdf, dict))
    return "has a rectangle without an area, so that only some readers draw it"
  if (!isDict(normal)) {
    if (appearances !== undefined && isDrawnWithout)
      return "has no normal appearance, so that only some readers draw it"
    return MARKUP.has(subtype) ? howMarkupDiffers(pdf, dict) : undefined
  }
  if (!hasArea(pdf, dict)) return undefined
  if (UNDRAWN.has(subtype)) return "has an appearance, which only some readers draw"
  const required = REQUIRED.get(subtype)
  if (required !== undefined && readEntry(pdf, dict, required) === null)
    return `has no /${required}, so that only some readers draw it`
  return howAppearanceDiffers(pdf, dict, normal)
}

/** 12.5.6.5, 12.5.6.14: they show nothing of their own in the page. */
const UNDRAWN = new Set(["Link", "Popup"])
/** 12.5.6.10. */
const MARKUP = new Set(["Highlight", "Underline", "Squiggly", "StrikeOut"])
/** Entries without which some readers take an annotation for damaged, also where it has an appearance. */
const REQUIRED: ReadonlyMap<string, string> = new Map([
  ...[...MARKUP].map((subtype) => [subtype, "QuadPoints"] as const),
  ["Polygon", "Vertices"],
  ["PolyLine", "Vertices"],
])

/** Readers choose a colour of their own, and order the corners in their own way. */
function howMarkupDiffers(pdf: Pdf, dict: PdfDict): string | undefined {
  if (readItems(pdf, dict, "C").length === 0) return "has neither an appearance nor a colour (/C)"
  const points = readItems(pdf, dict, "QuadPoints")
  return points.length === 0 || points.length % 8 !== 0
    ? "has neither an appearance nor whole /QuadPoints"
    : undefined
}

function howAppearanceDiffers(pdf: Pdf, dict: PdfDict, normal: PdfDict): string | undefined {
  if (!isStreamDict(normal)) {
    if (isBox(pdf, dict)) return undefined
    const state = readEntry(pdf, dict, "AS")
    const name = typeof state === "object" && state?.type === "name" ? state.name : undefined
    if (name === undefined || readEntry(pdf, normal, name) === null)
      return "names no state of its appearance (/AS), so that readers choose one"
    return undefined
  }
  // Table 93.
  const area = readItems(pdf, normal, "BBox").map((side) => readValue(pdf, side))
  if (area.length !== 4 || !area.every((side) => typeof side === "number"))
    return "has an appearance without a bounding box (/BBox)"
  return undefined
}

/** 7.3.8.2: every stream has a length. A state may have that name, but no program writes it. */
const isStreamDict = (dict: PdfDict): boolean => dict.entries.has("Length")

const aOrAn = (subtype: string): string => `${/^[AEIOU]/.test(subtype) ? "An" : "A"} ${subtype}`

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
