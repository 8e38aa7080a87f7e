// An empty signature field that the author of the document placed is filled (ISO 32000-2, 12.7.5.5): it keeps its
// rectangle, page, look and widgets, and gets a value and what is shown.

import type { AppearanceParts } from "../../appearance/appearance-objects.ts"
import type { Form, SignatureField } from "../../content/form.ts"
import { widgetShown } from "../../content/page.ts"
import type { Shown } from "../../content/page-frame.ts"
import { type Pdf, resolve } from "../../structure/document.ts"
import { corrupt } from "../../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfRef } from "../../syntax/value.ts"
import { amend, type Edits } from "../../write/edits.ts"
import { setSignatureFlags } from "./acro-form.ts"
import { addAppearance } from "./new-field.ts"

export function fillField(
  edits: Edits,
  form: Form,
  { ref, dict }: SignatureField,
  filling: {
    readonly signature: string
    readonly appearance?: AppearanceParts | undefined
    /** A reference to the lock dictionary (table 235). */
    readonly lock?: string | undefined
  },
): void {
  if (ref === undefined) throw corrupt("The signature field is not an object of its own.")
  for (const widget of widgetsOf(edits.pdf, ref, dict)) {
    const shown = widgetShown(edits.pdf, widget.dict)
    if (!needsAppearance(edits.pdf, widget.dict, shown, filling.appearance)) continue
    amend(edits, widget, { AP: `<< /N ${addAppearance(edits, shown, filling.appearance)} >>` })
  }
  const { signature, lock } = filling
  amend(edits, { ref, dict }, { V: signature, ...(lock !== undefined && { Lock: lock }) })
  if (form.dict !== undefined) setSignatureFlags(edits, form.dict)
}

// Nobody asked for a picture: what the author drew stays. A field that shows nothing at all gets nothing, in writing.
function needsAppearance(
  pdf: Pdf,
  widget: PdfDict,
  shown: Shown | undefined,
  parts: AppearanceParts | undefined,
): boolean {
  return (shown !== undefined && parts !== undefined) || resolve(pdf, entry(widget, "AP")) === null
}

// 12.7.4.1: field and widget are one object, unless the field has kids without a name.
function widgetsOf(pdf: Pdf, ref: PdfRef, dict: PdfDict): readonly { ref: PdfRef; dict: PdfDict }[] {
  const kids = resolve(pdf, entry(dict, "Kids"))
  if (!isArray(kids) || kids.items.length === 0) return dict.entries.has("Rect") ? [{ ref, dict }] : []
  return kids.items.map((kid) => {
    const widget = resolve(pdf, kid)
    if (!isRef(kid) || !isDict(widget)) throw corrupt("A widget of the signature field is not an object.")
    return { ref: kid, dict: widget }
  })
}
