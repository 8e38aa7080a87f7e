import { visualFault } from "../document/visual.ts"
import { LIMITS } from "../limits.ts"
import type { Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Hand, Look, Place, Position, Signature, SignatureRequest } from "./model.ts"

/** As a canvas has it: whole numbers, from the upper left corner; each stroke is x, y, x, y … */
export type Drawing = {
  readonly width: number
  readonly height: number
  readonly strokes: readonly (readonly number[])[]
}

/** What the signer chose to be shown (VIS-07); a picture was sent before. */
export type ChosenLook =
  | { readonly type: "plain" }
  | { readonly type: "typed"; readonly font: Hand }
  | ({ readonly type: "drawn" } & Drawing)
  | { readonly type: "picture"; readonly id: string }

/** A drawing or a picture, kept apart from the request until the signature is made. */
export type KeptLook = {
  readonly id: string
  readonly signatureId: string
  readonly shown:
    | ({ readonly type: "drawn" } & Drawing)
    | { readonly type: "picture"; readonly png: Uint8Array }
}

/** Where the signer put it; null for a document in which it is not to be seen. */
export type ChosenPlace = { readonly documentId: string; readonly position: Position | null }

/** The places as the consent has them, judged under the lock: free ones only, and in the page (VIS-01, VIS-02, VIS-03). */
export async function judgedPlaces(
  tx: Pick<Tx, "findDocument">,
  request: SignatureRequest,
  signature: Signature,
  chosen: readonly ChosenPlace[],
): Promise<readonly Place[]> {
  const places: Place[] = []
  for (const { documentId: shown, position } of chosen) {
    const documentId = documentOf(request, shown)
    const mark = signature.marks.find((m) => m.documentId === documentId)
    if (documentId === undefined || mark === undefined)
      throw new Refusal("constraint-violated", "A place is in a document that is not to be signed.")
    if (mark.visual !== null)
      throw new Refusal("constraint-violated", "The place in this document is fixed by the request.")
    if (position !== null) places.push({ documentId, position })
  }
  if (places.length > LIMITS.placesPerConsent)
    throw new Refusal("constraint-violated", `A person places at most ${LIMITS.placesPerConsent} signatures.`)
  for (const { id, newestId } of request.documents) {
    const positions = places.filter((place) => place.documentId === id).map((place) => place.position)
    if (positions.length === 0) continue
    const document = await tx.findDocument(newestId)
    if (document === null) throw new Error("A document of the request is missing.")
    const fault =
      visualFault(document, { type: "positions", positions }) ?? tooMany(request, id, positions.length)
    if (fault !== null) throw new Refusal("constraint-violated", fault)
  }
  return places
}

/** By the id of any of its versions: somebody may sign while another one places. */
const documentOf = (request: SignatureRequest, version: string): string | undefined =>
  request.documents.find(({ id, newestId }) => id === version || newestId === version)?.id ??
  request.signatures.flatMap((s) => s.marks).find((m) => m.versionId === version)?.documentId

function tooMany(request: SignatureRequest, documentId: string, more: number): string | null {
  const marks = request.signatures.flatMap((s) => s.marks.filter((m) => m.documentId === documentId))
  const enforced = marks.reduce(
    (sum, { visual }) => sum + (visual?.type === "positions" ? visual.positions.length : 0),
    0,
  )
  const chosen = request.signatures.flatMap((s) => s.consent?.places ?? [])
  const count = enforced + chosen.filter((place) => place.documentId === documentId).length + more
  if (count <= LIMITS.positionsPerDocument) return null
  return `The signatures of a document are shown at ${LIMITS.positionsPerDocument} places at most.`
}

/** As the consent has it; a drawing is kept apart, and a picture must be the one that this person sent. */
export async function keptLook(
  tx: Pick<Tx, "keepLook" | "findLook">,
  signatureId: string,
  chosen: ChosenLook,
  made: { readonly id: string; readonly at: Date },
): Promise<Look> {
  if (chosen.type === "plain") return { type: "plain" }
  if (chosen.type === "typed") return { type: "typed", font: chosen.font }
  if (chosen.type === "picture") {
    const kept = await tx.findLook(signatureId)
    if (kept?.id !== chosen.id || kept.shown.type !== "picture")
      throw new Refusal("constraint-violated", "The picture is not there any more. Please send it again.")
    return { type: "picture" }
  }
  const { width, height, strokes } = chosen
  const fault = drawingFault({ width, height, strokes })
  if (fault !== null) throw new Refusal("constraint-violated", fault)
  await tx.keepLook({ id: made.id, signatureId, shown: { type: "drawn", width, height, strokes } }, made.at)
  return { type: "drawn" }
}

function drawingFault({ width, height, strokes }: Drawing): string | null {
  const isSide = (side: number) => Number.isInteger(side) && side >= 1 && side <= LIMITS.canvasSide
  if (!isSide(width) || !isSide(height)) return "A drawing has a size."
  const values = strokes.reduce((sum, stroke) => sum + stroke.length, 0)
  if (values === 0) return "A drawing has at least one stroke."
  if (strokes.length > LIMITS.strokesPerDrawing || values > 2 * LIMITS.pointsPerDrawing)
    return "The drawing has too many strokes."
  const isWithin = (value: number, i: number) =>
    Number.isInteger(value) && value >= 0 && value <= (i % 2 === 0 ? width : height)
  const isStroke = (stroke: readonly number[]) =>
    stroke.length >= 2 && stroke.length % 2 === 0 && stroke.every(isWithin)
  return strokes.every(isStroke) ? null : "A stroke of the drawing leaves its canvas."
}
