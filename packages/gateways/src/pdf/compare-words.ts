// Fields whose appearance says something else than their value: programs read the one, people the other.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import { saysTheSame } from "@paraph/validation/visual-said"
import type { AllowedArea, Looked } from "./compare-page.ts"
import type { DrawnPage, Rect } from "./drawn-page.ts"
import { textsOfFields } from "./field-text.ts"
import type { Module } from "./pdfium.ts"

/** The places of a page that say otherwise; undefined when time was up. */
export type Otherwise = (page: number, areas: readonly AllowedArea[]) => readonly Rect[] | undefined

/** `open` gives the document once more: its pages are changed when their text is read. */
export function otherwiseIn(module: Module, open: () => PDFiumDocument, isOver: () => boolean): Otherwise {
  let document: PDFiumDocument | undefined
  return (page, areas) => {
    const fields = areas.filter(({ says }) => says !== undefined)
    if (fields.length === 0) return []
    document ??= open()
    const places = fields.map(({ rect }) => ({ page, rect }))
    const texts = textsOfFields(module, document, places, isOver)
    if (texts === undefined) return undefined
    return fields.flatMap(({ rect, says = "" }, i) => (saysTheSame(says, texts[i] ?? "") ? [] : [rect]))
  }
}

export function withOtherwise(looked: Looked, places: readonly Rect[], page: DrawnPage): Looked {
  const [first] = places
  if (first === undefined) return looked
  const { said, spots, whole } = looked
  const framed = places.map((rect) => ({ what: "new" as const, box: page.boxOf(rect, whole) }))
  return {
    ...looked,
    said: { ...said, different: true, kinds: [...said.kinds, "says-otherwise"], area: said.area ?? first },
    spots: [...spots, ...framed],
  }
}
