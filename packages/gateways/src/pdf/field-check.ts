// Compares the value of each text field with the text that its appearance shows. The appearance is drawn into the page in memory,
// and what the page shows without it is left out.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import type { ShownField } from "@paraph/pades/conditional-fields"
import { type Character, charactersOf, textIn } from "./field-text.ts"
import type { Module } from "./pdfium.ts"
import type { ScreenOnlyBox, ViewFinding } from "./view-check.ts"

const MAX_FINDINGS = 10
const MAX_QUOTED_CHARACTERS = 60

/** Undefined when the budget is spent. */
export function fieldsShowingOtherText(
  module: Module,
  document: PDFiumDocument,
  fields: readonly ShownField[],
  isOver: () => boolean,
): readonly ViewFinding[] | undefined {
  const findings: ViewFinding[] = []
  for (const [page, onPage] of Map.groupBy(fields, (field) => field.page)) {
    if (isOver()) return undefined
    const own = ownCharacters(module, document, page)
    for (const { name, rect, text } of onPage)
      if (letters(textIn(own, rect)) !== letters(text))
        findings.push({
          reason: "field-value",
          detail: `The field ${quoted(name)} on page ${page + 1} shows ${quoted(textIn(own, rect))}, and its value is ${quoted(text)}.`,
        })
  }
  return findings.slice(0, MAX_FINDINGS)
}

/** A tick is one character of a font, or none. Undefined when the budget is spent. */
export function boxesWithWords(
  module: Module,
  document: PDFiumDocument,
  boxes: readonly ScreenOnlyBox[],
  isOver: () => boolean,
): readonly ViewFinding[] | undefined {
  const findings: ViewFinding[] = []
  for (const [page, onPage] of Map.groupBy(boxes, (box) => box.page)) {
    if (isOver()) return undefined
    const own = ownCharacters(module, document, page)
    if (onPage.some(({ rect }) => [...letters(textIn(own, rect))].length > 1))
      findings.push({
        reason: "screen-print-difference",
        detail: `Page ${page + 1} looks different on screen and in print: a check box without the Print flag shows words.`,
      })
  }
  return findings.slice(0, MAX_FINDINGS)
}

/** What the annotations of a page show, without what the page shows below them. */
function ownCharacters(module: Module, document: PDFiumDocument, page: number): readonly Character[] {
  const without = new Set((charactersOf(module, document, page, "content") ?? []).map(keyOf))
  const shown = charactersOf(module, document, page, "with annotations") ?? []
  return shown.filter((one) => !without.has(keyOf(one)))
}

const keyOf = ({ text, x, y }: Character): string => `${text} ${x.toFixed(1)} ${y.toFixed(1)}`

/** Line ends, hyphens at line ends and compatibility forms (ligatures) are the layout's, not the value's. */
const letters = (text: string): string => text.normalize("NFKC").replace(/[\s\p{C}]+/gu, "")

function quoted(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim()
  return `"${plain.length > MAX_QUOTED_CHARACTERS ? `${plain.slice(0, MAX_QUOTED_CHARACTERS)}…` : plain}"`
}
