// The value of a signature field that a revision signs: a signature of its own, made for this very revision.

import { entry, isDict, isRef } from "../syntax/value.ts"
import type { Field, FormTree } from "./fields.ts"
import type { Finding } from "./finding.ts"
import { isNew, type Step } from "./step.ts"
import { valueIn } from "./view.ts"

/**
 * Nothing where the value is no rightful one: it must be a new object, so that no earlier signature is shown again, and
 * one that covers this revision to its end. Several new fields may show it (ours do, where a person initials each page).
 */
export function judgeSignatureValue(step: Step, after: FormTree, field: Field): Finding | undefined {
  const { place } = field
  const value = entry(place.value, "V")
  if (!isRef(value) || !isNew(step, value.number)) return undefined
  const dict = valueIn(place.view, value)
  if (!isDict(dict) || step.changed.get(value.number)?.after.streamAt !== undefined) return undefined
  const names = new Set(after.byValue.get(value.number))
  const signature = step.signatures.find(({ fieldName }) => names.has(fieldName))
  if (signature === undefined) return undefined
  const isTimestamp = signature.type === "document-timestamp"
  return {
    path: `${place.path}/V`,
    kind: isTimestamp ? "timestamp" : "signature",
    needs: isTimestamp ? "nothing" : "filling",
    field: isTimestamp ? undefined : field.name,
  }
}
