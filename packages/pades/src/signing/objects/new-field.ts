// A new signature field (ISO 32000-2, 12.7.5.5), which is its own widget, on a page or without one.

import { type AppearanceParts, appearanceObjects } from "../../appearance/appearance-objects.ts"
import type { Form } from "../../content/form.ts"
import { type PagePlace, pageAt, placeOnPage } from "../../content/page.ts"
import type { Shown } from "../../content/page-frame.ts"
import { corrupt } from "../../syntax/scan.ts"
import { append, create, type Edits, include } from "../../write/edits.ts"
import { writeNumbers, writeRef, writeTextString } from "../../write/syntax.ts"
import { addField } from "./acro-form.ts"

export type NewField = {
  readonly name: string
  /** A reference to the signature. */
  readonly signature: string
  /** Without a place the field is invisible. */
  readonly place?: PagePlace | undefined
  readonly appearance?: AppearanceParts | undefined
}

export function addSignatureField(edits: Edits, form: Form, field: NewField): void {
  const { ref, lineage } = pageAt(edits.pdf, field.place?.page ?? 0)
  const [dict] = lineage
  if (dict === undefined || ref === undefined) throw corrupt("The page is not an object of its own.")
  const shown = field.place === undefined ? undefined : placeOnPage(edits.pdf, { ref, lineage }, field.place)
  const lines = [
    "<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig",
    `/T ${writeTextString(field.name)}`,
    `/V ${field.signature}`,
    `/P ${writeRef(ref)}`,
    `/Rect ${writeNumbers(shown?.rect ?? [0, 0, 0, 0])}`,
    PRINT_AND_LOCKED,
    `/AP << /N ${addAppearance(edits, shown, field.appearance)} >>\n>>`,
  ]
  const widget = create(edits, lines.join("\n"))
  append(edits, { ref, dict }, "Annots", widget)
  addField(edits, form, widget)
}

// PDF/A forbids Hidden and NoView.
const PRINT_AND_LOCKED = "/F 132"

/**
 * The field of a document time-stamp: on no page and without an appearance. With either, the time-stamp would be more
 * than the addition of validation data, which is all that a certification without changes (12.8.2.2, P 1) leaves room for.
 */
export function addTimestampField(edits: Edits, form: Form, name: string, signature: string): void {
  const lines = [
    "<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig",
    `/T ${writeTextString(name)}`,
    `/V ${signature}`,
    "/Rect [0 0 0 0]",
    `${PRINT_AND_LOCKED}\n>>`,
  ]
  addField(edits, form, create(edits, lines.join("\n")))
}

/** PDF/A (ISO 19005-1, 6.9): every form field has an appearance, so an invisible one has an empty one. */
export function addAppearance(
  edits: Edits,
  shown: Shown | undefined,
  parts: AppearanceParts | undefined,
): string {
  if (shown === undefined || parts === undefined) return create(edits, EMPTY_APPEARANCE)
  const { bbox, matrix } = shown
  return include(edits, (firstNumber) => appearanceObjects(parts, { firstNumber, bbox, matrix }))
}

const EMPTY_APPEARANCE =
  "<< /Type /XObject /Subtype /Form /BBox [0 0 0 0] /Resources << >> /Length 0 >>\nstream\n\nendstream"
