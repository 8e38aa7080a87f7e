// The interactive form (ISO 32000-2, 12.7) and its signature fields.

import { PdfRefused } from "../refused.ts"
import { type Pdf, resolve } from "../structure/document.ts"
import { MAX_NESTING, spendScanned } from "../syntax/limits.ts"
import { corrupt } from "../syntax/scan.ts"
import {
  entry,
  isArray,
  isDict,
  isName,
  isRef,
  type PdfDict,
  type PdfRef,
  type PdfValue,
  textOf,
} from "../syntax/value.ts"

export type SignatureField = {
  readonly name: string
  /** Nothing where the field stands directly in the array that lists it. */
  readonly ref: PdfRef | undefined
  readonly signature: PdfDict | undefined
  readonly dict: PdfDict
}

/** A field that holds a value and is no signature field. */
export type ValueField = {
  readonly name: string
  /** Nothing where the field stands directly in the array that lists it. */
  readonly ref: PdfRef | undefined
  readonly dict: PdfDict
}

export type Form = {
  readonly dict: PdfDict | undefined
  /** The names of all fields, whatever their type, with those of their parents in front. */
  readonly names: ReadonlySet<string>
  readonly signatureFields: readonly SignatureField[]
  /** All other terminal fields (12.7.4.1): those without kids that have a name. */
  readonly valueFields: readonly ValueField[]
}

export function readForm(pdf: Pdf): Form {
  const form = readFields(pdf, (value) => resolve(pdf, value))
  // An XFA form shows what its XML says, not what the signed pages say.
  if (form.dict !== undefined && resolve(pdf, entry(form.dict, "XFA")) !== null)
    throw new PdfRefused("xfa", "The PDF is an XFA form.")
  return form
}

/** The form whatever it is; `read` reads the value of a signature field, and may choose not to. */
export function readFields(pdf: Pdf, read: (value: PdfValue) => PdfValue): Form {
  const dict = resolve(pdf, entry(pdf.catalog, "AcroForm"))
  if (dict === null) return { dict: undefined, names: new Set(), signatureFields: [], valueFields: [] }
  if (!isDict(dict)) throw corrupt("The form is not a dictionary.")
  return { dict, ...walkFields(pdf, dict, read) }
}

/** ISO 32000-2, 12.8.5: a time-stamp over the whole document stands in a signature field too, though nobody has signed. */
export function isDocumentTimestamp(pdf: Pdf, signature: PdfDict): boolean {
  return (
    isName(resolve(pdf, entry(signature, "SubFilter")), "ETSI.RFC3161") ||
    isName(resolve(pdf, entry(signature, "Type")), "DocTimeStamp")
  )
}

/** With the names of all parents. Forms made from XML have some hundred characters. */
const MAX_NAME_LENGTH = 4_096

type Node = {
  readonly value: PdfValue
  readonly prefix: string
  readonly type: PdfValue
  readonly depth: number
}

function walkFields(pdf: Pdf, form: PdfDict, read: (value: PdfValue) => PdfValue): Omit<Form, "dict"> {
  const names = new Set<string>()
  const signatureFields: SignatureField[] = []
  const valueFields: ValueField[] = []
  const seen = new Set<number>()
  const stack: Node[] = list(pdf, form, "Fields").map((value) => ({
    value,
    prefix: "",
    type: null,
    depth: 1,
  }))
  stack.reverse()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { value, prefix, depth } = node
    if (depth > MAX_NESTING) throw new PdfRefused("too-complex", "The form is nested too deeply.")
    if (isRef(value)) {
      if (seen.has(value.number)) throw corrupt("The form is not a tree.")
      seen.add(value.number)
    }
    const dict = resolve(pdf, value)
    if (!isDict(dict)) continue
    const name = fieldName(pdf, dict, prefix)
    // 12.7.4.1: a kid without a name of its own is a widget of its parent.
    if (depth > 1 && name === prefix) continue
    names.add(name)
    const type = resolve(pdf, entry(dict, "FT")) ?? node.type
    const kids = list(pdf, dict, "Kids")
    if (!hasNamedKid(pdf, kids)) {
      const field = { name, ref: isRef(value) ? value : undefined, dict }
      if (isName(type, "Sig")) {
        const signature = read(entry(dict, "V"))
        signatureFields.push({ ...field, signature: isDict(signature) ? signature : undefined })
      } else valueFields.push(field)
    }
    for (const kid of kids.toReversed()) stack.push({ value: kid, prefix: name, type, depth: depth + 1 })
  }
  return { names, signatureFields, valueFields }
}

function hasNamedKid(pdf: Pdf, kids: readonly PdfValue[]): boolean {
  return kids.some((kid) => {
    const dict = resolve(pdf, kid)
    return isDict(dict) && entry(dict, "T") !== null
  })
}

function fieldName(pdf: Pdf, dict: PdfDict, prefix: string): string {
  const partial = resolve(pdf, entry(dict, "T"))
  if (typeof partial !== "object" || partial?.type !== "string") return prefix
  const name = prefix === "" ? textOf(partial) : `${prefix}.${textOf(partial)}`
  if (name.length > MAX_NAME_LENGTH) throw new PdfRefused("too-complex", "The name of a field is too long.")
  // Every kid repeats the names of its parents, so all names together may be much longer than the file.
  spendScanned(pdf.budget, name.length)
  return name
}

function list(pdf: Pdf, dict: PdfDict, key: string): readonly PdfValue[] {
  const value = resolve(pdf, entry(dict, key))
  if (value !== null && !isArray(value)) throw corrupt(`${key} of the form is not an array.`)
  return value === null ? [] : value.items
}
