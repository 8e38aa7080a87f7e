import type { Signer } from "../login/signer.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { statusOf } from "./model.ts"

/** The picture that a person wants to sign with, cleaned already; one at a time, so a newer one takes its place. */
export async function sendPicture(
  parts: { readonly transact: Transact; readonly now: Clock; readonly newId: NewId },
  signer: Signer,
  png: Uint8Array,
): Promise<string> {
  const { businessId, requestId, signatureId } = signer
  const id = parts.newId()
  await parts.transact(businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    const signature = request?.signatures.find((s) => s.id === signatureId)
    if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
    if (statusOf(request) !== "OPEN" || signature.state !== "open" || signature.consent !== null)
      throw new Refusal("signature-not-open", "The signature is not open any more.")
    await tx.keepLook({ id, signatureId, shown: { type: "picture", png } }, parts.now())
  })
  return id
}

/** For the person who sent it, until the signature is made. */
export async function readPicture(
  parts: { readonly read: Read },
  signer: Signer,
  id: string,
): Promise<Uint8Array> {
  const kept = await parts.read(signer.businessId, (reading) => reading.findLook(signer.signatureId))
  if (kept?.id !== id || kept.shown.type !== "picture")
    throw new Refusal("not-found", "There is no such picture.")
  return kept.shown.png
}
