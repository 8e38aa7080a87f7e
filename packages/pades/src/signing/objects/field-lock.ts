// The fields that the first signature of a document locks (ISO 32000-2, 12.7.5.5 and 12.8.2.4, ADR 0083): every field that
// no later signer fills in. Without a lock, any reader accepts another value as form filling.

import type { Form, SignatureField, ValueField } from "../../content/form.ts"
import { covers } from "../../content/lock.ts"
import { readFieldMdp } from "../../content/transform.ts"
import { PdfRefused } from "../../refused.ts"
import { type Pdf, readNumber, resolve } from "../../structure/document.ts"
import { entry, isDict, isRef, type PdfDict } from "../../syntax/value.ts"
import { amend, create, type Edits } from "../../write/edits.ts"
import { writeTextString } from "../../write/syntax.ts"
import { certifiedPermission, includeRule, type Permission } from "./signature-dictionary.ts"

/** Each name is written twice, and every later revision is checked against all of them. */
export const MAX_LOCKED_FIELDS = 10_000

export type LockOptions = {
  readonly certify?: Permission | undefined
  readonly fieldsFilledLater?: readonly string[] | undefined
}

/** None where the document already has rules of its own, which this signature must not contradict. */
export function fieldsToLock(
  pdf: Pdf,
  form: Form,
  field: SignatureField | undefined,
  { certify, fieldsFilledLater = [] }: LockOptions,
): readonly ValueField[] {
  const later = new Set(fieldsFilledLater)
  const known = new Set(form.valueFields.map(({ name }) => name))
  const unknown = fieldsFilledLater.find((name) => !known.has(name))
  if (unknown !== undefined) throw new TypeError(`There is no field ${unknown} for a later signer to fill.`)
  if (certify === 1 || hasRules(pdf, form, field)) return []
  const waiting = locksOfOthers(pdf, form, field)
  // Table 235: a name stands for the fields below it too, so it must not be the name of a parent of one that stays open.
  const parents = parentsOf([...form.signatureFields.map(({ name }) => name), ...later])
  const found = form.valueFields.filter(
    ({ name }) =>
      name !== "" && !later.has(name) && !parents.has(name) && !waiting.some((lock) => covers(lock, name)),
  )
  if (found.length > MAX_LOCKED_FIELDS)
    throw new PdfRefused("too-complex", `The form has more than ${MAX_LOCKED_FIELDS} fields.`)
  return found
}

// A certification and the lock or seed value of the field are the author's rules. After an earlier signature, neither the
// fields nor the signature field may be written again.
function hasRules(pdf: Pdf, form: Form, field: SignatureField | undefined): boolean {
  const ofField = field === undefined ? [] : ["Lock", "SV"]
  return (
    form.signatureFields.some(({ signature }) => signature !== undefined) ||
    certifiedPermission(pdf) !== undefined ||
    ofField.some((key) => field !== undefined && resolve(pdf, entry(field.dict, key)) !== null)
  )
}

/** The author wants these fields to stay open until the field with the lock is signed. */
function locksOfOthers(pdf: Pdf, form: Form, field: SignatureField | undefined) {
  return form.signatureFields.flatMap((other) => {
    const lock = other === field ? null : resolve(pdf, entry(other.dict, "Lock"))
    return isDict(lock) ? [readFieldMdp(pdf, lock)] : []
  })
}

function parentsOf(names: readonly string[]): ReadonlySet<string> {
  const parents = new Set<string>()
  for (const name of names)
    for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) parents.add(name.slice(0, at))
  return parents
}

/** The array of the names, as it is written in a PDF. */
export function namesOf(fields: readonly ValueField[]): string {
  const names = new Set(fields.map(({ name }) => name))
  return `[${[...names].map(writeTextString).join(" ")}]`
}

/** Writes the lock dictionary, and answers a reference to it, which table 235 requires. */
export function lockFields(edits: Edits, fields: readonly ValueField[], names: string): string {
  for (const { ref, dict } of fields)
    if (ref !== undefined && lacksState(edits.pdf, dict)) amend(edits, { ref, dict }, { AS: "/N" })
  return create(edits, `<< /Type /SigFieldLock ${includeRule(names)} >>`)
}

// pyHanko 0.38 reports the unchanged appearance of a locked field as modified where the stream is older than the signature,
// unless the field has an appearance state. The state has no effect where the appearance is one stream (12.5.5).
function lacksState(pdf: Pdf, dict: PdfDict): boolean {
  if (entry(dict, "AS") !== null) return false
  const appearance = resolve(pdf, entry(dict, "AP"))
  const normal = isDict(appearance) ? entry(appearance, "N") : null
  return isRef(normal) && readNumber(pdf, normal.number)?.streamAt !== undefined
}
