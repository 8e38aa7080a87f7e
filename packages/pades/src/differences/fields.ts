// The form of a revision (ISO 32000-2, 12.7) as a tree: its fields with what they inherit, and their widgets.

import { PdfRefused } from "../refused.ts"
import { MAX_NESTING, spendScanned } from "../syntax/limits.ts"
import { entry, isArray, isRef, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"
import { isSame } from "./same.ts"
import { type Claims, type DictPlace, isDictPlace, itemAt, type Place, under } from "./step.ts"
import { type View, valueIn } from "./view.ts"

export type Field = {
  readonly place: DictPlace
  /** Nothing where it stands directly in the list of its parent. */
  readonly number: number | undefined
  /** With the names of its parents. */
  readonly name: string
  /** 12.7.4.1: without a name of its own it is a widget of its parent. */
  readonly isWidgetOnly: boolean
  /** The field whose list it is in. */
  readonly parent: Field | undefined
  readonly type: string | undefined
  readonly flags: number
  readonly depth: number
}

export type FormTree = {
  readonly view: View
  readonly claims: Claims
  readonly form: DictPlace | undefined
  /** The lists of fields, by where they stand: the form's own, and those of the kids of a field. */
  readonly lists: ReadonlyMap<number | "form", Place>
  readonly byNumber: ReadonlyMap<number, Field>
  /** Those with a name of their own. */
  readonly byName: ReadonlyMap<string, readonly Field[]>
  /** Those without, by the name of their field. */
  readonly widgetsByName: ReadonlyMap<string, readonly Field[]>
  /** The names of the fields that have this object as their value. */
  readonly byValue: ReadonlyMap<number, readonly string[]>
}

const MAX_NAME_LENGTH = 4_096

export function rootOf(view: View): DictPlace {
  const { catalog, catalogRef } = view.pdf
  return { view, value: catalog, home: catalogRef.number, key: "", path: "", isStream: false }
}

/** The form of a revision; what is known of the one before it serves again, but for the objects that have changed. */
export function readFormTree(view: View, known?: FormTree, written?: ReadonlySet<number>): FormTree {
  if (known !== undefined && written !== undefined && isUntouched(view, known, written))
    return { ...known, view }
  const step = { claims: new Map<number, Set<string>>() }
  const form = under(step, rootOf(view), "AcroForm")
  const lists = new Map<number | "form", Place>()
  const byNumber = new Map<number, Field>()
  const byName = new Map<string, Field[]>()
  const widgetsByName = new Map<string, Field[]>()
  const byValue = new Map<number, string[]>()
  const tree = { view, ...step, lists, byNumber, byName, widgetsByName, byValue }
  if (!isDictPlace(form)) return { ...tree, form: undefined }
  const fields = under(step, form, "Fields")
  lists.set("form", fields)
  const stack: Planned[] = []
  plan(stack, fields, undefined, known !== undefined)
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { item, list, index, parent, isKnown } = next
    const number = isRef(item) ? item.number : undefined
    if (number !== undefined && byNumber.has(number)) continue
    const again =
      isKnown && number !== undefined && !written?.has(number) ? known?.byNumber.get(number) : undefined
    const field = again ?? readItem(view, list, index, number, parent)
    if (field === undefined) continue
    if (number !== undefined) byNumber.set(number, field)
    push(field.isWidgetOnly ? widgetsByName : byName, field.name, field)
    const value = entry(field.place.value, "V")
    if (isRef(value)) push(byValue, value.number, field.name)
    if (entry(field.place.value, "Kids") === null) continue
    const kids = under(step, { ...field.place, view }, "Kids")
    if (number !== undefined) lists.set(number, kids)
    plan(stack, kids, field, again !== undefined)
  }
  return { ...tree, form }
}

/** Whether a revision leaves all fields and their lists alone. */
function isUntouched(view: View, known: FormTree, written: ReadonlySet<number>): boolean {
  for (const number of written) if (known.byNumber.has(number) || known.claims.has(number)) return false
  const [old, now] = [known.view, view].map((one) => ({ view: one, of: entry(one.pdf.catalog, "AcroForm") }))
  return old !== undefined && now !== undefined && isSame(old, now)
}

/** An item of a list of fields; `isKnown` where nothing above it has changed. */
type Planned = {
  readonly item: PdfValue
  readonly list: Place
  readonly index: number
  readonly parent: Field | undefined
  readonly isKnown: boolean
}

function plan(stack: Planned[], list: Place, parent: Field | undefined, isKnown: boolean): void {
  const items = isArray(list.value) ? list.value.items : []
  for (let index = items.length - 1; index >= 0; index--)
    stack.push({ item: items[index] ?? null, list, index, parent, isKnown })
}

// That an item belongs to its list need not be claimed: a field is understood wherever it is used as one.
function readItem(
  view: View,
  list: Place,
  index: number,
  number: number | undefined,
  parent: Field | undefined,
): Field | undefined {
  const place = itemAt({ claims: new Map() }, { ...list, view }, index)
  return isDictPlace(place) ? readField(place, number, parent) : undefined
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}

function readField(place: DictPlace, number: number | undefined, parent: Field | undefined): Field {
  const { view, value: dict } = place
  const depth = (parent?.depth ?? 0) + 1
  if (depth > MAX_NESTING) throw new PdfRefused("too-complex", "The form is nested too deeply.")
  const partial = valueIn(view, entry(dict, "T"))
  const own = typeof partial === "object" && partial?.type === "string" ? textOf(partial) : undefined
  const prefix = parent?.name ?? ""
  const name = own === undefined ? prefix : prefix === "" ? own : `${prefix}.${own}`
  if (name.length > MAX_NAME_LENGTH) throw new PdfRefused("too-complex", "The name of a field is too long.")
  spendScanned(view.pdf.budget, name.length)
  const flags = valueIn(view, entry(dict, "Ff"))
  return {
    place,
    number,
    name,
    isWidgetOnly: own === undefined && parent !== undefined,
    parent,
    type: nameIn(view, dict, "FT") ?? parent?.type,
    flags: typeof flags === "number" ? flags : (parent?.flags ?? 0),
    depth,
  }
}

export function nameIn(view: View, dict: PdfDict, key: string): string | undefined {
  const value = valueIn(view, entry(dict, key))
  return typeof value === "object" && value?.type === "name" ? value.name : undefined
}

/** A field that was read in an earlier revision and has not changed since leads to what is in this one. */
export function seenIn(field: Field, view: View): Field {
  return field.place.view === view ? field : { ...field, place: { ...field.place, view } }
}
