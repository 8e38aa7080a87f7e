import type { CodeOf } from "@paraph/core/account/model"
import type { Step, StepPurpose } from "@paraph/core/account/ports"
import { LIMITS } from "@paraph/core/limits"
import { everyHash, type Hashes } from "@paraph/core/login/hashes"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"

/** What was mailed last to whoever asked counts; the one before is gone, with its tries. */
export async function keepCode(
  db: ServiceDatabase,
  { purpose, email, askedBy }: CodeOf,
  codeHash: Uint8Array,
  now: Date,
): Promise<void> {
  const code = { code_hash: Buffer.from(codeHash), tries: 0, created_at: now }
  await db
    .insertInto("account_code")
    .values({ purpose, email: email.toLowerCase(), asked_by: askedBy, ...code })
    .onConflict((known) => known.columns(["purpose", "email", "asked_by"]).doUpdateSet(code))
    .execute()
}

/** One statement, so that no two tries are counted as one. */
export async function tryCode(
  db: ServiceDatabase,
  { purpose, email, askedBy }: CodeOf,
  codeHashes: Hashes,
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable("account_code")
    .set((set) => ({ tries: set("tries", "+", 1) }))
    .where("purpose", "=", purpose)
    .where("email", "=", email.toLowerCase())
    .where("asked_by", "=", askedBy)
    .where("tries", "<", LIMITS.accountTries)
    .where("created_at", ">", before(now, LIMITS.accountCodeMs))
    .returning("code_hash")
    .executeTakeFirst()
  return row !== undefined && everyHash(codeHashes).some((hash) => row.code_hash.equals(hash))
}

export async function removeCode(trx: Trx, { purpose, email, askedBy }: CodeOf): Promise<boolean> {
  const removed = await trx
    .deleteFrom("account_code")
    .where("purpose", "=", purpose)
    .where("email", "=", email.toLowerCase())
    .returning("asked_by")
    .execute()
  return removed.some(({ asked_by }) => asked_by === askedBy)
}

export async function insertStep(
  db: ServiceDatabase | Trx,
  idHash: Uint8Array,
  step: Step,
  now: Date,
): Promise<void> {
  const { purpose, accountId: account_id, challenge, singleSignOn = null } = step
  const row = { id_hash: Buffer.from(idHash), purpose, account_id, challenge, created_at: now }
  await db
    .insertInto("account_step")
    .values({ ...row, sso_business_id: singleSignOn })
    .execute()
}

export async function tryStep(
  db: ServiceDatabase,
  idHash: Uint8Array,
  purpose: StepPurpose,
  now: Date,
): Promise<Step | null> {
  const row = await db
    .updateTable("account_step")
    .set((set) => ({ tries: set("tries", "+", 1) }))
    .where("id_hash", "=", Buffer.from(idHash))
    .where("purpose", "=", purpose)
    .where("tries", "<", LIMITS.accountTries)
    .where("created_at", ">", before(now, LIMITS.accountStepMs))
    .returning(["purpose", "account_id as accountId", "challenge", "sso_business_id as singleSignOn"])
    .executeTakeFirst()
  return row ?? null
}

export async function takeStep(
  db: ServiceDatabase | Trx,
  idHash: Uint8Array,
  purpose: StepPurpose,
  now: Date,
): Promise<Step | null> {
  const row = await db
    .deleteFrom("account_step")
    .where("id_hash", "=", Buffer.from(idHash))
    .where("purpose", "=", purpose)
    .where("created_at", ">", before(now, LIMITS.accountStepMs))
    .returning(["purpose", "account_id as accountId", "challenge", "sso_business_id as singleSignOn"])
    .executeTakeFirst()
  return row ?? null
}

/** Codes, steps and sessions that nobody can use any more; answers whether there may be more of them. */
export async function removeOldOfAccounts(db: ServiceDatabase, now: Date, limit: number): Promise<boolean> {
  const gone = [
    sql`delete from account_code where (purpose, email, asked_by) in (select purpose, email, asked_by from account_code
          where created_at < ${before(now, LIMITS.accountCodeMs)} limit ${limit})`,
    sql`delete from account_step where id_hash in (select id_hash from account_step
          where created_at < ${before(now, LIMITS.accountStepMs)} limit ${limit})`,
    sql`delete from single_sign_on_attempt where state_hash in (select state_hash from single_sign_on_attempt
          where created_at < ${before(now, LIMITS.singleSignOnWayMs)} limit ${limit})`,
    sql`delete from account_session where id in (select id from account_session
          where created_at < ${before(now, LIMITS.accountSessionMs)} limit ${limit})`,
  ]
  const removed = []
  for (const statement of gone) removed.push(Number((await statement.execute(db)).numAffectedRows ?? 0n))
  return removed.some((count) => count === limit)
}

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)
