import { type Cell, within } from "./cell.ts"
import { looseObjects } from "./objects.ts"
import { removeJobs } from "./queue.ts"
import { CLOSED } from "./rows.ts"
import { APPENDED, movedTables } from "./tables.ts"

/**
 * Takes the business out of the cell that it has left, in one transaction. What stays is what other businesses' proofs hang on: the entries of
 * the evidence log, which are hashes and what nobody can open any more, since the keys of the stories go; the audit log; and a row that says
 * that the business has moved.
 */
export const removeRows = (from: Cell, businessId: string): Promise<void> =>
  within(from, "begin", async () => {
    const { client } = from
    await client.query("update business set leaving = 'moved' where id = $1", [businessId])
    const people = await peopleOf(from, businessId)
    await looseObjects(from, businessId)
    await removeJobs(from, businessId)
    for (const { name, where } of (await movedTables(client)).toReversed())
      if (!KEPT.has(name) && !name.startsWith("account"))
        await client.query(
          `delete from ${name} t where ${where}`,
          where.includes("$2") ? [businessId, []] : [businessId],
        )
    await client.query("delete from account_vouched_name where business_id = $1", [businessId])
    await client.query("update story set held_since = null, hold_reason = null where business_id = $1", [
      businessId,
    ])
    await client.query(
      `update business set name = 'moved', sender_name = null, accent = null, exit_origins = '{}', embed_origins = '{}',
              wrapped_key = null where id = $1`,
      [businessId],
    )
    await closeAccounts(from, people)
  })

const KEPT: ReadonlySet<string> = new Set(["business", "story", ...APPENDED])

async function peopleOf({ client }: Cell, businessId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select account_id as id from membership where business_id = $1
     union select account_id from api_user where business_id = $1 and account_id is not null`,
    [businessId],
  )
  return rows.map(({ id }) => id)
}

/** Of those who have no other business here and are no operators: they log in where their business is. What happened to an account stays. */
async function closeAccounts({ client }: Cell, people: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from account a where id = any ($1)
        and not exists (select from membership where account_id = a.id)
        and not exists (select from api_user where account_id = a.id)
        and not exists (select from operator where account_id = a.id)`,
    [people],
  )
  const ids = rows.map(({ id }) => id)
  const tables = [
    "session",
    "step",
    "recovery_code",
    "passkey",
    "credentials",
    "identified_name",
    "vouched_name",
  ]
  for (const table of tables)
    await client.query(`delete from account_${table} where account_id = any ($1)`, [ids])
  await client.query(`update account set email = id || '${CLOSED}', name = '' where id = any ($1)`, [ids])
}
