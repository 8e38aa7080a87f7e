// A field that was there before: an empty signature field may be signed, any other field may get another value. A
// signature that was made is never touched again.

import { box } from "../content/page.ts"
import type { Box } from "../content/page-frame.ts"
import { PdfRefused } from "../refused.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { compareAppearance, hiddenAppearance } from "./appearance.ts"
import { type Field, type FormTree, seenIn } from "./fields.ts"
import type { Finding } from "./finding.ts"
import { isSame } from "./same.ts"
import { contradicts, textShown } from "./shown-value.ts"
import { judgeSignatureValue } from "./signature-value.ts"
import { find, keysThatDiffer, type Step, under } from "./step.ts"
import { type View, valueIn } from "./view.ts"
import { wasEmpty } from "./was-empty.ts"

const WHEN_SIGNED = new Set(["V", "AP", "F", "MK", "DA", "Type", "P", "Q", "StructParent"])
const WHEN_FILLED = new Set(["V", "AP", "AS", "I", "RV", "TI", "Ff", "DA"])
/** How the value is drawn: no reason to do so without another value. */
const OF_DRAWING = new Set(["AP", "AS", "DA", "RV"])

/** 12.7.5.2.1: a button that keeps no value; what it shows is a picture of the author's. */
const PUSH_BUTTON = 1 << 16
const READ_ONLY = 1

export function judgeField(step: Step, after: FormTree, old: Field, now: Field): void {
  const isTouched = old.number !== undefined && step.changed.has(old.number)
  const appearance = compareAppearance(step, old.place, now.place)
  const keys = isTouched
    ? keysThatDiffer(old.place, now.place).filter((key) => !isNeutral(old, now, key))
    : appearance.isChanged
      ? ["AP"]
      : []
  const isValueTouched = now.type !== "Sig" && isWrittenAnew(step, old, now)
  if (keys.length === 0 && !appearance.isChanged && !isValueTouched) return
  if (appearance.isChanged && !keys.includes("AP")) keys.push("AP")
  if (isValueTouched && !keys.includes("V")) keys.push("V")
  if (old.type !== now.type || old.name !== now.name || now.place.isStream) {
    find(step, now.place.path, "form-fill", "never")
    return
  }
  if (appearance.fault !== undefined) find(step, appearance.fault, "content", "never")
  if (now.type === "Sig") judgeSigned(step, after, old, now, keys)
  else judgeFilled(step, after, old, now, keys)
}

// Kids are judged as a list of their own. /M says when, and nobody sees it.
function isNeutral(old: Field, now: Field, key: string): boolean {
  if (key === "M") return true
  return (
    key === "Kids" && [old, now].every(({ place }) => isArray(valueIn(place.view, entry(place.value, key))))
  )
}

/** The value may be an object of its own. That of a signature is not followed: it must not be written again. */
function isWrittenAnew(step: Step, old: Field, now: Field): boolean {
  under(step, old.place, "V")
  const value = under(step, now.place, "V")
  return value.home !== now.place.home && step.changed.has(value.home)
}

function judgeSigned(step: Step, after: FormTree, old: Field, now: Field, keys: readonly string[]): void {
  const { path } = now.place
  const owner = now.isWidgetOnly ? after.byName.get(now.name)?.[0] : now
  const wasSigned = old.isWidgetOnly
    ? !isFilledNow(step, owner)
    : valueIn(step.before, entry(old.place.value, "V")) !== null
  const finding = owner === undefined || wasSigned ? undefined : judgeSignatureValue(step, after, owner)
  const odd = keys.find((key) => wasSigned || finding === undefined || !WHEN_SIGNED.has(key))
  if (odd !== undefined || finding === undefined) {
    find(step, `${path}/${odd ?? "V"}`, "signature", "never", { field: now.name })
    return
  }
  const hidden = hiddenAppearance(now.place)
  if (hidden !== undefined) {
    find(step, hidden, "content", "never", { field: now.name })
    return
  }
  // A time-stamp that is seen is more than validation data.
  const isSeen = keys.includes("AP") && rectOf(now.place.view, now.place.value) !== undefined
  const needs = isSeen && finding.needs === "nothing" ? "filling" : finding.needs
  shows(step, now, { ...finding, needs, path: `${path}/${keys.includes("V") ? "V" : keys[0]}` }, "signature")
}

/** Whether the field of a widget is signed by this revision. */
function isFilledNow(step: Step, owner: Field | undefined): boolean {
  if (owner?.number === undefined) return false
  const before = step.changed.get(owner.number)?.before?.value ?? null
  return (
    typeof before === "object" && before?.type === "dict" && valueIn(step.before, entry(before, "V")) === null
  )
}

