// Finds everything in a PDF whose display depends on a condition, and the form fields whose text a renderer has to compare.
// What differs between screen and print by drawing alone is found by rendering (gateways/src/pdf/view-check.ts).

import type { Pdf } from "../structure/document.ts"
import { isArray, isDict, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { checkActions } from "./actions.ts"
import { checkAnnotation } from "./annotations.ts"
import { checkFileSpecification } from "./embedded-executables.ts"
import { type ConditionalContent, type Findings, newFindings } from "./finding.ts"
import { checkFormValues, type ShownField } from "./form-values.ts"
import { checkLayers, noteLayers, noUsedLayers, type UsedLayers } from "./layers.ts"
import { checkPageContents } from "./page-content.ts"
import { readItems, readName } from "./read-value.ts"
import { checkReaderFeatures } from "./reader-features.ts"

export type Conditional = {
  /** Each with a sentence; empty for an ordinary document. */
  readonly found: readonly ConditionalContent[]
  readonly shownFields: readonly ShownField[]
  /** Some object uses optional content (8.11), so any page may look different in print. */
  readonly hasLayers: boolean
}

export type ConditionalCheck = {
  /** To be called for every object that the catalog leads to. */
  readonly object: (number: number, value: PdfValue) => void
  readonly end: () => Conditional
}

export function beginConditional(pdf: Pdf): ConditionalCheck {
  const check: Check = { pdf, findings: newFindings(), layers: noUsedLayers(), hasWidgets: false }
  const { findings, layers } = check
  return {
    object: (number, value) => checkObject(check, number, value),
    end: () => {
      checkLayers(pdf, findings, layers)
      checkPageContents(pdf, findings)
      const shownFields = checkFormValues(pdf, findings, check.hasWidgets)
      return { found: findings.list(), shownFields, hasLayers: layers.isUsed }
    },
  }
}

type Check = {
  readonly pdf: Pdf
  readonly findings: Findings
  readonly layers: UsedLayers
  hasWidgets: boolean
}

function checkObject(check: Check, number: number, value: PdfValue): void {
  if (isArray(value)) for (const item of value.items) checkObject(check, number, item)
  if (!isDict(value)) return
  const { pdf, findings, layers } = check
  checkAnnotation(pdf, findings, number, value)
  checkActions(pdf, findings, number, value)
  checkFileSpecification(pdf, findings, number, value)
  checkImage(pdf, findings, number, value)
  checkReaderFeatures(pdf, findings, number, value)
  noteLayers(pdf, layers, number, value)
  if (value.entries.has("Rect")) check.hasWidgets ||= isWidget(pdf, value)
  for (const { value: inner } of value.entries.values())
    if (typeof inner === "object") checkObject(check, number, inner)
}

const isWidget = (pdf: Pdf, annotation: PdfDict): boolean =>
  readName(pdf, annotation, "Subtype") === "Widget" ||
  ["FT", "V", "Parent"].some((key) => annotation.entries.has(key))

/** 8.9.5.4: other versions of an image, one of them for printing. */
function checkImage(pdf: Pdf, findings: Findings, number: number, dict: PdfDict): void {
  if (dict.entries.has("Alternates") && readItems(pdf, dict, "Alternates").length > 0)
    findings.report("image-alternates", number, "An image has another version for print (/Alternates)")
}
