// The objects of a new, invisible signature field (ISO 32000-2, 12.7.5.5) and of those that must name it: the page and
// the form. What was an object of its own before stays one.

import type { Pdf } from "../read/document.ts"
import { resolve } from "../read/document.ts"
import type { Form } from "../read/form.ts"
import type { Page } from "../read/page.ts"
import { corrupt } from "../read/scan.ts"
import { entry, isArray, isRef, type PdfDict, type PdfRef } from "../read/value.ts"
import type { NewObject } from "./revision.ts"
import { amendDict, appendItem, appendToArray, latin1, writeRef, writeTextString } from "./syntax.ts"

export function signatureFieldObjects(
  pdf: Pdf,
  form: Form,
  page: Page,
  field: { readonly name: string; readonly signatureNumber: number },
): readonly NewObject[] {
  const widgetNumber = field.signatureNumber + 1
  const appearanceNumber = widgetNumber + 1
  const widget = `${widgetNumber} 0 R`
  return [
    created(widgetNumber, writeWidget(page, field, appearanceNumber)),
    created(appearanceNumber, EMPTY_APPEARANCE),
    withAnnotation(pdf, page, widget),
    ...withField(pdf, form, widget, appearanceNumber + 1),
  ]
}

// PDF/A (ISO 19005-1, 6.9): every form field has an appearance, so an invisible one has an empty one.
const EMPTY_APPEARANCE =
  "<< /Type /XObject /Subtype /Form /BBox [0 0 0 0] /Resources << >> /Length 0 >>\nstream\n\nendstream"

// /F 132 is Print and Locked; PDF/A forbids Hidden and NoView.
function writeWidget(
  { ref }: Page,
  { name, signatureNumber }: { readonly name: string; readonly signatureNumber: number },
  appearanceNumber: number,
): string {
  if (ref === undefined) throw corrupt("The first page is not an object of its own.")
  return [
    "<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig",
    `/T ${writeTextString(name)}`,
    `/V ${signatureNumber} 0 R`,
    `/P ${writeRef(ref)}`,
    "/Rect [0 0 0 0]\n/F 132",
    `/AP << /N ${appearanceNumber} 0 R >>\n>>`,
  ].join("\n")
}

function withAnnotation(pdf: Pdf, page: Page, widget: string): NewObject {
  const [dict] = page.lineage
  if (dict === undefined || page.ref === undefined)
    throw corrupt("The first page is not an object of its own.")
  return (
    withItem(pdf, { ref: page.ref, dict }, "Annots", widget) ??
    amended(page.ref, dict, {
      Annots: appendToArray(dict, "Annots", widget),
    })
  )
}

/** The array under `key` with one more item, if it is an object of its own. */
function withItem(
  pdf: Pdf,
  { dict }: { ref: PdfRef; dict: PdfDict },
  key: string,
  item: string,
): NewObject | undefined {
  const value = entry(dict, key)
  const array = resolve(pdf, value)
  if (array !== null && !isArray(array)) throw corrupt(`${key} is not an array.`)
  if (!isRef(value) || array === null) return undefined
  return { number: value.number, generation: value.generation, body: latin1(appendItem(array, item)) }
}

// 12.7.3, table 225: SignaturesExist and AppendOnly.
const SIGNATURES_EXIST_APPEND_ONLY = 3

function withField(pdf: Pdf, form: Form, widget: string, newFormNumber: number): readonly NewObject[] {
  const formValue = entry(pdf.catalog, "AcroForm")
  if (form.dict === undefined) {
    const body = `<< /Fields [${widget}] /SigFlags ${SIGNATURES_EXIST_APPEND_ONLY} >>`
    return [
      amended(pdf.catalogRef, pdf.catalog, { AcroForm: `${newFormNumber} 0 R` }),
      created(newFormNumber, body),
    ]
  }
  const { dict } = form
  const owner = isRef(formValue) ? formValue : pdf.catalogRef
  const fields = withItem(pdf, { ref: owner, dict }, "Fields", widget)
  const flags = resolve(pdf, entry(dict, "SigFlags"))
  const known = typeof flags === "number" ? flags : 0
  if (fields !== undefined && (known & SIGNATURES_EXIST_APPEND_ONLY) === SIGNATURES_EXIST_APPEND_ONLY)
    return [fields]

  const changes = {
    ...(fields === undefined ? { Fields: appendToArray(dict, "Fields", widget) } : {}),
    SigFlags: String(known | SIGNATURES_EXIST_APPEND_ONLY),
  }
  const holder = isRef(formValue)
    ? amended(formValue, dict, changes)
    : amended(pdf.catalogRef, pdf.catalog, {
        AcroForm: Buffer.from(amendDict(dict, changes)).toString("latin1"),
      })
  return fields === undefined ? [holder] : [fields, holder]
}

function created(number: number, body: string): NewObject {
  return { number, generation: 0, body: latin1(body) }
}

function amended(
  { number, generation }: PdfRef,
  dict: PdfDict,
  changes: Readonly<Record<string, string>>,
): NewObject {
  return { number, generation, body: amendDict(dict, changes) }
}