function judgeFilled(step: Step, after: FormTree, old: Field, now: Field, keys: readonly string[]): void {
  const { path } = now.place
  const hasValue = keys.includes("V") || hasNewValue(step, after, now)
  const odd = keys.find(
    (key) => !WHEN_FILLED.has(key) || !isFittingKey(old, now, key) || (OF_DRAWING.has(key) && !hasValue),
  )
  if (odd === undefined && contradicts(now, ownerOf(after, now))) {
    find(step, `${path}/V`, "form-fill", "never", { field: now.name })
    return
  }
  if (odd !== undefined) {
    find(step, `${path}/${odd}`, odd === "A" || odd === "AA" ? "action" : "form-fill", "never", {
      field: now.name,
    })
    return
  }
  const key = keys.includes("V") ? "V" : (keys[0] ?? "V")
  const owner = ownerOf(after, now)
  const isValue = hasValue || keys.includes("I")
  const finding: Finding = {
    path: `${path}/${key}`,
    kind: "form-fill",
    needs: "filling",
    field: now.name,
    fill: isValue ? { wasEmpty: wasEmpty(step, old.name) } : undefined,
  }
  shows(step, now, finding, "form-fill", textShown(now, owner))
  // The value is that of all its widgets, whether they are drawn anew or not.
  const kids = now.number === undefined ? undefined : after.lists.get(now.number)?.value
  for (const kid of kids !== undefined && isArray(kids) ? kids.items : []) {
    const widget = isRef(kid) && !step.widgets.has(kid.number) ? after.byNumber.get(kid.number) : undefined
    if (widget?.isWidgetOnly !== true) continue
    const seen = seenIn(widget, step.after)
    shows(step, seen, finding, "form-fill", textShown(seen, owner))
  }
}

const ownerOf = (after: FormTree, field: Field): Field | undefined =>
  field.isWidgetOnly ? after.byName.get(field.name)?.[0] : field

/** Whether the field of a widget gets another value: without one there is no reason to draw it anew. */
function hasNewValue(step: Step, after: FormTree, widget: Field): boolean {
  const owner = widget.isWidgetOnly ? after.byName.get(widget.name)?.[0] : undefined
  if (owner?.number === undefined) return false
  const known = step.changed.get(owner.number)?.before?.value ?? null
  if (!isDict(known)) return false
  return !isSame(
    { view: step.before, of: entry(known, "V") },
    { view: step.after, of: entry(owner.place.value, "V") },
  )
}

function isFittingKey(old: Field, now: Field, key: string): boolean {
  const value = valueIn(now.place.view, entry(now.place.value, key))
  switch (key) {
    // Who signs with a lock makes the locked fields read-only.
    case "Ff":
      return typeof value === "number" && value === (old.flags | READ_ONLY)
    // The states of a check box are drawn by its author; another one is shown, and none is drawn anew.
    case "AP":
    case "DA":
      return now.type === "Tx" || now.type === "Ch"
    case "AS":
      return now.type === "Btn" && (now.flags & PUSH_BUTTON) === 0 && hasState(old, value)
    case "V":
      return isFittingValue(now, value)
    case "RV":
      return now.type === "Tx"
    case "I":
    case "TI":
      return now.type === "Ch"
    default:
      return true
  }
}

function hasState({ place: { view, value } }: Field, state: PdfValue): boolean {
  if (state === null) return true
  if (typeof state !== "object" || state.type !== "name") return false
  const appearance = valueIn(view, entry(value, "AP"))
  const normal =
    typeof appearance === "object" && appearance?.type === "dict"
      ? valueIn(view, entry(appearance, "N"))
      : null
  return (
    state.name === "Off" ||
    (typeof normal === "object" && normal?.type === "dict" && normal.entries.has(state.name))
  )
}

function isFittingValue({ type, flags }: Field, value: PdfValue): boolean {
  if (value === null) return true
  const isText = typeof value === "object" && (value.type === "string" || value.type === "dict")
  if (type === "Tx") return isText
  if (type === "Ch") return isText || isArray(value)
  return type === "Btn" && (flags & PUSH_BUTTON) === 0 && typeof value === "object" && value.type === "name"
}

function shows(
  step: Step,
  field: Field,
  finding: Finding,
  why: "signature" | "form-fill",
  says?: string,
): void {
  const rect = rectOf(field.place.view, field.place.value)
  if (field.number !== undefined) step.widgets.set(field.number, { finding, rect, why, says, isNew: false })
  else step.findings.push(finding)
}

export function hasSoundRect(view: View, dict: PdfDict): boolean {
  try {
    box(view.pdf, valueIn(view, entry(dict, "Rect")))
    return true
  } catch (error) {
    if (error instanceof PdfRefused && error.code === "corrupt") return false
    throw error
  }
}

/** 12.5.2: where an annotation stands; nothing where it has no size, and so is seen by nobody. */
export function rectOf(view: View, dict: PdfDict): Box | undefined {
  try {
    const rect = box(view.pdf, valueIn(view, entry(dict, "Rect")))
    return rect === undefined || rect[0] === rect[2] || rect[1] === rect[3] ? undefined : rect
  } catch (error) {
    if (error instanceof PdfRefused && error.code === "corrupt") return undefined
    throw error
  }
}
