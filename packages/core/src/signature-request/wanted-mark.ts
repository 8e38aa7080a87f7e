import type { Signer } from "../login/signer.ts"
import type { Read } from "../ports.ts"
import { type SignatureRequest, statusOf, type VisualSignature } from "./model.ts"

/** One signer's mark on one document: whether it is wanted, where it goes, and what else is there. */
export type SigningTask = Signer & { readonly documentId: string }

/** Asked again right before a key is used. */
export const isStillWanted = async (parts: { readonly read: Read }, task: SigningTask): Promise<boolean> => {
  const request = await parts.read(task.businessId, (reading) => reading.findRequest(task.requestId), "once")
  return request !== null && isWanted(request, task)
}

export const signatureOf = (request: SignatureRequest, task: SigningTask) =>
  request.signatures.find((s) => s.id === task.signatureId)

const markOf = (request: SignatureRequest, task: SigningTask) =>
  signatureOf(request, task)?.marks.find((m) => m.documentId === task.documentId)

/** Null: it is not seen. */
export function visualOf(request: SignatureRequest, task: SigningTask): VisualSignature | null {
  const enforced = markOf(request, task)?.visual ?? null
  if (enforced !== null) return enforced
  const places = signatureOf(request, task)?.consent?.places ?? []
  const positions = places.filter((p) => p.documentId === task.documentId).map((p) => p.position)
  return positions.length === 0 ? null : { type: "positions", positions }
}

/** Also asked right before the key is used: whatever a job says, nothing is signed for who has not agreed. */
export function isWanted(request: SignatureRequest, task: SigningTask): boolean {
  if (statusOf(request) !== "OPEN") return false
  const signature = signatureOf(request, task)
  if (signature?.state !== "open" || signature.consent === null) return false
  if (signature.turn !== null && signature.turn.state !== "released") return false
  const mark = markOf(request, task)
  return mark !== undefined && mark.versionId === null
}

/** The name of the field that a mark gets where the document does not have one for it. */
export const ownField = (signatureId: string): string => `Paraph-${signatureId}`

export function fieldOf(request: SignatureRequest, task: SigningTask): string {
  const visual = visualOf(request, task)
  return visual?.type === "form-field" ? visual.name : ownField(task.signatureId)
}

/** The fields of this request that are signed on the document already. */
export const fieldsOn = (request: SignatureRequest, documentId: string): readonly string[] =>
  request.signatures.flatMap((signature) =>
    signature.marks.flatMap((mark) => {
      if (mark.documentId !== documentId || mark.versionId === null) return []
      const { businessId, id: requestId } = request
      return [fieldOf(request, { businessId, requestId, signatureId: signature.id, documentId })]
    }),
  )

/** Whether nobody else is asked to sign the document: then it is ready for the archive. */
export const isLastOn = (request: SignatureRequest, task: SigningTask): boolean =>
  request.signatures.every(
    (signature) =>
      signature.id === task.signatureId ||
      signature.marks.every((mark) => mark.documentId !== task.documentId || mark.versionId !== null),
  )
