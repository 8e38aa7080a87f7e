import { createHash, randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import type { AnswerSealer } from "./keys/answer-sealer.ts"
import type { ServiceDatabase } from "./postgres/database.ts"
import * as rows from "./postgres/idempotency.ts"

export type Claim = rows.Claim

export type KeptAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Claimed =
  | { readonly type: "ours"; readonly claim: Claim }
  /** Somebody works on it, or has just died. */
  | { readonly type: "running" }
  /** The key was used for another request. */
  | { readonly type: "used" }
  /** Null: it held a secret, and was given once; or what it told of was erased. */
  | { readonly type: "answered"; readonly answer: KeptAnswer | null }
  /** The work is done, and the answer was lost with whoever did it. `result` is what it made or changed. */
  | { readonly type: "done"; readonly claim: Claim; readonly result: string | null }

export type Idempotency = ReturnType<typeof createIdempotency>

export const LEASE_MS = 10_000
/** Clocks of two machines may be apart by a minute; one that is further ahead shall hold no key for days. */
const HELD_AT_MOST_MS = 60_000
const KEPT_MS = 24 * 3_600_000

/** Decisions, "idempotency"; ADR 0026. Demo and production keys of a user are two worlds, here too. */
export function createIdempotency(db: ServiceDatabase, sealer: AnswerSealer, now: () => Date) {
  const later = (ms: number) => new Date(now().getTime() + ms)

  const answerOf = async (claim: Claim, row: rows.KeyRow): Promise<KeptAnswer | null> => {
    if (row.answer === null || row.key_version === null) return null
    const sealed = { sealed: row.answer, keyVersion: row.key_version }
    // The business's key may have been rotated, and the older one retired: then the answer is lost, the work is not.
    const plain = await sealer.open(row.business_id, contextOf(claim), sealed).catch(() => null)
    return plain === null ? null : (JSON.parse(plain.toString()) as KeptAnswer)
  }

  return {
    claim: async (caller: Caller, key: string, requestHash: Buffer): Promise<Claimed> => {
      const { businessId, userId, kind } = caller
      const keyHash = createHash("sha256").update(`${kind} ${key}`).digest()
      const claim = { id: randomUUID(), businessId, userId, keyHash }
      const wanted = {
        ...claim,
        requestHash,
        leaseUntil: later(LEASE_MS),
        expiresAt: later(KEPT_MS),
        heldUntilAtMost: later(HELD_AT_MOST_MS),
      }
      const row = await rows.claimKey(db, wanted, now())
      if (row === null) return { type: "ours", claim }
      if (!row.request_hash.equals(requestHash)) return { type: "used" }
      const first = { ...claim, id: row.claim }
      if (row.status !== null && row.answer === null) return { type: "answered", answer: null }
      const answer = await answerOf(first, row)
      if (answer !== null) return { type: "answered", answer }
      const isHeld = row.lease_until > now() && row.lease_until <= wanted.heldUntilAtMost
      return row.committed && !isHeld
        ? { type: "done", claim: first, result: row.result }
        : { type: "running" }
    },
    renew: (claim: Claim) => rows.renewClaim(db, claim, later(LEASE_MS)),
    keep: async (claim: Claim, answer: KeptAnswer): Promise<void> => {
      const plain = Buffer.from(JSON.stringify(answer))
      const { sealed, keyVersion } = await sealer.seal(claim.businessId, contextOf(claim), plain)
      await rows.keepAnswer(db, claim, { status: answer.status, sealed, keyVersion })
    },
    /** That there was an answer, and not a letter of it. */
    keepStatus: (claim: Claim, status: number) =>
      rows.keepAnswer(db, claim, { status, sealed: null, keyVersion: null }),
    letGo: (claim: Claim) => rows.letGo(db, claim, now()),
    under: rows.underClaim,
    removeOld: (limit: number) => rows.removeOldKeys(db, now(), limit),
  }
}

const contextOf = ({ businessId, userId, keyHash, id }: Claim): string =>
  `idempotency ${businessId} ${userId} ${keyHash.toString("hex")} ${id}`
