import type { AuditPage, ReadAudit } from "@paraph/core/business/audit-log"
import type { Audited } from "@paraph/core/business/ports"
import type { ServiceDatabase, Trx } from "./database.ts"

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
export async function appendAudit(db: ServiceDatabase | Trx, entry: AuditEntry): Promise<void> {
  await db
    .insertInto("audit_log")
    .values({
      at: entry.at,
      actor: entry.by.person,
      shell_user: entry.by.shellUser,
      act: entry.act,
      business_id: entry.businessId,
      target: entry.target,
      before: entry.before === undefined ? null : JSON.stringify(inSnakeCase(entry.before)),
      after: entry.after === undefined ? null : JSON.stringify(inSnakeCase(entry.after)),
    })
    .execute()
}

/** As core asks for it: by a person, in the name of a business or, for an operator, beside all of them. */
export const recording =
  (db: ServiceDatabase | Trx, businessId: string | null) =>
  ({ by, ...entry }: Audited): Promise<void> =>
    appendAudit(db, { ...entry, businessId, by: { person: by, shellUser: null } })

export type AskedAudit = {
  readonly businessId: string | null
  readonly since: Date | null
  /** The id of an entry; what is older than it. */
  readonly olderThan?: number | null
  readonly limit: number
}

/** The newest first. */
export async function readAudit(
  db: ServiceDatabase | Trx,
  { businessId, since, olderThan = null, limit }: AskedAudit,
) {
  let rows = db.selectFrom("audit_log").selectAll().orderBy("id", "desc").limit(limit)
  if (businessId !== null) rows = rows.where("business_id", "=", businessId)
  if (since !== null) rows = rows.where("at", ">=", since)
  if (olderThan !== null) rows = rows.where("id", "<", olderThan)
  return (await rows.execute()).map(asNamedToday)
}

/** Of one business, as its owners and admins see it: who used a shell is the operator's to know. */
export async function readAuditOf(
  db: ServiceDatabase | Trx,
  businessId: string,
  { pageSize, olderThan }: ReadAudit,
): Promise<AuditPage> {
  const rows = await db
    .selectFrom("audit_log")
    .select(["id", "at", "actor as by", "act", "target", "before", "after"])
    .where("business_id", "=", businessId)
    .$if(olderThan !== null, (query) => query.where("id", "<", olderThan))
    .orderBy("id", "desc")
    .limit(pageSize + 1)
    .execute()
  return { entries: rows.slice(0, pageSize).map(asNamedToday), hasMore: rows.length > pageSize }
}

type Changed = { readonly before: object | null; readonly after: object | null }

/** Rows of before this was a rule stay as they are: nobody changes the log. */
const asNamedToday = <T extends Changed>(row: T): T => ({
  ...row,
  before: row.before === null ? null : inSnakeCase(row.before),
  after: row.after === null ? null : inSnakeCase(row.after),
})

/** What changed has the names that members have in the interface, whatever core calls them. */
const inSnakeCase = (change: object): object =>
  Object.fromEntries(Object.entries(change).map(([name, value]) => [snakeCased(name), value]))

const snakeCased = (name: string): string =>
  name.replaceAll("-", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
