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

/** What the call that was refused can do: it was asked to flatten, or could be, or has no such member. */
export type Flattening = "asked" | "possible" | "elsewhere"

type Refused = Pick<PdfDescription, "signatureFields"> & { readonly flattening: Flattening }

/** The refusal is that of the first finding; its detail names all of them. */
export function mustHaveOneView(view: readonly ViewFinding[], refused: Refused): void {
  const [first] = view
  if (first === undefined) return
  throw new Refusal(
    CODES[first.reason],
    [...view.map(({ detail }) => detail), wayOut(view, refused)].join(" "),
  )
}

export function mustNotBeActive(
  active: readonly string[],
  view: readonly ViewFinding[],
  refused: Refused,
): void {
  if (active.length > 0) throw new Refusal("pdf-active-content", [...active, wayOut(view, refused)].join(" "))
}

/** The console looks for "Upload it with flatten=true" (apps/console/src/api/problem.ts). */
const WAYS_OUT: Readonly<Record<Flattening, string>> = {
  asked: "Flattening does not remove this. Print it into a new PDF and upload that one.",
  possible: "Upload it with flatten=true to remove this and keep what is printed.",
  elsewhere:
    "Upload it to POST /documents with flatten=true first, which removes this and keeps what is printed, and use that document.",
}

function wayOut(view: readonly ViewFinding[], { signatureFields, flattening }: Refused): string {
  if (!view.every(({ reason }) => isFlattened(reason))) return "Send a PDF that can be rendered."
  if (signatureFields.some(({ signed }) => signed)) return "The PDF is signed, so it cannot be flattened."
  return WAYS_OUT[flattening]
}

/** A signed document is never changed, and one that cannot be rendered cannot be compared with its flattened form. */
export function needsFlattening({ view, active, locked, signatureFields }: Inspection): boolean {
  if (locked || signatureFields.some(({ signed }) => signed)) return false
  const isFound = view.length > 0 || active.length > 0
  return isFound && view.every(({ reason }) => isFlattened(reason))
}

/** Flattening draws pages, so it cannot help where a page cannot be drawn. */
const isFlattened = (reason: ViewReason): boolean => CODES[reason] !== "pdf-not-renderable"
