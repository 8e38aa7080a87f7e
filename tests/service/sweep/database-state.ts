import type { Service } from "../service.ts"

/** A row without its clocks; `business` is null where the table has no such column. */
export type StateRow = { readonly table: string; readonly business: string | null; readonly row: string }

/** Counters of the service itself, which every call moves, and steps and codes of logins that are under way. */
const MOVING = [
  ...["rate_limit", "rate_window", "day_count", "idempotency_key", "usage_day", "credit_day"],
  ...["account_step", "account_code", "account_event", "signer_session", "migration"],
]
/** Columns that a read moves. */
const CLOCKS = ["last_used_at", "used_at", "seen_at", "last_seen_at"]

/** Every row of every table of the service's schema, read by the owner of the database. */
export async function databaseState({ sql }: Pick<Service, "sql">): Promise<readonly StateRow[]> {
  const named = await sql(`
    select c.table_name || ' ' || coalesce(bool_or(c.column_name = 'business_id'), false)
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
     group by c.table_name order by c.table_name`)
  const tables = named
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([table = ""]) => !MOVING.includes(table))
  const clocks = `'{${CLOCKS.join(",")}}'::text[]`
  const selects = tables.map(
    ([
      table,
      hasBusiness,
    ]) => `select '${table}' as t, ${hasBusiness === "true" ? "business_id::text" : "null"} as b,
      (to_jsonb(x) - ${clocks})::text as r from "${table}" x`,
  )
  const rows = await sql(
    `select coalesce(json_agg(json_build_array(t, b, r)), '[]') from (${selects.join(" union all ")}) as s`,
  )
  return (JSON.parse(rows) as [string, string | null, string][]).map(([table, business, row]) => ({
    ...{ table, business, row },
  }))
}

/**
 * Rows of `before` that are gone or changed, but for those that name one of the `own` ids and not the business; and rows that are new
 * in the business.
 */
export function changesIn(
  before: readonly StateRow[],
  after: readonly StateRow[],
  business: string,
  own: readonly string[] = [],
) {
  const keyOf = ({ table, row }: StateRow) => `${table} ${row}`
  const [old, now] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const isOwn = (key: string) => own.some((id) => key.includes(id)) && !key.includes(business)
  return {
    changed: [...old].filter((key) => !now.has(key) && !isOwn(key)),
    added: after.filter((each) => each.business === business && !old.has(keyOf(each))).map(keyOf),
  }
}
