import { LIMITS } from "@paraph/core/limits"
import type { FactorReset, FactorResetRows } from "@paraph/core/operator/factor-reset"
import type { ServiceDatabase, Trx } from "./database.ts"

export const factorResets = (trx: Trx): FactorResetRows => ({
  lockFactorReset: async (accountId) => {
    const row = await trx
      .selectFrom("factor_reset")
      .select(COLUMNS)
      .where("account_id", "=", accountId)
      .forUpdate()
      .executeTakeFirst()
    return row ?? null
  },
  saveFactorReset: async ({ accountId, askedBy, reason, askedAt }) => {
    const values = { asked_by: askedBy, reason, asked_at: askedAt }
    await trx
      .insertInto("factor_reset")
      .values({ account_id: accountId, ...values })
      .onConflict((known) => known.column("account_id").doUpdateSet(values))
      .execute()
  },
  removeFactorReset: async (accountId) => {
    await trx.deleteFrom("factor_reset").where("account_id", "=", accountId).execute()
  },
})

const COLUMNS = ["account_id as accountId", "asked_by as askedBy", "reason", "asked_at as askedAt"] as const

/** Those that can still be confirmed, the newest first. */
export const listFactorResets = (
  db: ServiceDatabase,
  now: Date,
): Promise<readonly (FactorReset & { readonly email: string })[]> =>
  db
    .selectFrom("factor_reset as f")
    .innerJoin("account as a", "a.id", "f.account_id")
    .select([
      "f.account_id as accountId",
      "f.asked_by as askedBy",
      "f.reason",
      "f.asked_at as askedAt",
      "a.email",
    ])
    .where("f.asked_at", ">", new Date(now.getTime() - LIMITS.factorResetMs))
    .orderBy("f.asked_at", "desc")
    .execute()
