// The structure tree of a tagged document (ISO 32000-2, 14.7). A further signature field is a part of what can be read
// aloud, so it gets an element there; what was said of the document before stays.

import { MAX_NESTING } from "../syntax/limits.ts"
import { entry, isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { nameIn, rootOf } from "./fields.ts"
import { isSame } from "./same.ts"
import { type DictPlace, find, isDictPlace, isNew, keysThatDiffer, type Step, under } from "./step.ts"
import { type View, valueIn } from "./view.ts"

export function judgeStructure(step: Step): void {
  const [old, now] = [
    under(step, rootOf(step.before), "StructTreeRoot"),
    under(step, rootOf(step.after), "StructTreeRoot"),
  ]
  if (!isDictPlace(old) || !isDictPlace(now) || old.home !== now.home) return
  if (step.changed.has(old.home)) judgeRoot(step, old, now)
  else judgeParentTree(step, old, now)
  for (const [number, { before, after }] of step.changed) {
    const [known, dict] = [before?.value ?? null, after.value]
    if (number === old.home || !isDict(known) || !isDict(dict) || !isElement(step.before, known)) continue
    const a = placeOf(step.before, number, known)
    const b = placeOf(step.after, number, dict)
    if (keysThatDiffer(a, b).every((key) => key === "K" && isLonger(step, number, a, b)))
      step.structure.add(number)
  }
}

function placeOf(view: View, number: number, value: PdfDict): DictPlace {
  return { view, value, home: number, key: "", path: "", isStream: false }
}

function isElement(view: View, dict: PdfDict): boolean {
  return (
    isName(valueIn(view, entry(dict, "Type")), "StructElem") && dict.entries.has("S") && dict.entries.has("P")
  )
}

function judgeRoot(step: Step, before: DictPlace, after: DictPlace): void {
  for (const key of keysThatDiffer(before, after)) {
    const isAllowed =
      (key === "K" && isLonger(step, before.home, before, after)) ||
      (key === "ParentTreeNextKey" && typeof entry(after.value, key) === "number") ||
      key === "ParentTree"
    if (!isAllowed) return
  }
  if (judgeParentTree(step, before, after)) step.structure.add(before.home)
}

/** 14.7.5.4: which element each annotation belongs to; it gets longer by the new widgets. */
function judgeParentTree(step: Step, before: DictPlace, after: DictPlace): boolean {
  const [old, now] = [under(step, before, "ParentTree"), under(step, after, "ParentTree")]
  const touched = new Set<number>()
  const known = numbersIn(step, old, touched)
  const longer = numbersIn(step, now, touched)
  if (known === undefined || longer === undefined) return false
  if (old.home === now.home && ![...touched].some((number) => step.changed.has(number))) return true
  for (const [key, value] of known) {
    const other = longer.get(key)
    if (other === undefined || !isSame({ view: step.before, of: value }, { view: step.after, of: other }))
      return reject(step)
  }
  for (const [key, value] of longer)
    if (!known.has(key) && !isOfWidget(step, value, undefined)) return reject(step)
  return true
}

function reject(step: Step): boolean {
  find(step, "/StructTreeRoot/ParentTree", "structure", "never")
  return false
}

const MAX_NUMBERS = 100_000

/** 7.9.7: a number tree, flat; `touched` gets the objects that it is written in. */
function numbersIn(
  step: Step,
  root: { view: View; value: PdfValue; home: number },
  touched: Set<number>,
): Map<number, PdfValue> | undefined {
  const found = new Map<number, PdfValue>()
  const { view } = root
  const stack: { value: PdfValue; depth: number }[] = [{ value: root.value, depth: 1 }]
  touched.add(root.home)
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth } = next
    if (isRef(value)) touched.add(value.number)
    const node = valueIn(view, value)
    if (!isDict(node) || depth > MAX_NESTING) return undefined
    for (const kid of list(view, node, "Kids", touched)) stack.push({ value: kid, depth: depth + 1 })
    const items = list(view, node, "Nums", touched)
    for (let i = 0; i + 1 < items.length; i += 2) {
      const key = items[i]
      if (typeof key !== "number" || found.has(key) || found.size > MAX_NUMBERS) return undefined
      found.set(key, items[i + 1] ?? null)
    }
  }
  for (const number of touched) if (step.changed.has(number)) step.structure.add(number)
  return found
}

function list(view: View, dict: PdfDict, key: string, touched: Set<number>): readonly PdfValue[] {
  const value = entry(dict, key)
  if (isRef(value)) touched.add(value.number)
  const found = valueIn(view, value)
  return isArray(found) ? found.items : []
}

/** The kids of an element: those that were there, in their order, and elements of new widgets. */
function isLonger(step: Step, parent: number, before: DictPlace, after: DictPlace): boolean {
  const [old, now] = [kidsOf(before), kidsOf(after)]
  let at = 0
  for (const kid of now) {
    const known = old[at]
    if (known !== undefined && isSame({ view: step.before, of: known }, { view: step.after, of: kid }))
      at += 1
    else if (!isOfWidget(step, kid, parent)) return false
  }
  return at === old.length
}

function kidsOf({ view, value }: DictPlace): readonly PdfValue[] {
  const kids = entry(value, "K")
  const found = valueIn(view, kids)
  if (found === null) return []
  return isArray(found) ? found.items : [kids]
}

const OF_ELEMENT = new Set(["Type", "S", "P", "Pg", "K"])
const OF_REFERENCE = new Set(["Type", "Obj", "Pg"])

/** A new element, /Form, that stands for a widget of this revision and says nothing else. */
function isOfWidget(step: Step, value: PdfValue, parent: number | undefined): boolean {
  if (!isRef(value) || !isNew(step, value.number)) return false
  const { after } = step
  const element = valueIn(after, value)
  if (!isDict(element) || nameIn(after, element, "S") !== "Form") return false
  const above = entry(element, "P")
  if (parent !== undefined && !(isRef(above) && above.number === parent)) return false
  if ([...element.entries.keys()].some((key) => !OF_ELEMENT.has(key))) return false
  const kids = valueIn(after, entry(element, "K"))
  const [kid = null, ...more] = isArray(kids) ? kids.items : [kids]
  const reference = valueIn(after, kid)
  if (more.length > 0 || !isDict(reference) || !isName(entry(reference, "Type"), "OBJR")) return false
  const widget = entry(reference, "Obj")
  return (
    isRef(widget) &&
    step.widgets.has(widget.number) &&
    [...reference.entries.keys()].every((key) => OF_REFERENCE.has(key))
  )
}
