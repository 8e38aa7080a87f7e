// Whether an earlier signature lets another one be added (ISO 32000-2, 12.8.2.2 and 12.8.2.4).

import { type Pdf, resolve } from "../structure/document.ts"
import { entry, isDict } from "../syntax/value.ts"
import type { Form } from "./form.ts"
import { type FieldMdp, readTransforms, type Transforms } from "./transform.ts"

/** Whether a signature in the field of this name is forbidden, be it there already or new. */
export function isLocked(pdf: Pdf, form: Form, fieldName: string): boolean {
  const permissions = resolve(pdf, entry(pdf.catalog, "Perms"))
  const certification = isDict(permissions) ? resolve(pdf, entry(permissions, "DocMDP")) : null
  const signed = form.signatureFields.filter(({ signature }) => signature !== undefined)
  const signatures = [certification, ...signed.map(({ signature }) => signature ?? null)]
  return (
    signatures.some((one) => isDict(one) && forbids(readTransforms(pdf, one), fieldName)) ||
    // 12.7.5.5, table 236: the lock of a field counts once the field is signed.
    signed.some(({ dict }) => {
      const lock = resolve(pdf, entry(dict, "Lock"))
      return isDict(lock) && resolve(pdf, entry(lock, "P")) === 1
    })
  )
}

/** Whether no further signature is possible: neither in a new field nor in any that waits for one. */
export function isClosed(pdf: Pdf, form: Form): boolean {
  const waiting = form.signatureFields.filter(({ signature }) => signature === undefined)
  return [NEW_FIELD, ...waiting.map(({ name }) => name)].every((name) => isLocked(pdf, form, name))
}

// A name that no field has: a full stop parts the names of parents and kids, so none begins with one.
const NEW_FIELD = ".new"

function forbids({ docMdp, fieldMdp }: Transforms, fieldName: string): boolean {
  return docMdp === 1 || (fieldMdp !== undefined && covers(fieldMdp, fieldName))
}

// 12.7.5.5, table 235: a name stands for the fields below it too.
export function covers({ action, fields }: FieldMdp, fieldName: string): boolean {
  const isNamed = fields.some((name) => fieldName === name || fieldName.startsWith(`${name}.`))
  if (action === "all") return true
  return action === "include" ? isNamed : !isNamed
}
