import { Refusal, type RefusalCode } from "../refusal.ts"
import type { Inspection, PdfDescription, ViewFinding, ViewReason } from "./model.ts"

/** What a signer sees is what is signed, so a document has one view: on screen, in print, at every zoom, in every reader. */

const CODES: Readonly<Record<ViewReason, RefusalCode>> = {
  "annotation-visibility": "pdf-ambiguous-view",
  "annotation-appearance": "pdf-ambiguous-view",
  "layer-visibility": "pdf-ambiguous-view",
  "image-alternates": "pdf-ambiguous-view",
  "need-appearances": "pdf-ambiguous-view",
  "field-value": "pdf-ambiguous-view",
  "screen-print-difference": "pdf-ambiguous-view",
  "reader-dependent": "pdf-ambiguous-view",
  action: "pdf-active-content",
  "embedded-executable": "pdf-embedded-executable",
  "page-not-renderable": "pdf-not-renderable",
  "render-budget": "pdf-not-renderable",
}

/** The refusal is that of the first finding; its detail names all of them. */
export function mustHaveOneView(
  view: readonly ViewFinding[],
  { signatureFields }: Pick<PdfDescription, "signatureFields">,
): void {
  const [first] = view
  if (first === undefined) return
  const isSigned = signatureFields.some(({ signed }) => signed)
  throw new Refusal(
    CODES[first.reason],
    [...view.map(({ detail }) => detail), wayOut(view, isSigned)].join(" "),
  )
}

function wayOut(view: readonly ViewFinding[], isSigned: boolean): string {
  if (!view.every(({ reason }) => isFlattened(reason))) return "Send a PDF that can be rendered."
  return isSigned
    ? "The PDF is signed, so it cannot be flattened."
    : "Upload it with flatten=true to remove this and keep what is printed."
}

/** A signed document is never changed, and one that cannot be rendered cannot be compared with its flattened form. */
export function needsFlattening({ view, active, locked, signatureFields }: Inspection): boolean {
  if (locked || signatureFields.some(({ signed }) => signed)) return false
  const isFound = view.length > 0 || active.length > 0
  return isFound && view.every(({ reason }) => isFlattened(reason))
}

/** Flattening draws pages, so it cannot help where a page cannot be drawn. */
const isFlattened = (reason: ViewReason): boolean => CODES[reason] !== "pdf-not-renderable"
