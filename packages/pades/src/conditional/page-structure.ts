// What readers take from different places where a page is malformed (ISO 32000-2, 7.7.3): attributes that it inherits, the part of
// it that is shown, and its annotations.

import { box, inherited, type Page, pages } from "../content/page.ts"
import type { Pdf } from "../structure/document.ts"
import { newBudget } from "../syntax/limits.ts"
import { entry, isArray, isRef, type PdfValue } from "../syntax/value.ts"
import { type Findings, NO_OBJECT } from "./finding.ts"
import { checkLinkBorders } from "./link-borders.ts"
import { ifReadable, readEntry, readValue } from "./read-value.ts"

const INHERITABLE = ["Resources", "MediaBox", "CropBox", "Rotate"]
/** Programs round the boxes of a page in different ways. */
const ROUNDING_POINTS = 1

export function checkPageStructure(opened: Pdf, findings: Findings): void {
  const pdf = { ...opened, budget: newBudget(opened.source.length), objectStreams: new Map() }
  let index = 0
  for (const page of pages(opened)) {
    index += 1
    pdf.budget.values = opened.budget.values
    const what = whatDiffers(pdf, page)
    if (what !== undefined)
      findings.report("reader-dependent", page.ref?.number ?? NO_OBJECT, `Page ${index} ${what}`)
    checkLinkBorders(pdf, findings, page, index)
  }
}

function whatDiffers(pdf: Pdf, page: Page): string | undefined {
  const [dict = pdf.catalog] = page.lineage
  if (!hasItsParents(page)) return "names another parent than the node that lists it (/Parent)"
  const nulled = ifReadable(pdf, () => INHERITABLE.find((key) => isNulled(pdf, page, key)))
  if (nulled !== undefined) return `has a ${nulled} that is null, and inherits another one`
  const annotations = ifReadable(pdf, () => readEntry(pdf, dict, "Annots")) ?? null
  if (annotations !== null && !isArray(annotations)) return "has annotations that are no array (/Annots)"
  return isCropped(pdf, page) ? "has a crop box that does not lie in its media box" : undefined
}

/** 7.7.3.3: some readers inherit from the parent that a page names, others from the node that lists it. */
function hasItsParents({ lineage, refs }: Page): boolean {
  return lineage.every((dict, i) => {
    const expected = refs[i + 1]
    const parent = entry(dict, "Parent")
    if (i + 1 === lineage.length) return true
    return expected !== undefined && isRef(parent) && parent.number === expected.number
  })
}

function isNulled(pdf: Pdf, { lineage }: Page, key: string): boolean {
  const values = lineage.filter((dict) => dict.entries.has(key)).map((dict) => readEntry(pdf, dict, key))
  return values.length > 1 && values[0] === null && values.some((value) => value !== null)
}

/** 14.11.2.1 cuts off what lies outside; not every reader does. */
function isCropped(pdf: Pdf, page: Page): boolean {
  return (
    ifReadable(pdf, () => {
      const [media, crop] = ["MediaBox", "CropBox"].map((key) => boxOf(pdf, inherited(pdf, page, key)))
      if (media === undefined || crop === undefined) return false
      const [left, bottom, right, top] = crop
      if (right - left <= 0 || top - bottom <= 0) return true
      const beyond = [media[0] - left, media[1] - bottom, right - media[2], top - media[3]]
      return beyond.some((points) => points > ROUNDING_POINTS)
    }) ?? false
  )
}

const boxOf = (pdf: Pdf, value: PdfValue) => box(pdf, readValue(pdf, value))
