import { createHash } from "node:crypto"
import type { CodePurpose, OneTimeCode } from "@paraph/core/one-time-code/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"

/** The codes that signers were sent: one row for a signature and a purpose, and no code in plain. */

export async function findCode(
  trx: Trx,
  purpose: CodePurpose,
  signatureId: string,
  lock: boolean,
): Promise<OneTimeCode | null> {
  const row =
    purpose === "mailbox" ? await proving(trx, signatureId, lock) : await releasing(trx, signatureId, lock)
  if (row === undefined) return null
  return {
    purpose,
    signatureId: row.signature_id,
    sessionHash: row.session_hash,
    binding: row.binding,
    number: row.number,
    codeHash: row.code_hash,
    askedAt: row.asked_at,
    attemptsLeft: row.attempts_left,
    asked: row.asked,
    wrong: row.wrong,
  }
}

async function proving(trx: Trx, signatureId: string, lock: boolean) {
  const asked = trx.selectFrom("signer_code").selectAll().where("signature_id", "=", signatureId)
  const row = await (lock ? asked.forUpdate() : asked).executeTakeFirst()
  // There is but one mailbox to prove.
  return row && { ...row, binding: "" }
}

function releasing(trx: Trx, signatureId: string, lock: boolean) {
  const asked = trx.selectFrom("release_code").selectAll().where("signature_id", "=", signatureId)
  return (lock ? asked.forUpdate() : asked).executeTakeFirst()
}

export async function saveCode(trx: Trx, code: OneTimeCode): Promise<void> {
  const {
    purpose,
    signatureId,
    sessionHash,
    binding,
    number,
    codeHash,
    askedAt,
    attemptsLeft,
    asked,
    wrong,
  } = code
  const row = {
    session_hash: Buffer.from(sessionHash),
    number,
    code_hash: codeHash === null ? null : Buffer.from(codeHash),
    asked_at: askedAt,
    attempts_left: attemptsLeft,
    asked: [...asked],
    wrong,
  }
  if (purpose === "mailbox")
    await trx
      .insertInto("signer_code")
      .values({ signature_id: signatureId, ...row })
      .onConflict((c) => c.column("signature_id").doUpdateSet(row))
      .execute()
  else
    await trx
      .insertInto("release_code")
      .values({ signature_id: signatureId, binding, ...row })
      .onConflict((c) => c.column("signature_id").doUpdateSet({ binding, ...row }))
      .execute()
}

/** Whoever counts the same holds the others up until the transaction ends, so nobody looks before all have been counted. */
export async function addToday(trx: Trx, what: string, key: string, at: Date, more: 1 | -1): Promise<number> {
  const hash = createHash("sha256").update(`${what} ${key}`).digest()
  const { count } = await trx
    .insertInto("day_count")
    .values({ day: dayOf(at), key: hash, count: Math.max(0, more) })
    .onConflict((c) =>
      c.columns(["day", "key"]).doUpdateSet({ count: sql<number>`greatest(0, day_count.count + ${more})` }),
    )
    .returning("count")
    .executeTakeFirstOrThrow()
  return count
}

export async function removeOldCounts(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select day, key from day_count where day < ${dayOf(before)} limit ${limit} for update skip locked)
    delete from day_count where (day, key) in (select day, key from old)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
