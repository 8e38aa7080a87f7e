import { sql } from "kysely"
import type { ServiceDatabase } from "./database.ts"

type Counted = { readonly id: Buffer; readonly endsAt: Date; readonly points: number }

/** Adds what one process has counted, and answers what all have, by the id in hex. In one order, so that none waits for another. */
export async function addPoints(
  db: ServiceDatabase,
  counted: readonly Counted[],
): Promise<ReadonlyMap<string, number>> {
  if (counted.length === 0) return new Map()
  const ids = counted.map(({ id }) => id)
  const ends = counted.map(({ endsAt }) => endsAt)
  const points = counted.map((each) => each.points)
  const { rows } = await sql<{ key: Buffer; points: number }>`
    insert into rate_window as w (key, ends_at, points)
      select * from unnest(${ids}::bytea[], ${ends}::timestamptz[], ${points}::integer[]) order by 1
    on conflict (key) do update set
      -- A window that has begun anew counts anew; one that has ended elsewhere already counts for nothing.
      points = case when w.ends_at = excluded.ends_at then w.points + excluded.points
                    when w.ends_at < excluded.ends_at then excluded.points
                    else w.points end,
      ends_at = greatest(w.ends_at, excluded.ends_at)
    returning key, points`.execute(db)
  return new Map(rows.map(({ key, points: total }) => [key.toString("hex"), total]))
}

export async function removeOldWindows(db: ServiceDatabase, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_window where key = any (array
      (select key from rate_window where ends_at <= ${now} limit ${limit} for update skip locked))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
