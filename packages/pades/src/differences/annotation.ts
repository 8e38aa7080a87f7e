// Comments (ISO 32000-2, 12.5.6). Nobody may add, change or remove them after a signature, unless a certification says
// so (table 257, P 3); and then only those that show something and do nothing.

import { DRAWN_ELSEWHERE } from "../conditional/annotations.ts"
import { entry, isDict, type PdfDict } from "../syntax/value.ts"
import { compareAppearance, hasFlagsOf, readAppearance } from "./appearance.ts"
import { hasSoundRect, rectOf } from "./field.ts"
import { nameIn } from "./fields.ts"
import type { PageEntry } from "./page-tree.ts"
import {
  claim,
  type DictPlace,
  draw,
  find,
  isDictPlace,
  keysThatDiffer,
  type Place,
  type Step,
} from "./step.ts"
import { type Stored, type View, valueIn } from "./view.ts"

const COMMENTS = new Set(
  "Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup".split(
    " ",
  ),
)

// What acts, plays, is attached or is shown now and then.
const REFUSED = [
  "A",
  "AA",
  "PA",
  "FS",
  "OC",
  "AF",
  "FT",
  "JS",
  "Sound",
  "Movie",
  "RichMediaContent",
  "3DD",
  "Dest",
]

// 12.5.3, table 167: Hidden, Print, NoZoom, NoRotate, ReadOnly, Locked, LockedContents. The others show a comment on paper
// alone, under the pointer, or in some readers.
const COMMENT_FLAGS = 2 | 4 | 8 | 16 | 64 | 128 | 512

/** Whether it is a comment that does nothing, and of which all readers show what the pictures of the page show. */
function isComment({ view, value: dict }: DictPlace): boolean {
  return (
    hasSoundRect(view, dict) &&
    COMMENTS.has(nameIn(view, dict, "Subtype") ?? "") &&
    hasOwner(view, dict) &&
    hasFlagsOf(view, dict, COMMENT_FLAGS) &&
    isDrawnAlike(view, dict) &&
    REFUSED.every((key) => entry(dict, key) === null)
  )
}

/**
 * 12.5.5: readers draw a line, a polygon or a stamp without an appearance from its other entries. PDFium, which makes
 * the pictures, does not, so they could not show what is new, changed or gone.
 */
function isDrawnAlike(view: View, dict: PdfDict): boolean {
  const appearance = readAppearance(view, dict)
  return appearance === "none"
    ? !DRAWN_ELSEWHERE.has(nameIn(view, dict, "Subtype") ?? "")
    : appearance === "one"
}

/** 12.5.6.14: a pop-up is the window of a comment; one of its own is a text that only some readers show. */
function hasOwner(view: View, dict: PdfDict): boolean {
  if (nameIn(view, dict, "Subtype") !== "Popup") return true
  const parent = valueIn(view, entry(dict, "Parent"))
  const type = isDict(parent) ? nameIn(view, parent, "Subtype") : undefined
  return type !== undefined && type !== "Popup" && COMMENTS.has(type)
}

export function judgeNewAnnotation(step: Step, page: number, place: Place): void {
  // Somebody refers to nothing.
  if (place.value === null) return
  const isNew = step.changed.get(place.home)?.before === undefined && step.changed.has(place.home)
  if (!isDictPlace(place) || place.isStream || !isNew || !isComment(place)) {
    find(step, place.path, "annotation", "never", { page })
    return
  }
  const { fault } = compareAppearance(step, undefined, place)
  if (fault !== undefined) {
    find(step, fault, "annotation", "never", { page })
    return
  }
  find(step, place.path, "annotation", "annotating", { page })
  draw(step, page, rectOf(step.after, place.value), "annotation")
}

export function judgeRemovedAnnotation(step: Step, page: number, place: Place): void {
  if (place.value === null) return
  const isAllowed = isDictPlace(place) && isComment(place)
  find(step, place.path, "annotation", isAllowed ? "annotating" : "never", { page })
  if (isDictPlace(place)) draw(step, page, rectOf(step.before, place.value), "annotation")
}

/** An annotation that a page listed before and that is no field. */
export function judgeAnnotation(step: Step, page: PageEntry, number: number, old: Stored, now: Stored): void {
  const path = `${page.path}/Annots`
  const [before, after] = [placeOf(step.before, number, old, path), placeOf(step.after, number, now, path)]
  for (const source of [page.number, page.annotsNumber ?? page.number]) {
    claim(step, number, source, "Annots")
    claim(step, number, source, "[]")
  }
  step.comments.add(number)
  const more = { page: page.index }
  if (before === undefined || after === undefined) {
    find(step, path, "annotation", "never", more)
    return
  }
  const { fault } = compareAppearance(step, before, after)
  const isAllowed =
    fault === undefined &&
    isComment(before) &&
    isComment(after) &&
    !keysThatDiffer(before, after).includes("Subtype")
  find(step, path, "annotation", isAllowed ? "annotating" : "never", more)
  draw(step, page.index, rectOf(step.before, before.value), "annotation")
  draw(step, page.index, rectOf(step.after, after.value), "annotation")
}

function placeOf(view: View, number: number, stored: Stored, path: string): DictPlace | undefined {
  const { value, streamAt } = stored
  if (!isDict(value) || streamAt !== undefined) return undefined
  return { view, value, home: number, key: "", path, isStream: false }
}
