import type { Kind } from "@paraph/core/signature-request/model"
import { grow } from "@paraph/tlog/grow"
import { emptyRoot, leafHash } from "@paraph/tlog/hash"
import { proveConsistency, proveInclusion } from "@paraph/tlog/prove"
import { openTree, type ReadTile } from "@paraph/tlog/tree"
import type { Head } from "@paraph/tlog/verify-proof"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { later } from "./later.ts"
import { plannedOnce } from "./named.ts"

/** Of what waits, at once: some hundred milliseconds. */
export const AT_ONCE = 5_000

/**
 * Gives what waits the next indexes and widens the tree, in one transaction; answers how much that was. One at a time does it, and
 * whoever comes in between has nothing to do. Within a story the order is that of its numbers: a later one arrived later.
 */
export const sequence = (db: ServiceDatabase, kind: Kind): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows: locks } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('paraph evidence log'), hashtext(${kind})) as mine`.execute(
      trx,
    )
    if (locks[0]?.mine !== true) return 0
    // `offset 0` keeps PostgreSQL from joining them in their order: where much waited when it last counted, it would read all
    // evidence there is for the few that wait now.
    const { rows: waiting } = await sql<{ position: string; entry: Buffer }>`
      select w.position, e.entry
        from log_waiting w cross join lateral (select entry from evidence where position = w.position offset 0) e
       where w.kind = ${kind} order by w.position limit ${AT_ONCE}`.execute(trx)
    if (waiting.length === 0) return 0
    const { size } = await headOf(trx, kind)
    const leaves = waiting.map(({ entry }) => leafHash(entry))
    const { root, tiles, size: grown } = await grow(size, leaves, tilesOf(trx, kind))
    const positions = waiting.map(({ position }) => position)
    await sql`
      insert into log_leaf (kind, index, position)
        select ${kind}, ${size} + ordinality - 1, position
          from unnest(${positions}::bigint[]) with ordinality as one (position, ordinality) ${later}`.execute(
      trx,
    )
    await sql`
      insert into log_tile (kind, level, n, hashes)
        select ${kind}, * from unnest(${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ n }) => n)}::bigint[],
          ${tiles.map(({ bytes }) => Buffer.from(bytes))}::bytea[])
      on conflict (kind, level, n) do update set hashes = excluded.hashes ${later}`.execute(trx)
    await sql`
      insert into log_head (kind, size, root) values (${kind}, ${grown}, ${Buffer.from(root)})
      on conflict (kind) do update set size = excluded.size, root = excluded.root ${later}`.execute(trx)
    await sql`delete from log_waiting where position = any (${positions}::bigint[]) ${later}`.execute(trx)
    return waiting.length
  })

export async function headOf(db: ServiceDatabase | Trx, kind: Kind): Promise<Head> {
  const row = await db
    .selectFrom("log_head")
    .select(["size", "root"])
    .where("kind", "=", kind)
    .modifyEnd(plannedOnce)
    .executeTakeFirst()
  return row === undefined ? { size: 0, root: emptyRoot() } : { size: Number(row.size), root: row.root }
}

/** The widest of its place; a narrower one is its beginning. */
export async function findTile(
  db: ServiceDatabase | Trx,
  kind: Kind,
  level: number,
  n: number,
): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom("log_tile")
    .select("hashes")
    .where("kind", "=", kind)
    .where("level", "=", level)
    .where("n", "=", String(n))
    .modifyEnd(plannedOnce)
    .executeTakeFirst()
  return row?.hashes ?? null
}

export const tilesOf =
  (db: ServiceDatabase | Trx, kind: Kind): ReadTile =>
  async ({ level, n }) => {
    const hashes = await findTile(db, kind, level, n)
    if (hashes === null) throw new Error(`The ${kind} log has lost the tile ${level} ${n}.`)
    return hashes
  }

/** The entries whose hashes are in a tile of level 0, in their order. */
export async function entriesOf(
  db: ServiceDatabase | Trx,
  kind: Kind,
  { n, width }: { readonly n: number; readonly width: number },
): Promise<readonly Uint8Array[]> {
  const first = n * 256
  const { rows } = await sql<{ entry: Buffer }>`
    select e.entry from log_leaf l join evidence e on e.position = l.position
     where l.kind = ${kind} and l.index >= ${first} and l.index < ${first + width} order by l.index`.execute(
    db,
  )
  return rows.map(({ entry }) => entry)
}

export type Included = { readonly index: number; readonly path: readonly Uint8Array[] }

/** Where in the log they are; without those that got no index yet. */
export async function indexesOf(
  trx: ServiceDatabase | Trx,
  positions: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom("log_leaf")
    .select(["index", "position"])
    .where(sql<boolean>`position = any (${positions}::bigint[])`)
    .execute()
  return new Map(rows.map(({ index, position }) => [position, Number(index)]))
}

/** That these are in the tree of that size; null for one that is not yet. */
export function proveIncluded(
  trx: ServiceDatabase | Trx,
  kind: Kind,
  size: number,
  indexes: readonly (number | undefined)[],
): Promise<readonly (Included | null)[]> {
  const tree = openTree(size, tilesOf(trx, kind))
  return Promise.all(
    indexes.map(async (index) =>
      index === undefined || index >= size ? null : { index, path: await proveInclusion(tree, index) },
    ),
  )
}

/** That the tree of the one size goes on from that of the other. */
export const proveGrown = (db: ServiceDatabase | Trx, kind: Kind, older: number, newer: number) =>
  proveConsistency(openTree(newer, tilesOf(db, kind)), older)
