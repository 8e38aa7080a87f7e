// The value of a field, and what is shown of it (ISO 32000-2, 12.7.5). What can be told from the dictionary is told here;
// whether an appearance says what the value says, somebody has to read who can draw.

import { MAX_NESTING } from "../syntax/limits.ts"
import { entry, isArray, isDict, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"
import type { Field } from "./fields.ts"
import { type View, valueIn } from "./view.ts"

/** 12.7.5.3: what is typed is shown as stars. */
const PASSWORD = 1 << 13
/** 12.7.5.4: one option of a list that opens. */
const COMBO = 1 << 17
/** 12.5.3: invisible, hidden, not on the screen. */
const UNSEEN = 1 | 2 | 32

/** The text that a filled field has to show; nothing where that is not known. `owner` has the value of a widget. */
export function textShown(field: Field, owner: Field | undefined): string | undefined {
  const { view, value } = field.place
  const flags = valueIn(view, entry(value, "F"))
  const isUnseen = typeof flags === "number" && (flags & UNSEEN) !== 0
  if (owner === undefined || isUnseen || !isOfOneText(field)) return undefined
  const text = valueIn(owner.place.view, entry(owner.place.value, "V"))
  if (text === null) return ""
  if (!isString(text)) return undefined
  return field.type === "Tx" ? textOf(text) : labelOf(owner, textOf(text))
}

/** A list box shows all of its options, and which of them is meant only by a colour. */
function isOfOneText({ type, flags }: Field): boolean {
  return type === "Tx" ? (flags & PASSWORD) === 0 : type === "Ch" && (flags & COMBO) !== 0
}

/** Table 234: an option is a text, or the text of its value and the one that is shown. */
function labelOf({ place: { view, value: dict } }: Field, value: string): string {
  const options = valueIn(view, entry(dict, "Opt"))
  for (const item of isArray(options) ? options.items : []) {
    const option = valueIn(view, item)
    if (!isArray(option)) continue
    const [exported = null, label = null] = option.items.map((one) => valueIn(view, one))
    if (isString(exported) && isString(label) && textOf(exported) === value) return textOf(label)
  }
  return value
}

/** Whether a field has no value yet, its own or one of a parent (table 226: /V is inheritable). */
export function isEmptyValue(view: View, field: PdfDict): boolean {
  let dict: PdfValue = field
  for (let depth = 0; isDict(dict) && depth < MAX_NESTING; depth++) {
    const value = valueIn(view, entry(dict, "V"))
    if (value !== null) return isNothing(value)
    dict = valueIn(view, entry(dict, "Parent"))
  }
  return true
}

export function isNothing(value: PdfValue): boolean {
  if (isString(value)) return textOf(value).trim() === ""
  return nameOf(value) === "Off" || (isArray(value) && value.items.length === 0)
}

/** A box that is ticked though its value says no, or the other way round; rich text that is another than the text. */
export function contradicts(field: Field, owner: Field | undefined): boolean {
  if (owner === undefined) return false
  const value = valueIn(owner.place.view, entry(owner.place.value, "V"))
  if (field.type === "Btn") return contradictsState(field, nameOf(value) ?? "Off")
  const rich = valueIn(owner.place.view, entry(owner.place.value, "RV"))
  if (field.type !== "Tx" || !isString(rich)) return false
  return !isString(value) || letters(textOf(rich).replace(/<[^>]*>/g, "")) !== letters(textOf(value))
}

const letters = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);|[\s&<>"']/gi, "")

// 12.7.5.2.3: of several boxes of one field those that are not meant are off.
function contradictsState({ place: { view, value }, isWidgetOnly }: Field, meant: string): boolean {
  const shown = nameOf(valueIn(view, entry(value, "AS")))
  if (shown === undefined || shown === meant) return false
  return shown !== "Off" || (!isWidgetOnly && statesOf(view, entry(value, "AP")).has(meant))
}

function statesOf(view: View, appearance: PdfValue): ReadonlySet<string> {
  const looks = valueIn(view, appearance)
  const normal = isDict(looks) ? valueIn(view, entry(looks, "N")) : null
  return new Set(isDict(normal) ? normal.entries.keys() : [])
}

const nameOf = (value: PdfValue): string | undefined =>
  typeof value === "object" && value?.type === "name" ? value.name : undefined

const isString = (value: PdfValue): value is Extract<PdfValue, { readonly type: "string" }> =>
  typeof value === "object" && value?.type === "string"
