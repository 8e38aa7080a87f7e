import { AsyncLocalStorage } from "node:async_hooks"
import type { Tx } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import { type Selectable, sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { Tables } from "./tables.ts"

/** The right to do the work of one key: who else comes to commit for it is refused. */
export type Claim = {
  readonly id: string
  readonly businessId: string
  readonly userId: string
  readonly keyHash: Buffer
}

export type WantedClaim = Claim & {
  readonly requestHash: Buffer
  readonly leaseUntil: Date
  /** A lease beyond this is of a clock that was wrong. */
  readonly heldUntilAtMost: Date
  readonly expiresAt: Date
}

export type KeyRow = Selectable<Tables["idempotency_key"]>

/**
 * Null: the claim is ours. Else the row of whoever was first. One of a day ago gives way, and so does a claim whose holder
 * is gone: the work of that one can no longer commit, so nothing is done twice.
 */
export async function claimKey(db: ServiceDatabase, wanted: WantedClaim, now: Date): Promise<KeyRow | null> {
  const { rows } = await sql`
    insert into idempotency_key as k
      (business_id, api_user_id, key_hash, request_hash, claim, lease_until, expires_at)
    values (${wanted.businessId}, ${wanted.userId}, ${wanted.keyHash}, ${wanted.requestHash}, ${wanted.id},
      ${wanted.leaseUntil}, ${wanted.expiresAt})
    on conflict (business_id, api_user_id, key_hash) do update set
      request_hash = excluded.request_hash, claim = excluded.claim, lease_until = excluded.lease_until,
      expires_at = excluded.expires_at, committed = false, result = null, status = null, answer = null,
      key_version = null
    where k.expires_at <= ${now}
      or (not k.committed and k.status is null and k.request_hash = excluded.request_hash
          and (k.lease_until <= ${now} or k.lease_until > ${wanted.heldUntilAtMost}))
    returning claim`.execute(db)
  if (rows.length > 0) return null
  const first = await sql<KeyRow>`
    select * from idempotency_key
     where (business_id, api_user_id, key_hash) = (${wanted.businessId}, ${wanted.userId}, ${wanted.keyHash})`.execute(
    db,
  )
  // Let go of between the two statements: then it is to be had.
  return first.rows[0] ?? claimKey(db, wanted, now)
}

const isOf = (claim: Claim) =>
  sql`(business_id, api_user_id, key_hash, claim) = (${claim.businessId}, ${claim.userId}, ${claim.keyHash}, ${claim.id})`

export async function renewClaim(db: ServiceDatabase, claim: Claim, leaseUntil: Date): Promise<void> {
  await sql`update idempotency_key set lease_until = ${leaseUntil} where ${isOf(claim)}`.execute(db)
}

export type KeptAnswer = {
  readonly status: number
  readonly sealed: Buffer | null
  readonly keyVersion: number | null
}

/** The first answer stays: every later one is the same. Of what was erased meanwhile none is kept. */
export async function keepAnswer(db: ServiceDatabase, claim: Claim, answer: KeptAnswer): Promise<void> {
  await sql`
    update idempotency_key set status = ${answer.status}, answer = ${answer.sealed}, key_version = ${answer.keyVersion}
     where ${isOf(claim)} and status is null`.execute(db)
}

/** Nothing came of it: the next one may try. What has committed stays, whatever went wrong after it, and is there for the next one at once. */
export async function letGo(db: ServiceDatabase, claim: Claim, now: Date): Promise<void> {
  await sql`
    update idempotency_key set lease_until = ${now}
     where ${isOf(claim)} and committed and status is null`.execute(db)
  await sql`
    delete from idempotency_key where ${isOf(claim)} and not committed and status is null`.execute(db)
}

/** What stands for the answer of whoever has not answered yet. */
const GONE = 410

/**
 * Of what is erased: that there was an answer stays, so that nothing is made twice. Whoever is about to answer finds that there is
 * one, and keeps nothing (`keepAnswer`). Rows without an answer are taken too: one may be coming, in a transaction that is not
 * seen yet, and only who writes the row waits for it.
 */
export async function forgetAnswers(trx: Trx, results: readonly string[]): Promise<void> {
  await sql`
    update idempotency_key set answer = null, key_version = null, status = coalesce(status, ${GONE})
     where result = any (${results}::text[])`.execute(trx)
}

/** Titles of documents are also in what is answered about a batch of seals. */
export async function forgetAnswersAbout(trx: Trx, documentIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ batch: string }>`
    select distinct 'seal-batches/' || batch_id as batch from sealing
     where base_id = any (${documentIds}::uuid[]) and batch_id is not null`.execute(trx)
  await forgetAnswers(trx, [...documentIds.map((id) => `documents/${id}`), ...rows.map(({ batch }) => batch)])
}

export async function removeOldKeys(db: ServiceDatabase, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select business_id, api_user_id, key_hash from idempotency_key
       where expires_at <= ${now} order by expires_at limit ${limit} for update skip locked)
    delete from idempotency_key
     where (business_id, api_user_id, key_hash) in (select business_id, api_user_id, key_hash from old)
       and expires_at <= ${now}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

const claims = new AsyncLocalStorage<Claim>()

/** What `work` commits, and whatever follows from it, is done under this claim. */
export const underClaim = <T>(claim: Claim, work: () => T): T => claims.run(claim, work)

/**
 * The work of a transaction. Under a claim, the same commit says that the work is done, and what it made or changed; and
 * it fails where the claim is no longer ours. So after a crash of any kind the row tells whether there was a commit.
 */
export async function marked<T>(trx: Trx, work: (tx: Tx) => Promise<T>, tx: Tx): Promise<T> {
  const claim = claims.getStore()
  if (claim === undefined) return work(tx)
  let request: string | null = null
  let document: string | null = null
  let sealing: string | null = null
  let validation: string | null = null
  const done = await work({
    ...tx,
    insertRequest: (made) => {
      request = `signature-requests/${made.id}`
      return tx.insertRequest(made)
    },
    saveRequest: (changed, before) => {
      request = `signature-requests/${changed.id}`
      return tx.saveRequest(changed, before)
    },
    insertDocument: (made, as) => {
      document = `documents/${made.id}`
      return tx.insertDocument(made, as)
    },
    insertSealings: (made) => {
      sealing ??= `seals/${made[0]?.id}`
      return tx.insertSealings(made)
    },
    insertBatch: (made) => {
      sealing = `seal-batches/${made.id}`
      return tx.insertBatch(made)
    },
    insertValidation: (made, pictures) => {
      validation = `validations/${made.id}`
      return tx.insertValidation(made, pictures)
    },
  })
  const { numAffectedRows } = await sql`
    update idempotency_key set committed = true, result = coalesce(${validation ?? sealing ?? request ?? document}, result)
     where ${isOf(claim)}`.execute(trx)
  if (numAffectedRows !== 1n)
    throw new Refusal("idempotency-running", "Another request with this Idempotency-Key took over.", {
      retryAfterSeconds: 1,
    })
  return done
}
