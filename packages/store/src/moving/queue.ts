import { SCHEMA } from "../jobs/queues.ts"
import type { Cell } from "./cell.ts"

/** Jobs that wait, and those that were given up and may be tried again by an operator; what is done stays behind, and goes. */
const WAITING = `data ->> 'businessId' = $1 and state in ('created', 'retry', 'failed')`

/** In the transactions of the rows that they are about. */
export async function moveJobs(from: Cell, to: Cell, businessId: string): Promise<number> {
  const { rows } = await from.client.query<{ row: string }>(
    `select row_to_json(j)::text as row from ${SCHEMA}.job j where ${WAITING} order by created_on, id`,
    [businessId],
  )
  if (rows.length === 0) return 0
  const { rows: columns } = await to.client.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = '${SCHEMA}.job'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const names = columns.map(({ name }) => name)
  const taken = names.map((name) => (name === "blocked" ? "false" : `r.${name}`))
  await to.client.query(
    `insert into ${SCHEMA}.job (${names.join(", ")})
       select ${taken.join(", ")} from json_populate_recordset(null::${SCHEMA}.job, $1::json) r`,
    [`[${rows.map(({ row }) => row).join(",")}]`],
  )
  return rows.length
}

export const removeJobs = async ({ client }: Cell, businessId: string): Promise<void> =>
  void (await client.query(
    `delete from ${SCHEMA}.job where data ->> 'businessId' = $1 and (state <> 'active' or blocked)`,
    [businessId],
  ))
