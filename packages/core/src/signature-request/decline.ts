import type { Signer } from "../login/signer.ts"
import type { Clock, Transact } from "../ports.ts"
import { apply } from "./apply.ts"
import type { SignatureRequest } from "./model.ts"

/** Part 3.1: one signer declines, and the request is DECLINED for everyone. */
export async function decline(
  parts: { readonly transact: Transact; readonly now: Clock },
  { businessId, requestId, signatureId }: Signer,
  reason: string | undefined,
): Promise<SignatureRequest> {
  const event = { type: "decline", signatureId, reason: reason?.trim() || null, at: parts.now() } as const
  return parts.transact(businessId, (tx) => apply(tx, requestId, event))
}
