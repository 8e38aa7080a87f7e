import type { Database, Trx } from "./database.ts"

/** Who acted: a person by the e-mail address, where that is known, or whoever used the shell, or both. */
export type Actor = { readonly person: string | null; readonly shellUser: string | null }

export type AuditEntry = {
  readonly at: Date
  readonly by: Actor
  readonly act: string
  readonly businessId: string | null
  /** What was acted on: its kind and its id or name. */
  readonly target: string
  /** What changed, as far as it may be read by whoever reads the log: never a secret. */
  readonly before?: object
  readonly after?: object
}

/** In the transaction of the act: what was done is on record, and what is on record was done. */
export async function appendAudit(db: Database | Trx, entry: AuditEntry): Promise<void> {
  await db
    .insertInto("audit_log")
    .values({
      at: entry.at,
      actor: entry.by.person,
      shell_user: entry.by.shellUser,
      act: entry.act,
      business_id: entry.businessId,
      target: entry.target,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
    })
    .execute()
}

export type AskedAudit = {
  readonly businessId: string | null
  readonly since: Date | null
  readonly limit: number
}

/** The newest first. */
export function readAudit(db: Database | Trx, { businessId, since, limit }: AskedAudit) {
  let rows = db.selectFrom("audit_log").selectAll().orderBy("id", "desc").limit(limit)
  if (businessId !== null) rows = rows.where("business_id", "=", businessId)
  if (since !== null) rows = rows.where("at", ">=", since)
  return rows.execute()
}
