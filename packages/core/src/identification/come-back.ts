import type { Signer } from "../login/signer.ts"
import type { Clock, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { ProviderTokens } from "./ports.ts"

/** What became of the way to the provider: somebody whom it can tell of, a no, or nothing that counts. */
export type Outcome = ProviderTokens | "refused" | "answer-invalid"

/**
 * The person is back. What they brought is kept before the provider is asked for anything: it may cost money, and whoever asks
 * may die. A worker does the asking, now and as often as it takes.
 */
export async function comeBack(
  parts: { readonly now: Clock; readonly transact: Transact },
  { businessId, requestId, signatureId }: Signer,
  attempt: number,
  outcome: Outcome,
  browserHash: string | null,
): Promise<void> {
  const at = parts.now()
  const of = { type: "identify", signatureId, at } as const
  await parts
    .transact(businessId, async (tx) => {
      if (typeof outcome === "string") {
        await apply(tx, requestId, { ...of, step: { type: "reject", attempt, reason: outcome } })
        return
      }
      const { signatures } = await apply(tx, requestId, {
        ...of,
        step: { type: "return", attempt, browserHash },
      })
      const known = signatures.find(({ id }) => id === signatureId)?.identification
      if (known?.attempt === attempt && known.returnedAt?.getTime() === at.getTime())
        await tx.keepTokens(known.id, outcome)
    })
    .catch(overMeanwhile)
}

/** The request has ended, or the signature was made or removed: the answer has come too late, and is nobody's fault. */
export function overMeanwhile(error: unknown): void {
  const codes = ["request-not-open", "signature-not-open", "not-found"]
  if (!(error instanceof Refusal) || !codes.includes(error.code)) throw error
}
