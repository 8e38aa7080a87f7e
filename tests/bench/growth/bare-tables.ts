// Tables without their indexes and constraints while millions of rows go in, and with them again: built once, in order, over what
// is there, instead of ten million times at a random place.
import type { Service } from "../../service/service.ts"

type Kept = { readonly owner: string; readonly name: string; readonly said: string }

export async function withoutIndexes(
  { sql }: Pick<Service, "sql">,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const all = tables.map((table) => `'${table}'::regclass`).join(", ")
  const rows = async (query: string): Promise<readonly Kept[]> =>
    JSON.parse(await sql(`select coalesce(json_agg(k), '[]') from (${query}) as k`))
  const constraints = (types: string, where: string) =>
    rows(`select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as said
            from pg_constraint where contype in (${types}) and ${where} order by contype`)
  const references = await constraints("'f'", `(conrelid in (${all}) or confrelid in (${all}))`)
  const keys = await constraints("'p', 'u'", `conrelid in (${all})`)
  const indexes = await rows(`
    select x.indrelid::regclass::text as owner, x.indexrelid::regclass::text as name, pg_get_indexdef(x.indexrelid) as said
      from pg_index x where x.indrelid in (${all})
       and not exists (select from pg_constraint c where c.conindid = x.indexrelid and c.contype in ('p', 'u'))`)
  for (const { owner, name } of [...references, ...keys])
    await sql(`alter table ${owner} drop constraint ${name}`)
  for (const { name } of indexes) await sql(`drop index ${name}`)
  // What triggers would write is among what is filled in.
  for (const table of tables) await sql(`alter table ${table} disable trigger user`)
  await fill()
  for (const table of tables) await sql(`alter table ${table} enable trigger user`)
  const SETTINGS = "set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2"
  for (const { owner, name, said } of keys)
    await sql(`${SETTINGS}; alter table ${owner} add constraint ${name} ${said}`)
  for (const { said } of indexes) await sql(`${SETTINGS}; ${said}`)
  // What was made together belongs together: not looked up again for each of them.
  for (const { owner, name, said } of references)
    await sql(`alter table ${owner} add constraint ${name} ${said.replace(/ NOT VALID$/, "")} not valid`)
}
