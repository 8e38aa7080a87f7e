// Whether a field had no value before a revision (ISO 32000-2, 12.7.4.1). Viewers differ in which object they take the value from,
// so a field counts as empty only if no object of its full name has a value.

import { entry } from "../syntax/value.ts"
import type { Field } from "./fields.ts"
import { isEmptyValue, isNothing } from "./shown-value.ts"
import type { Step } from "./step.ts"
import { type View, valueIn } from "./view.ts"

export function wasEmpty(step: Step, name: string): boolean {
  const known = step.wereEmpty.get(name)
  if (known !== undefined) return known
  const found = wereAllEmpty(step, name)
  step.wereEmpty.set(name, found)
  return found
}

function wereAllEmpty({ forms: [form], before }: Step, name: string): boolean {
  const fields = form?.byName.get(name) ?? []
  // Of two fields of one name, one may show what the other hides.
  if (fields.length > 1) return false
  const widgets = form?.widgetsByName.get(name) ?? []
  return [...fields, ...widgets].every((field) => isEmpty(before, field))
}

/** /V is inheritable, and a field need not name the parent whose list it is in. */
function isEmpty(view: View, field: Field): boolean {
  if (!isEmptyValue(view, field.place.value)) return false
  for (let one: Field | undefined = field; one !== undefined; one = one.parent) {
    const value = valueIn(view, entry(one.place.value, "V"))
    if (value !== null) return isNothing(value)
  }
  return true
}
