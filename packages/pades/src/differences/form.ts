// What may happen to a form (ISO 32000-2, 12.7): it gets further signature fields, and fields get values.

import { entry, isArray, isRef, type PdfValue } from "../syntax/value.ts"
import { freshFault } from "./appearance.ts"
import { mayDraw } from "./default-resources.ts"
import { judgeField } from "./field.ts"
import { type FormTree, seenIn } from "./fields.ts"
import { judgeNewField } from "./new-field.ts"
import { addParts, type Parts } from "./parts.ts"
import { isSame } from "./same.ts"
import {
  type DictPlace,
  differ,
  find,
  isDictPlace,
  itemAt,
  keysThatDiffer,
  type Place,
  type Step,
  under,
} from "./step.ts"
import { valueIn } from "./view.ts"

export function judgeForm(step: Step, before: FormTree, after: FormTree, parts: Parts): void {
  step.forms.push(before, after)
  if (after.form === undefined) {
    if (before.form !== undefined) find(step, "/AcroForm", "structure", "never")
    return
  }
  // Nobody has touched it; what its fields show may have changed all the same.
  const isUntouched = after.byNumber === before.byNumber
  const old = before.form === undefined ? undefined : { ...before.form, view: step.before }
  judgeFormDict(step, after, old, { ...after.form, view: step.after })
  if (!isUntouched) judgeLists(step, before, after)
  for (const number of touchedFields(step, parts)) {
    const [old, now] = [before.byNumber.get(number), after.byNumber.get(number)]
    if (old !== undefined && now !== undefined)
      judgeField(step, after, seenIn(old, step.before), seenIn(now, step.after))
    if (now !== undefined) addParts(parts, step.after, now)
  }
}

function judgeLists(step: Step, before: FormTree, after: FormTree): void {
  for (const [owner, list] of after.lists) judgeList(step, before, after, owner, list)
  for (const [number, { place }] of before.byNumber)
    if (!after.byNumber.has(number)) find(step, place.path, "form-fill", "never")
  for (const [name, fields] of after.byName)
    if (fields.length > (before.byName.get(name)?.length ?? 0) && fields.length > 1)
      find(step, fields[0]?.place.path ?? "/AcroForm/Fields", "structure", "never")
}

function touchedFields({ written }: Step, parts: Parts): ReadonlySet<number> {
  const touched = new Set<number>()
  for (const number of written) {
    touched.add(number)
    for (const field of parts.get(number) ?? []) touched.add(field)
  }
  return touched
}

const LISTED = new Set(["Fields"])
/** How fields are drawn. */
const OF_FIELDS = new Set(["DA", "DR", "Q"])

function judgeFormDict(step: Step, tree: FormTree, before: DictPlace | undefined, after: DictPlace): void {
  const empty = { entries: new Map(), type: "dict", bytes: new Uint8Array(), start: 0, end: 0 } as const
  const old: DictPlace = before ?? { ...after, view: step.before, value: empty }
  if (after.isStream || old.isStream) find(step, "/AcroForm", "structure", "never")
  for (const key of keysThatDiffer(old, after)) {
    if (LISTED.has(key)) continue
    const kind = key === "DR" ? "font" : "structure"
    if (!isAllowedKey(key, old, after)) find(step, `/AcroForm/${key}`, kind, "never")
    // Who may only add time-stamps and validation data has no text to draw (12.8.2.2, P 1).
    else if (OF_FIELDS.has(key)) find(step, `/AcroForm/${key}`, kind, "filling", { isQuiet: true })
  }
  // What is the same reference may lead to something else now.
  const resources = under(step, after, "DR")
  if (before === undefined || resources.value === null) return
  if (!isGrownResources(step, tree, under(step, before, "DR"), resources))
    find(step, resources.path, "font", "never")
  else if (isWrittenAgain(step, after, resources))
    find(step, resources.path, "font", "filling", { isQuiet: true })
}

