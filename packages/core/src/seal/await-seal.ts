import type { Clock, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Sealing } from "./model.ts"
import { endSealing } from "./perform.ts"

export type AwaitParts = {
  readonly read: Read
  readonly transact: Transact
  readonly now: Clock
  /** True when the order is over, false when it is not after a time that a caller can be asked to wait. */
  readonly sealingIsOver: (id: string) => Promise<boolean>
}

type Asked = {
  readonly businessId: string
  readonly sealingId: string
  /** The caller can come back for it: then it goes on, and otherwise nothing is made that nobody knows of. */
  readonly isRepeatable: boolean
}

const RETRY = { retryAfterSeconds: 10 }

/**
 * Waits for the worker, and answers the id of the sealed document. Who is told 503 has no seal: an order that nobody can ask for
 * again is cancelled before that is said; one with an Idempotency-Key is found by the next request with that key.
 */
export async function awaitSeal(
  parts: AwaitParts,
  { businessId, sealingId, isRepeatable }: Asked,
): Promise<string> {
  await parts.sealingIsOver(sealingId)
  const of = { id: sealingId, businessId }
  const sealing = isRepeatable
    ? await parts.read(businessId, (reading) => reading.findSealing(sealingId))
    : await endSealing(parts, of, { state: "cancelled" })
  return outcome(sealing)
}

function outcome(sealing: Sealing | null): string {
  if (sealing?.state === "done") return sealing.versionId
  if (sealing?.state === "failed" && sealing.fault !== null)
    throw new Refusal(sealing.fault.code, sealing.fault.detail, RETRY)
  const lack = sealing?.waitingFor ?? null
  throw new Refusal("part-down", LACKS[lack ?? "none"], RETRY)
}

const LACKS = {
  keys: "The key of the seal cannot be reached.",
  timestamp: "No time-stamping authority gave a time-stamp that can be relied upon.",
  revocation: "Nobody says that the certificate of the seal is not revoked.",
  none: "The seal was not made in time.",
} as const
