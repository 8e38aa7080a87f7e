// The pages of form fields: ISO 32000-2, 12.5.2 makes the page that lists a widget its page.

import { pages } from "../content/page.ts"
import type { Pdf } from "../structure/document.ts"
import { isRef } from "../syntax/value.ts"
import type { ShownField } from "./form-values.ts"
import { readItems } from "./read-value.ts"

/** Pages are counted from 0. */
export type PlacedField = Omit<ShownField, "widget"> & { readonly page: number }

/** A widget that no page lists is not shown. */
export function placeFields(pdf: Pdf, fields: readonly ShownField[]): readonly PlacedField[] {
  if (fields.length === 0) return []
  const byWidget = new Map(fields.map((field) => [field.widget, field]))
  const placed: PlacedField[] = []
  let index = 0
  for (const { lineage } of pages(pdf)) {
    const [page = pdf.catalog] = lineage
    for (const item of readItems(pdf, page, "Annots")) {
      const field = isRef(item) ? byWidget.get(item.number) : undefined
      if (field !== undefined)
        placed.push({ name: field.name, rect: field.rect, text: field.text, page: index })
    }
    index += 1
  }
  return placed
}
