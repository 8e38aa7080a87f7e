// A field that a revision adds: a signature field, signed or waiting for its signature, with nothing but its widget.

import { entry, isArray, isRef } from "../syntax/value.ts"
import { compareAppearance, hiddenAppearance } from "./appearance.ts"
import { hasSoundRect, rectOf } from "./field.ts"
import { type Field, type FormTree, nameIn } from "./fields.ts"
import type { Finding } from "./finding.ts"
import { judgeSignatureValue } from "./signature-value.ts"
import { find, isNew, type Place, type Step } from "./step.ts"
import { valueIn } from "./view.ts"

// Tables 166, 191, 226 and 237, without whatever acts or is shown now and then.
const KEYS = new Set(
  "Type Subtype FT T TU TM Ff V DV Parent Kids P Rect F AP MK BS Border DA DR Q H C M NM Lock SV Contents Lang StructParent".split(
    " ",
  ),
)

export function judgeNewField(step: Step, after: FormTree, place: Place, isAtTop: boolean): void {
  const field = after.byNumber.get(place.home)
  if (field?.number === undefined || !isNew(step, field.number) || !isAtTop) {
    find(step, place.path, "form-fill", "never")
    return
  }
  const fault = faultOf(step, field)
  const isOfOther = entry(field.place.value, "Parent") !== null
  if (fault !== undefined || isOfOther || field.type !== "Sig" || field.name === "" || field.isWidgetOnly) {
    find(step, fault ?? place.path, "form-fill", "never")
    return
  }
  const isSigned = valueIn(step.after, entry(field.place.value, "V")) !== null
  const signing = isSigned ? judgeSignatureValue(step, after, field) : undefined
  if (isSigned && signing === undefined) {
    find(step, `${place.path}/V`, "signature", "never")
    return
  }
  const widgets = widgetsOf(after, field)
  if (widgets === undefined) {
    find(step, `${place.path}/Kids`, "form-fill", "never")
    return
  }
  const finding: Finding = signing ?? {
    path: place.path,
    kind: "signature",
    needs: "filling",
    field: field.name,
  }
  step.findings.push({ ...finding, path: place.path, needs: needsOf(step, finding, widgets) })
  for (const widget of widgets) addWidget(step, finding, field, widget, isSigned)
}

function needsOf(step: Step, finding: Finding, widgets: readonly Field[]): Finding["needs"] {
  const isVisible = widgets.some(({ place }) => rectOf(step.after, place.value) !== undefined)
  return isVisible ? "placing" : finding.needs
}

function addWidget(step: Step, finding: Finding, owner: Field, widget: Field, isSigned: boolean): void {
  const fault = widget === owner ? undefined : (faultOf(step, widget) ?? parentFault(owner, widget))
  const appearance = compareAppearance(step, undefined, widget.place)
  // Who has not signed has nothing to show.
  const early = isSigned || appearance.isBlank ? undefined : `${widget.place.path}/AP`
  const odd = fault ?? appearance.fault ?? early ?? hiddenAppearance(widget.place)
  if (odd !== undefined) {
    find(step, odd, "content", "never")
    return
  }
  if (widget.number === undefined) {
    find(step, widget.place.path, "form-fill", "never")
    return
  }
  const rect = rectOf(step.after, widget.place.value)
  const needs = rect === undefined ? finding.needs : "placing"
  step.widgets.set(widget.number, { finding: { ...finding, needs }, rect, why: "signature", isNew: true })
}

/** The field itself where it is its own widget, else its kids; nothing where a kid is something else. */
function widgetsOf(after: FormTree, field: Field): readonly Field[] | undefined {
  const kids = field.number === undefined ? undefined : after.lists.get(field.number)?.value
  if (kids === undefined || kids === null) return [field]
  if (!isArray(kids)) return undefined
  const widgets = kids.items.map((kid) => (isRef(kid) ? after.byNumber.get(kid.number) : undefined))
  return widgets.every((kid): kid is Field => kid?.isWidgetOnly === true) ? widgets : undefined
}

function parentFault(owner: Field, { place }: Field): string | undefined {
  const parent = entry(place.value, "Parent")
  return parent === null || (isRef(parent) && parent.number === owner.number)
    ? undefined
    : `${place.path}/Parent`
}

function faultOf(step: Step, { place, number }: Field): string | undefined {
  if (place.isStream || number === undefined || !isNew(step, number)) return place.path
  const odd = [...place.value.entries.keys()].find((key) => !KEYS.has(key))
  if (odd !== undefined) return `${place.path}/${odd}`
  // A place that cannot be read is one that everybody reads in his own way.
  if (!hasSoundRect(place.view, place.value)) return `${place.path}/Rect`
  const subtype = nameIn(place.view, place.value, "Subtype")
  return subtype === undefined || subtype === "Widget" ? undefined : `${place.path}/Subtype`
}
