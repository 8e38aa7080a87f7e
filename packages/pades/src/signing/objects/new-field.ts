// A new signature field (ISO 32000-2, 12.7.5.5), which is its own widget, on a page or without one.

import { type AppearanceParts, appearanceObjects } from "../../appearance/appearance-objects.ts"
import type { Form } from "../../content/form.ts"
import { type Page, type PagePlace, pagesAt, placeOnPage } from "../../content/page.ts"
import type { Shown } from "../../content/page-frame.ts"
import { corrupt } from "../../syntax/scan.ts"
import { entry, isRef, type PdfDict, type PdfRef } from "../../syntax/value.ts"
import { append, create, type Edits, include } from "../../write/edits.ts"
import { writeNumbers, writeRef, writeTextString } from "../../write/syntax.ts"
import { addFields } from "./acro-form.ts"

export type NewField = {
  readonly name: string
  /** A reference to the signature. */
  readonly signature: string
  /** Without a place the field is invisible. */
  readonly place?: PagePlace | undefined
  /** Where the same signature is shown again. */
  readonly alsoAt?: readonly PagePlace[] | undefined
  readonly appearance?: AppearanceParts | undefined
  /** A reference to the lock dictionary (table 235). */
  readonly lock?: string | undefined
}

/**
 * 12.7.5.5: a signature field "shall never refer to more than one annotation", so a signature that is shown at several
 * places is the value of several fields, the second one with a 2 behind its name.
 */
export function addSignatureField(edits: Edits, form: Form, field: NewField): void {
  const places = [field.place, ...(field.alsoAt ?? [])]
  const pages = pagesAt(
    edits.pdf,
    places.map((place) => place?.page ?? 0),
  )
  const look = sharedLooks(edits, field.appearance)
  const taken = new Set<string>()
  const fields: string[] = []
  for (const [index, page] of pages) {
    const { ref, dict } = ownPage(page, taken)
    const ofPage = [...places.entries()].filter(([, place]) => (place?.page ?? 0) === index)
    const widgets = ofPage.map(([i, place]) => {
      const shown = place && placeOnPage(edits.pdf, page, place)
      const name = fieldNameAt(field.name, i)
      const { signature, lock } = field
      const widget = { name, signature, lock, page: ref, shown, look: look(shown) }
      fields[i] = addWidget(edits, widget)
      return fields[i]
    })
    append(edits, { ref, dict }, "Annots", ...widgets)
  }
  addFields(edits, form, fields)
}

/** One object for all places of one size and turn: most often a person initials every page alike. */
function sharedLooks(edits: Edits, appearance: AppearanceParts | undefined) {
  const looks = new Map<string, string>()
  return (shown: Shown | undefined): string => {
    const key = JSON.stringify([shown?.bbox, shown?.matrix])
    const look = looks.get(key) ?? addAppearance(edits, shown, appearance)
    looks.set(key, look)
    return look
  }
}

/** The name of the field at the place of an index. */
export const fieldNameAt = (name: string, index: number): string =>
  index === 0 ? name : `${name}-${index + 1}`

/** Only an object of its own can be written anew, and what two pages share would be written twice. */
function ownPage({ ref, lineage: [dict] }: Page, taken: Set<string>): { ref: PdfRef; dict: PdfDict } {
  if (dict === undefined || ref === undefined) throw corrupt("The page is not an object of its own.")
  const annotations = entry(dict, "Annots")
  if (isRef(annotations)) {
    if (taken.has(writeRef(annotations))) throw corrupt("Two pages share their annotations.")
    taken.add(writeRef(annotations))
  }
  return { ref, dict }
}

type NewWidget = {
  readonly name: string
  readonly signature: string
  readonly lock: string | undefined
  readonly page: PdfRef
  readonly shown: Shown | undefined
  readonly look: string
}

function addWidget(edits: Edits, { name, signature, lock, page, shown, look }: NewWidget): string {
  const lines = [
    "<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig",
    `/T ${writeTextString(name)}`,
    `/V ${signature}`,
    `/P ${writeRef(page)}`,
    `/Rect ${writeNumbers(shown?.rect ?? [0, 0, 0, 0])}`,
    PRINT_AND_LOCKED,
    ...(lock === undefined ? [] : [`/Lock ${lock}`]),
    `/AP << /N ${look} >>\n>>`,
  ]
  return create(edits, lines.join("\n"))
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
  addFields(edits, form, [create(edits, lines.join("\n"))])
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
