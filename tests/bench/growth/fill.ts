// So many requests in a database, in minutes: copies of three real ones (templates.ts), with their evidence in the log.
import { withoutIndexes } from "./bare-tables.ts"
import { BLOCK, type Filling, OTHERS, statementsFor, TABLES } from "./copies.ts"
import type { Filled } from "./kept-service.ts"
import { openLog } from "./log.ts"

const STATES = ["open", "draft", "signed"] as const

export type Range = Pick<Filling, "from" | "to" | "most">

export async function fill(service: Filled, range: Range, tell: (said: string) => void): Promise<void> {
  if (range.from % BLOCK !== 0 || range.to % BLOCK !== 0) throw new Error(`Whole blocks of ${BLOCK} only.`)
  const { templates } = service
  await makeOwners(service)
  // The log goes by what is there before; nobody writes meanwhile.
  const log = await openLog(service)
  await withoutIndexes(service, TABLES, async () => {
    for (const state of STATES) {
      const firstPosition = 1 + Number(await service.sql("select coalesce(max(position), 0) from evidence"))
      const filling = { ...range, firstPosition }
      const said = await service.sql(
        `select encode(entry, 'hex') from evidence where request_id = '${templates[state]}' order by seq`,
      )
      const entries = said.split("\n").map((entry) => Buffer.from(entry, "hex"))
      for (const { table, statement } of await statementsFor(service, state, templates[state], filling)) {
        const began = performance.now()
        await service.sql(`set synchronous_commit = off; ${statement}`)
        tell(`${state} ${table}: ${Math.round((performance.now() - began) / 1000)} s`)
      }
      await log.append(entries, state, filling)
      tell(`${state}: in the log`)
    }
    await log.write()
  })
  await service.sql(
    "select setval(pg_get_serial_sequence('evidence', 'position'), (select max(position) from evidence))",
  )
  tell("indexed")
  await service.sql("vacuum (analyze)")
  tell("vacuumed")
}

/** The caller is number 0; the others have each one user. */
async function makeOwners({ sql, business, username }: Filled): Promise<void> {
  await sql(`
    create table if not exists bench_owner (number bigint primary key, business_id uuid, owner_id uuid, username text);
    insert into bench_owner select 0, '${business}', id, username from api_user where username = '${username}'
      on conflict do nothing;
    insert into bench_owner select i, md5('business' || i)::uuid, md5('user' || i)::uuid, 'user-' || i
      from generate_series(1, ${OTHERS}) as i on conflict do nothing;`)
  for (const [table, id] of [
    ["business", "business_id"],
    ["api_user", "owner_id"],
  ] as const) {
    const columns = (
      await sql(`
        select column_name from information_schema.columns
         where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER' order by ordinal_position`)
    ).split("\n")
    const own: Record<string, string> = {
      id: `o.${id}`,
      business_id: "o.business_id",
      username: "o.username",
      name: "'Business ' || o.number",
    }
    const mine = table === "business" ? `t.id = '${business}'` : `t.username = '${username}'`
    await sql(`
      insert into ${table} (${columns.join(", ")})
      select ${columns.map((name) => own[name] ?? `t.${name}`).join(", ")}
        from ${table} t, bench_owner o where ${mine} and o.number > 0 on conflict do nothing`)
  }
}
