import type { AccountRows } from "../account/ports.ts"
import { identifiedName, mustBeIdentified } from "../identification/needed.ts"
import { LIMITS } from "../limits.ts"
import type { SignerSession } from "../login/signer.ts"
import type { SmsReach } from "../one-time-code/ports.ts"
import { releaseNumber } from "../one-time-code/release.ts"
import type { Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { type Agreed, type ConsentParts, judgedConsent } from "../signature-request/request-signing.ts"
import { factorsOf } from "./factors.ts"
import type { EstablishedName } from "./model.ts"
import { canBeCertified, establishedName } from "./name.ts"

export type TurnParts = ConsentParts & {
  readonly read: Read
  readonly accounts: Pick<AccountRows, "findByEmail">
  readonly smsReach: SmsReach
}

/**
 * The click where the signer's own key will sign: consent and turn in one. Whoever has nothing to release a key with is told
 * before anything is made; the name is the one that was established, whatever was typed.
 */
export async function takeTurn(
  parts: TurnParts,
  signer: SignerSession,
  agreed: Agreed,
): Promise<SignatureRequest> {
  const name = await nameToSignWith(parts, signer)
  const { requestId, signatureId, way } = signer
  return parts.transact(signer.businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    const signature = request?.signatures.find((s) => s.id === signatureId)
    if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
    const at = parts.now()
    const consent = await judgedConsent(parts, tx, request, signature, { ...agreed, name: name.name })
    const until = new Date(at.getTime() + LIMITS.signingTurnMs)
    const turn = { signatureId, consent, way, releaseId: parts.newId(), until, name, at }
    return apply(tx, requestId, { type: "take-turn", ...turn })
  })
}

async function nameToSignWith(parts: TurnParts, signer: SignerSession): Promise<EstablishedName> {
  const request = await parts.read(signer.businessId, (reading) => reading.findRequest(signer.requestId))
  const signature = request?.signatures.find((s) => s.id === signer.signatureId)
  if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
  const at = parts.now()
  mustBeIdentified(request, signature, at)
  const account = signature.email === null ? null : await parts.accounts.findByEmail(signature.email)
  const number = releaseNumber({ request, signature }, parts.smsReach)
  const name = establishedName(signature, account, identifiedName(request, signature, at))
  if (name === null || factorsOf(account, number).length === 0)
    throw new Refusal("factor-needed", "Set up a way to confirm that it is you first.")
  if (!canBeCertified(name.name))
    throw new Refusal("constraint-violated", "This name cannot stand in a certificate.")
  return name
}
