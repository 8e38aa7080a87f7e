import type { Signer } from "../login/signer.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import { type Signature, type SignatureRequest, statusOf } from "./model.ts"
import { turn } from "./turn.ts"

export type Invited = {
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly email: string
  /** Decisions, "add a signer": who signs later is told so, and gets a second mail when the turn comes. */
  readonly theirTurnIsLater: boolean
}

/** Whom to write to; null when the request or the signature has ended meanwhile. */
export async function findInvited(parts: { readonly read: Read }, signer: Signer): Promise<Invited | null> {
  const request = await parts.read(
    signer.businessId,
    (reading) => reading.findRequest(signer.requestId),
    "once",
  )
  const signature = request?.signatures.find((s) => s.id === signer.signatureId)
  if (!request || signature?.state !== "open" || statusOf(request) !== "OPEN") return null
  if (signature.email === null) return null
  return { request, signature, email: signature.email, theirTurnIsLater: !turn(request).includes(signature) }
}

/** The link is on record, as a hash, before the mail that carries it is sent. */
export async function keepLink(
  parts: { readonly transact: Transact; readonly now: Clock },
  { businessId, signatureId }: Pick<Signer, "businessId" | "signatureId">,
  tokenHash: Uint8Array,
): Promise<void> {
  await parts.transact(businessId, (tx) => tx.insertLink(signatureId, tokenHash, parts.now()))
}
