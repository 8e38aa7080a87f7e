// Finds everything in a PDF whose display depends on a condition, and the form fields whose text a renderer has to compare.
// What differs between screen and print by drawing alone is found by rendering (gateways/src/pdf/view-check.ts).

import type { Pdf } from "../structure/document.ts"
import { isArray, isDict, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { checkActions } from "./actions.ts"
import { checkAnnotation } from "./annotations.ts"
import { type ContentStreams, noContentStreams, noteContentStream, noteGlyphs } from "./content-streams.ts"
import { checkDrawing } from "./drawing.ts"
import { checkFileSpecification } from "./embedded-executables.ts"
import { type ConditionalContent, type Findings, newFindings } from "./finding.ts"
import { checkFormValues, type ShownField } from "./form-values.ts"
import { checkLayers, noteLayers, noUsedLayers, type UsedLayers } from "./layers.ts"
import { checkContents } from "./page-content.ts"
import { checkPageStructure } from "./page-structure.ts"
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
  readonly object: (number: number, value: PdfValue, isStream: boolean) => void
  /** To be called for a reference whose generation is not that of its object. */
  readonly wrongGeneration: (number: number) => void
  readonly end: () => Conditional
}

export function beginConditional(pdf: Pdf): ConditionalCheck {
  const check: Check = {
    pdf,
    findings: newFindings(),
    layers: noUsedLayers(),
    streams: noContentStreams(),
    hasWidgets: false,
  }
  const { findings, layers, streams } = check
  return {
    object: (number, value, isStream) => {
      if (isStream && isDict(value)) noteContentStream(pdf, streams, number, value)
      checkObject(check, number, value)
    },
    wrongGeneration: (number) =>
      findings.report("reader-dependent", number, "A reference has another generation than its object"),
    end: () => {
      checkPageStructure(pdf, findings)
      checkLayers(pdf, findings, layers, checkContents(pdf, findings, streams))
      const shownFields = checkFormValues(pdf, findings, check.hasWidgets)
      return { found: findings.list(), shownFields, hasLayers: layers.isUsed }
    },
  }
}

type Check = {
  readonly pdf: Pdf
  readonly findings: Findings
  readonly layers: UsedLayers
  readonly streams: ContentStreams
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
  checkDrawing(pdf, findings, number, value)
  noteLayers(pdf, layers, number, value)
  noteGlyphs(pdf, check.streams, value)
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
