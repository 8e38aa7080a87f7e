// Finds everything in a PDF whose display depends on a condition, and the form fields whose text a renderer has to compare.
// What differs between screen and print by drawing alone is found by rendering (gateways/src/pdf/show-child.ts).

import type { Pdf } from "../structure/document.ts"
import { isArray, isDict, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { checkActions } from "./actions.ts"
import { checkAnnotation } from "./annotations.ts"
import { checkFileSpecification } from "./embedded-executables.ts"
import { type ConditionalContent, type Findings, newFindings } from "./finding.ts"
import { checkFormValues, type ShownField } from "./form-values.ts"
import { checkLayers } from "./layers.ts"
import { readItems } from "./read-value.ts"

export type Conditional = {
  /** Each with a sentence; empty for an ordinary document. */
  readonly found: readonly ConditionalContent[]
  readonly shownFields: readonly ShownField[]
}

export type ConditionalCheck = {
  /** To be called for every object that the catalog leads to. */
  readonly object: (number: number, value: PdfValue) => void
  readonly end: () => Conditional
}

export function beginConditional(pdf: Pdf): ConditionalCheck {
  const findings = newFindings()
  return {
    object: (number, value) => checkObject(pdf, findings, number, value),
    end: () => {
      checkLayers(pdf, findings)
      const shownFields = checkFormValues(pdf, findings)
      return { found: findings.list(), shownFields }
    },
  }
}

function checkObject(pdf: Pdf, findings: Findings, number: number, value: PdfValue): void {
  if (isArray(value)) for (const item of value.items) checkObject(pdf, findings, number, item)
  if (!isDict(value)) return
  checkAnnotation(pdf, findings, number, value)
  checkActions(pdf, findings, number, value)
  checkFileSpecification(pdf, findings, number, value)
  checkImage(pdf, findings, number, value)
  for (const { value: inner } of value.entries.values())
    if (typeof inner === "object") checkObject(pdf, findings, number, inner)
}

/** 8.9.5.4: other versions of an image, one of them for printing. */
function checkImage(pdf: Pdf, findings: Findings, number: number, dict: PdfDict): void {
  if (dict.entries.has("Alternates") && readItems(pdf, dict, "Alternates").length > 0)
    findings.report("image-alternates", number, "An image has another version for print (/Alternates)")
}
