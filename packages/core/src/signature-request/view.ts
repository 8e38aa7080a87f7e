import type { Document } from "../document/model.ts"
import type { Signer } from "../login/signer.ts"
import type { Clock, Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { type Mark, type Position, type Signature, type SignatureRequest, statusOf } from "./model.ts"
import { type DocumentPlace, placeOf, takenIn } from "./place.ts"
import { hasAgreed } from "./steps/releasing.ts"
import { turn } from "./turn.ts"

/** Which screen the person sees; the state of the request decides it, not the browser. */
export type Screen = "read" | "working" | "release" | "done" | "declined" | "not-your-turn" | "ended"

export type View = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly screen: Screen
  /** The newest version of each document that this person is to sign. */
  readonly documents: readonly Document[]
}

export type ViewParts = { readonly read: Read; readonly now: Clock }

/** Where the mark of this person stands in one of these documents (VIS-01, VIS-06). */
export const placeIn = (view: View, document: Document): DocumentPlace =>
  placeOf(view.request, document, markIn(view, document))

/** Where nothing is offered to them, since it is somebody else's. */
export const takenFrom = (view: View, document: Document): readonly Position[] =>
  takenIn(view.request, document, markIn(view, document))

function markIn({ request, signature }: View, { id: of }: Document): Mark | undefined {
  const uploaded = request.documents.find(({ id, newestId }) => newestId === of || id === of)
  return signature.marks.find((m) => m.documentId === uploaded?.id)
}

export async function viewSignature(parts: ViewParts, signer: Signer): Promise<View> {
  return parts.read(signer.businessId, async (reading) => {
    const request = await reading.findRequest(signer.requestId)
    const signature = request?.signatures.find((s) => s.id === signer.signatureId)
    if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
    const documents = await reading.findDocuments(ownDocuments(request, signature).map((d) => d.newestId))
    return { request, signature, screen: screenOf(request, signature, parts.now()), documents }
  })
}

/** What this person is asked to sign; who signs some of the documents does not see the others (decisions, "v3 create"). */
export const ownDocuments = (request: SignatureRequest, { marks }: Signature) =>
  request.documents.filter(({ id }) => marks.some((m) => m.documentId === id))

/**
 * A document of theirs in any of its versions: somebody else may sign while this person still reads.
 * Nobody reads other documents through a signing session.
 */
export async function viewDocument(parts: ViewParts, signer: Signer, id: string): Promise<Document> {
  const { request, signature, screen } = await viewSignature(parts, signer)
  // Decisions, "withdraw": signers lose access, those who have signed too.
  const isOver = screen === "ended" || statusOf(request) === "WITHDRAWN"
  const document =
    !isOver && versionsOf(request, signature).includes(id)
      ? await parts.read(signer.businessId, (reading) => reading.findDocument(id))
      : null
  if (document === null) throw new Refusal("not-found", "There is no such document.")
  return document
}

function versionsOf(request: SignatureRequest, signature: Signature): readonly (string | null)[] {
  const ids = ownDocuments(request, signature).map((d) => d.id)
  const marks = request.signatures.flatMap((s) => s.marks.filter((m) => ids.includes(m.documentId)))
  return [...ids, ...marks.map((m) => m.versionId)]
}

const isAskedToConfirm = ({ turn: held }: Signature): boolean =>
  held?.state === "offered" || held?.state === "logging-in"

export function screenOf(request: SignatureRequest, signature: Signature, now: Date): Screen {
  if (signature.state === "signed") return "done"
  if (signature.state === "declined") return "declined"
  if (statusOf(request) !== "OPEN") return "ended"
  if (hasAgreed(signature, now)) return isAskedToConfirm(signature) ? "release" : "working"
  return turn(request).includes(signature) ? "read" : "not-your-turn"
}
