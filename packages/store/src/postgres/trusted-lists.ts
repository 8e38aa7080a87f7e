import { sql } from "kysely"
import type { ServiceDatabase } from "./database.ts"

/** Whether it is ours to look now: one worker does, and nobody again before that time has passed. */
export async function claimLook(db: ServiceDatabase, now: Date, everyMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into trusted_list_look as l (looked_at, version, problems) values (${now}, 0, '[]')
    on conflict (only_one) do update set looked_at = excluded.looked_at
     where l.looked_at <= ${new Date(now.getTime() - everyMs)} or l.looked_at > ${now}
    returning version`.execute(db)
  return rows.length > 0
}

/** What changes with the lists; null where nobody has looked yet. */
export async function listsVersion(db: ServiceDatabase): Promise<string | null> {
  const { rows } = await sql<{ version: string }>`
    select version::text as version from trusted_list_look`.execute(db)
  return rows[0]?.version ?? null
}

export async function readLists(db: ServiceDatabase): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await db.selectFrom("trusted_list").select(["address", "bytes"]).execute()
  return new Map(rows.map(({ address, bytes }) => [address, bytes]))
}

/** These, and no others, from now on; those that are the same stay as they are. */
export async function keepLists(
  db: ServiceDatabase,
  lists: ReadonlyMap<string, Uint8Array>,
  problems: readonly object[],
  at: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    let changed = 0n
    for (const [address, bytes] of lists) {
      const { numAffectedRows } = await sql`
        insert into trusted_list as l (address, bytes, changed_at) values (${address}, ${Buffer.from(bytes)}, ${at})
        on conflict (address) do update set bytes = excluded.bytes, changed_at = excluded.changed_at
         where l.bytes <> excluded.bytes`.execute(trx)
      changed += numAffectedRows ?? 0n
    }
    const { numAffectedRows: gone } = await sql`
      delete from trusted_list where not address = any (${[...lists.keys()]})`.execute(trx)
    const more = changed + (gone ?? 0n) > 0n ? 1 : 0
    await sql`
      update trusted_list_look set version = version + ${more}, problems = ${JSON.stringify(problems)}::jsonb`.execute(
      trx,
    )
  })
}
