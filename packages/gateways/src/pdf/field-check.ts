// Compares the value of each text field with the text that its appearance shows. The appearance is drawn into the page in memory,
// and what the page shows without it is left out.

import type { PDFiumDocument } from "@hyzyla/pdfium"
import type { ShownField } from "@paraph/pades/conditional-fields"
import { fieldPixels, hideFields } from "./field-pixels.ts"
import { type Character, charactersOf, textIn } from "./field-text.ts"
import type { Module } from "./pdfium.ts"
import type { ScreenOnlyBox, ViewFinding } from "./view-check.ts"
import type { PointRect } from "./view-page.ts"

const MAX_FINDINGS = 10
const MAX_QUOTED_CHARACTERS = 60

/** `open` gives a copy of the document. Undefined when the budget is spent. */
export function fieldsShowingOtherText(
  module: Module,
  open: () => PDFiumDocument,
  fields: readonly ShownField[],
  isOver: () => boolean,
): readonly ViewFinding[] | undefined {
  const findings: ViewFinding[] = []
  const [shown, hidden] = [open(), open()]
  for (const [page, onPage] of Map.groupBy(fields, (field) => field.page)) {
    const own = ownCharacters(module, shown, page)
    hideFields(module, hidden, page)
    if (isOver()) return undefined
    const { isVisible } = fieldPixels(module, shown, hidden, page, around(onPage))
    for (const { name, rect, text } of onPage) {
      const visible = own.filter((one) => overlaps(one.box, rect) && (isSpace(one) || isVisible(one)))
      if (letters(textOf(visible)) !== letters(text))
        findings.push({
          reason: "field-value",
          detail: `The field ${quoted(name)} on page ${page + 1} shows ${quoted(textOf(visible))}, and its value is ${quoted(text)}.`,
        })
    }
  }
  return findings.slice(0, MAX_FINDINGS)
}

const isSpace = ({ text }: Character): boolean => letters(text) === ""

const textOf = (characters: readonly Character[]): string => characters.map(({ text }) => text).join("")

function around(fields: readonly ShownField[]): PointRect {
  const sides = (first: 0 | 1) => fields.flatMap(({ rect }) => [rect[first], rect[first === 0 ? 2 : 3]])
  const [x, y] = [sides(0), sides(1)]
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)]
}

/** Some of its ink is in the rectangle. */
function overlaps([left, bottom, right, top]: PointRect, [x1, y1, x2, y2]: PointRect): boolean {
  return (
    Math.min(right, Math.max(x1, x2)) - Math.max(left, Math.min(x1, x2)) >= 0 &&
    Math.min(top, Math.max(y1, y2)) - Math.max(bottom, Math.min(y1, y2)) >= 0
  )
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

/** What the annotations of a page show, without what the page shows below them: as many of a character as there are more. */
function ownCharacters(module: Module, document: PDFiumDocument, page: number): readonly Character[] {
  const below = new Map<string, number>()
  for (const one of charactersOf(module, document, page, "content") ?? [])
    below.set(keyOf(one), (below.get(keyOf(one)) ?? 0) + 1)
  const shown = charactersOf(module, document, page, "with annotations") ?? []
  return shown.filter((one) => {
    const count = below.get(keyOf(one)) ?? 0
    below.set(keyOf(one), count - 1)
    return count <= 0
  })
}

const keyOf = ({ text, x, y }: Character): string => `${text} ${x.toFixed(1)} ${y.toFixed(1)}`

/** Line ends, hyphens at line ends and compatibility forms (ligatures) are the layout's, not the value's. */
const letters = (text: string): string => text.normalize("NFKC").replace(/[\s\p{C}]+/gu, "")

function quoted(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim()
  return `"${plain.length > MAX_QUOTED_CHARACTERS ? `${plain.slice(0, MAX_QUOTED_CHARACTERS)}…` : plain}"`
}
