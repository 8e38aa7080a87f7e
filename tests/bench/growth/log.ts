// The evidence of the copies in the log, as the worker that tends it would have it: the same hashes, the same tiles.
import { hash } from "node:crypto"
import { openDatabase } from "@paraph/store/postgres/database"
import { grow } from "@paraph/tlog/grow"
import { leafHash } from "@paraph/tlog/hash"
import { sql } from "kysely"
import type { Service } from "../../service/service.ts"
import { countOf, type Filling, numberOf, type State } from "./copies.ts"

const LEAVES_AT_ONCE = 256 * 256
const TILES_AT_ONCE = 500

export async function openLog({ env }: Pick<Service, "env">) {
  const { serviceDb: db, close } = openDatabase(env.DATABASE_OWNER_URL ?? "", {
    max: 1,
    name: "bench",
    patient: true,
  })
  const known = await db.selectFrom("log_tile").selectAll().where("kind", "=", "demo").execute()
  const tiles = new Map<string, Uint8Array>(known.map(({ level, n, hashes }) => [`${level} ${n}`, hashes]))
  const head = await db
    .selectFrom("log_head")
    .selectAll()
    .where("kind", "=", "demo")
    .executeTakeFirstOrThrow()
  let [size, root]: [number, Uint8Array] = [Number(head.size), head.root]
  const touched = new Set<string>()

  async function widen(leaves: readonly Uint8Array[]): Promise<void> {
    const grown = await grow(size, leaves, async ({ level, n }) => {
      const tile = tiles.get(`${level} ${n}`)
      if (tile === undefined) throw new Error(`The tile ${level} ${n} is missing.`)
      return tile
    })
    for (const { level, n, bytes } of grown.tiles) {
      tiles.set(`${level} ${n}`, bytes)
      touched.add(`${level} ${n}`)
    }
    size = grown.size
    root = grown.root
  }

  /** What the copies of one state say, in the order of their positions. */
  async function append(entries: readonly Buffer[], state: State, filling: Filling): Promise<void> {
    const first = size
    const count = countOf(state, filling)
    let leaves: Uint8Array[] = []
    for (let i = 0; i < count; i += 1) {
      const n = Buffer.from(String(filling.from + numberOf(state, i)))
      for (const entry of entries) leaves.push(leafHash(hash("sha256", Buffer.concat([entry, n]), "buffer")))
      if (leaves.length < LEAVES_AT_ONCE && i < count - 1) continue
      await widen(leaves)
      leaves = []
    }
    await sql`
      insert into log_leaf (kind, index, position)
        select 'demo', ${first}::bigint + i, ${filling.firstPosition}::bigint + i
          from generate_series(0::bigint, ${count * entries.length - 1}::bigint) as i`.execute(db)
  }

  async function write(): Promise<void> {
    const all = [...touched]
    for (let i = 0; i < all.length; i += TILES_AT_ONCE) {
      const some = all.slice(i, i + TILES_AT_ONCE)
      const [levels, places] = [0, 1].map((part) => some.map((key) => Number(key.split(" ")[part])))
      const hashes = some.map((key) => Buffer.from(tiles.get(key) ?? []))
      await sql`
        insert into log_tile (kind, level, n, hashes)
          select 'demo', * from unnest(${levels}::smallint[], ${places}::bigint[], ${hashes}::bytea[])
        on conflict (kind, level, n) do update set hashes = excluded.hashes`.execute(db)
    }
    await sql`update log_head set size = ${size}, root = ${Buffer.from(root)} where kind = 'demo'`.execute(db)
    await close()
  }
  return { append, write }
}
