import { LIMITS } from "../limits.ts"
import type { Position, SignatureRequest, VisualSignature } from "../signature-request/model.ts"
import type { Document, PdfDescription } from "./model.ts"

/**
 * What is wrong with the place of a signature (part 2.3), as a sentence; null when it can stand there. To be asked of the
 * newest version of a document, which knows the fields that were signed meanwhile.
 */
export function visualFault(
  document: Pick<Document, "signatureFields" | keyof Sized>,
  visual: VisualSignature | null,
): string | null {
  if (visual === null) return null
  if (visual.type === "form-field") return formFieldFault(document, visual.name)
  const { positions } = visual
  if (positions.length === 0) return "A signature with positions has at least one."
  if (positions.length > LIMITS.positionsPerSignature)
    return `A signature has at most ${LIMITS.positionsPerSignature} positions.`
  for (const position of positions) {
    const fault = positionFault(document, position)
    if (fault !== null) return fault
  }
  return null
}

/** Each signer has a place of their own (part 2.3); places may overlap, but a field is signed once. */
export function visualsFault(request: Pick<SignatureRequest, "signatures" | "groups">): string | null {
  const ofGroups = request.groups.flatMap((group) => group.marks)
  if (ofGroups.some(({ visual }) => visual?.type === "form-field"))
    return "A form field is signed by one person, not by a group."
  const taken = new Set<string>()
  const shown = new Map<string, number>()
  for (const { documentId, visual } of request.signatures.flatMap((signature) => signature.marks)) {
    if (visual?.type === "positions") {
      const count = (shown.get(documentId) ?? 0) + visual.positions.length
      if (count > LIMITS.positionsPerDocument)
        return `The signatures of a document are shown at ${LIMITS.positionsPerDocument} places at most.`
      shown.set(documentId, count)
    }
    if (visual?.type !== "form-field") continue
    const field = `${documentId} ${visual.name}`
    if (taken.has(field)) return `The form field "${visual.name}" is asked for twice.`
    taken.add(field)
  }
  return null
}

/** Where a mark stands in its document. */
export type Placing = {
  readonly fieldName: string
  /** An existing field has its places; a new one is made for them. */
  readonly field: "existing" | "new"
  /** Where it is seen; nowhere for an invisible one. */
  readonly positions: readonly Position[]
}

/** Without an enforced place the mark is a new field, named by the service, that is not seen. */
export function placingOf(
  document: Pick<Document, "signatureFields">,
  visual: VisualSignature | null,
  newFieldName: string,
): Placing {
  if (visual?.type !== "form-field")
    return { fieldName: newFieldName, field: "new", positions: visual?.positions ?? [] }
  const positions = fieldOf(document, visual.name)?.positions ?? []
  return { fieldName: visual.name, field: "existing", positions }
}

type Sized = Pick<PdfDescription, "pageCount" | "pageWidth" | "pageHeight" | "pageSizes">

const fieldOf = ({ signatureFields }: Pick<Document, "signatureFields">, name: string) =>
  signatureFields.find((field) => field.name === name)

function formFieldFault(document: Pick<Document, "signatureFields">, name: string): string | null {
  const field = fieldOf(document, name)
  if (field === undefined) return `The document has no signature field of the name "${name}".`
  return field.signed ? `The form field "${name}" is signed already.` : null
}

/** Pages are told in whole points, so half a point beyond the edge is meant to be the edge. */
const ROUNDED_OFF = 0.5

/** In points: what is thinner is no place that anybody sees. */
const MIN_SIDE = 1

function positionFault(document: Sized, { page, x, y, width, height }: Position): string | null {
  if (!Number.isInteger(page) || page < 0 || page >= document.pageCount)
    return `The document has no page ${page}; the first one is 0, the last one ${document.pageCount - 1}.`
  // In this form, because a comparison with what is not a number is false.
  if (!(width >= MIN_SIDE && height >= MIN_SIDE))
    return `The position on page ${page} must be at least ${MIN_SIDE} point wide and high.`
  const size = pageSizeOf(document, page)
  const fits =
    x >= 0 &&
    y >= 0 &&
    x < size.width &&
    y < size.height &&
    x + width <= size.width + ROUNDED_OFF &&
    y + height <= size.height + ROUNDED_OFF
  return fits ? null : `The position does not lie in page ${page}, which is ${spelled(size)} points.`
}

const spelled = ({ width, height }: Size) => `${rounded(width)} × ${rounded(height)}`
const rounded = (points: number) => Math.round(points * 100) / 100

type Size = { readonly width: number; readonly height: number }

/** ISO 32000-2, Annex C: no page is larger than 200 inches. */
const LARGEST: Size = { width: 14_400, height: 14_400 }

/** A page that was not measured is judged when the signature is made, which has the file before it. */
export function pageSizeOf({ pageSizes, pageWidth, pageHeight }: Sized, page: number): Size {
  if (pageSizes === null) return page === 0 ? { width: pageWidth, height: pageHeight } : LARGEST
  let from = 0
  for (const run of pageSizes) {
    from += run.count
    if (page < from) return run
  }
  return LARGEST
}