/** Whether the resources, or the names of a category, are an object that the revision changes. */
function isWrittenAgain(step: Step, form: DictPlace, resources: Place): boolean {
  const places = isDictPlace(resources) ? CATEGORIES.map((category) => under(step, resources, category)) : []
  return [resources, ...places].some(({ home }) => home !== form.home && step.changed.has(home))
}

// Table 224. What the form says about all of its fields stays as it is; what it says about signatures may be added.
function isAllowedKey(key: string, before: DictPlace, after: DictPlace): boolean {
  const [old, now] = [before, after].map((place) => valueIn(place.view, entry(place.value, key)))
  switch (key) {
    case "SigFlags":
      return typeof now === "number" && now === (now | (typeof old === "number" ? old : 0) | 0) && now < 4
    case "NeedAppearances":
      return now === null || now === false
    case "DA":
    case "Q":
      return old === null
    // Judged below.
    case "DR":
      return now !== null
    default:
      return false
  }
}

// Table 34, and what old forms have. Whatever else stands in resources has no name that something could call.
const CATEGORIES = "ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties Encoding".split(" ")

/** 7.8.3: more names may have a meaning, but none another one. */
function isGrownResources(step: Step, tree: FormTree, old: Place, now: Place): boolean {
  if (!isDictPlace(now) || now.isStream) return false
  if (!isDictPlace(old))
    return (
      old.value === null &&
      freshFault(step, [now]) === undefined &&
      !mayDraw(tree, namesIn(under(step, now, "XObject")))
    )
  return CATEGORIES.every((category) => {
    const [a, b] = [under(step, old, category), under(step, now, category)]
    if (!differ(a, b) && (b.home === now.home || !step.changed.has(b.home))) return true
    if (!isDictPlace(b) || b.isStream) return isArray(b.value) && category === "ProcSet"
    if (freshFault(step, [b]) !== undefined) return false
    if (!isDictPlace(a) && a.value !== null) return false
    const names = isDictPlace(a) ? keysThatDiffer(a, b) : namesIn(b)
    // Some writers leave the picture of the last signature here, and none of their appearances takes it from here.
    if (category === "XObject") return !mayDraw(tree, names)
    return !isDictPlace(a) || names.every((name) => entry(a.value, name) === null)
  })
}

const namesIn = (place: Place): readonly string[] =>
  isDictPlace(place) ? [...place.value.entries.keys()] : []

/** A list of fields: what was there stays, in its order; what is new is a signature field. */
function judgeList(step: Step, before: FormTree, after: FormTree, owner: number | "form", list: Place): void {
  const known = before.lists.get(owner)
  if (owner !== "form" && !before.byNumber.has(owner)) return
  if (list.isStream || !(isArray(list.value) || list.value === null)) {
    find(step, list.path, "structure", "never")
    return
  }
  const added = addedItems(step, known, list)
  if (added === undefined) {
    find(step, list.path, "structure", "never")
    return
  }
  for (const place of added) judgeNewField(step, after, place, owner === "form")
}

/** The items that are new, or nothing where one is gone, was replaced or has moved. */
export function addedItems(
  step: Step,
  before: Place | undefined,
  after: Place,
): readonly Place[] | undefined {
  const old = before !== undefined && isArray(before.value) ? before.value.items : []
  const now = isArray(after.value) ? after.value.items : []
  const added: Place[] = []
  let at = 0
  for (const [i, item] of now.entries()) {
    if (at < old.length && isSameItem(step, old[at] ?? null, item)) at += 1
    else added.push(itemAt(step, after, i))
  }
  return at === old.length ? added : undefined
}

function isSameItem({ before, after }: Step, old: PdfValue, now: PdfValue): boolean {
  if (isRef(old) || isRef(now)) return isRef(old) && isRef(now) && old.number === now.number
  return isSame({ view: before, of: old }, { view: after, of: now })
}
