import { calledFrom, type Signer, type SignerSession } from "../login/signer.ts"
import type { Clock, Transact } from "../ports.ts"
import { apply } from "./apply.ts"
import type { SignatureRequest } from "./model.ts"

/** Part 3.1: one signer declines, and the request is DECLINED for everyone. */
export async function decline(
  parts: { readonly transact: Transact; readonly now: Clock },
  signer: Signer & Pick<SignerSession, "ip">,
  reason: string | undefined,
): Promise<SignatureRequest> {
  const { businessId, requestId, signatureId } = signer
  const of = { signatureId, ...calledFrom(signer), at: parts.now() }
  const event = { type: "decline", reason: reason?.trim() || null, ...of } as const
  return parts.transact(businessId, (tx) => apply(tx, requestId, event))
}
