import { randomUUID } from "node:crypto"
import type { Kind } from "@paraph/core/signature-request/model"
import { grow } from "@paraph/tlog/grow"
import { leafHash } from "@paraph/tlog/hash"
import { sql } from "kysely"
import type { Trx } from "../postgres/database.ts"

/** For tests: whole numbers below a bound, the same ones for the same seed. */
export type Dice = (below: number) => number

/** What somebody does who has the database to themselves, and neither its keys nor the HSM. */
export type Spoiling = { readonly name: string; readonly spoil: (trx: Trx, dice: Dice) => Promise<void> }

const BYTES = [
  ["evidence", "sealed"],
  ["evidence", "entry"],
  ["log_tile", "hashes"],
  ["log_head", "root"],
  ["log_key", "public_key"],
  ["log_checkpoint", "stamp"],
  ["story_key", "wrapped_key"],
] as const
const NUMBERS = [
  ["evidence", "seq"],
  ["log_leaf", "index"],
  ["log_leaf", "position"],
  ["log_tile", "n"],
  ["log_tile", "level"],
  ["log_head", "size"],
  ["log_checkpoint", "size"],
  ["story", "last_seq"],
  ["erasure", "events"],
  ["story_key", "key_version"],
] as const
const IDS = [
  ["evidence", "request_id"],
  ["evidence", "business_id"],
  ["evidence", "signature_id"],
  ["story", "business_id"],
  ["story_key", "business_id"],
  ["erasure", "id"],
  ["erasure", "story_id"],
  ["erasure", "business_id"],
] as const
const TABLES = [
  "evidence",
  "log_leaf",
  "log_tile",
  "log_head",
  "log_checkpoint",
  "log_key",
  "log_waiting",
  "story",
  "story_key",
  "erasure",
] as const

/** Any row of a table that has something there: PostgreSQL's own name of it. */
async function anyRow(trx: Trx, dice: Dice, table: string, having = "true"): Promise<string> {
  const { rows } = await sql<{ ctid: string }>`
    select ctid::text as ctid from ${sql.table(table)} where ${sql.raw(having)} order by ctid`.execute(trx)
  const row = rows[dice(rows.length)]
  if (row === undefined) throw new Error(`There is no row in ${table}.`)
  return row.ctid
}

const change = async (trx: Trx, table: string, ctid: string, set: string): Promise<void> => {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.raw(set)} where ctid = ${ctid}::tid`.execute(trx)
  if (numAffectedRows !== 1n) throw new Error("Nothing was changed.")
}

const one = <T>(dice: Dice, of: readonly T[]): T => of[dice(of.length)] as T

export const SPOILINGS: readonly Spoiling[] = [
  {
    name: "flip",
    spoil: async (trx, dice) => {
      const [table, column] = one(dice, BYTES)
      const bit = `(${dice(1 << 30)} % (length(${column}) * 8))`
      const row = await anyRow(trx, dice, table, `length(${column}) > 0`)
      await change(trx, table, row, `${column} = set_bit(${column}, ${bit}, 1 - get_bit(${column}, ${bit}))`)
    },
  },
  {
    name: "number",
    spoil: async (trx, dice) => {
      const [table, column] = one(dice, NUMBERS)
      const by = one(dice, [-1, 1, 1 + dice(50)])
      await change(trx, table, await anyRow(trx, dice, table), `${column} = ${column} + ${by}`)
    },
  },
  {
    name: "id",
    spoil: async (trx, dice) => {
      const [table, column] = one(dice, IDS)
      await change(trx, table, await anyRow(trx, dice, table), `${column} = '${randomUUID()}'`)
    },
  },
  {
    name: "text",
    spoil: async (trx, dice) => {
      const [table, set] = one(dice, [
        ["evidence", "type = 'signature.declined'"],
        ["log_checkpoint", "note = replace(note, '/log/', '/lag/')"],
        ["log_checkpoint", "note = overlay(note placing 'AA' from length(note) - 20)"],
        ["log_key", "origin = origin || 'x'"],
        ["story", "kind = 'production'"],
        ["story", "erased_at = now()"],
        ["erasure", "reason = 'retention'"],
        ["erasure", "erased_by = 'somebody'"],
        ["erasure", "erased_at = erased_at - interval '1 day'"],
        ["log_waiting", "kind = 'production'"],
        ["log_leaf", "kind = 'production'"],
        ["log_tile", "kind = 'production'"],
      ] as const)
      const having = set.startsWith("type") ? "type <> 'signature.declined'" : "true"
      await change(trx, table, await anyRow(trx, dice, table, having), set)
    },
  },
  {
    name: "back-date",
    spoil: async (trx, dice) => {
      const row = await anyRow(trx, dice, "evidence")
      await change(trx, "evidence", row, `at = at - ${1 + dice(100_000_000)} * interval '1 ms'`)
    },
  },
  {
    name: "delete",
    spoil: async (trx, dice) => {
      const table = one(dice, TABLES)
      const row = await anyRow(trx, dice, table)
      await sql`delete from ${sql.table(table)} where ctid = ${row}::tid`.execute(trx)
    },
  },
  {
    name: "erase",
    spoil: async (trx, dice) => {
      const row = await anyRow(trx, dice, "story", "erased_at is null")
      await sql`
        with gone as (update story set erased_at = now() where ctid = ${row}::tid returning id)
        delete from story_key where story_id in (select id from gone)`.execute(trx)
    },
  },
  {
    name: "delete a story",
    spoil: async (trx, dice) => {
      const row = await anyRow(trx, dice, "story")
      await sql`
        with gone as (delete from story where ctid = ${row}::tid returning id),
        keys as (delete from story_key where story_id in (select id from gone)),
        events as (delete from evidence where request_id in (select id from gone) returning position),
        waiting as (delete from log_waiting where position in (select position from events))
        delete from log_leaf where position in (select position from events)`.execute(trx)
    },
  },
  {
    name: "swap",
    spoil: async (trx, dice) => {
      const [table, columns] = one(dice, [
        ["evidence", "sealed, entry"],
        ["evidence", "sealed"],
        ["evidence", "entry"],
        ["evidence", "position"],
        ["log_leaf", "position"],
        ["log_tile", "hashes"],
        ["log_checkpoint", "note"],
        ["story_key", "wrapped_key"],
      ] as const)
      const first = await anyRow(trx, dice, table)
      const second = await anyRow(trx, dice, table, `ctid <> '${first}'`)
      await sql`
        update ${sql.table(table)} t set (${sql.raw(columns)}) =
          (select ${sql.raw(columns)} from ${sql.table(table)} o
            where o.ctid = case when t.ctid = ${first}::tid then ${second}::tid else ${first}::tid end)
         where t.ctid in (${first}::tid, ${second}::tid)`.execute(trx)
    },
  },
  {
    name: "insert",
    spoil: async (trx, dice) => {
      const table = one(dice, ["log_leaf", "log_tile", "log_waiting", "log_checkpoint", "evidence"] as const)
      const row = await anyRow(trx, dice, table)
      const set = {
        log_leaf: "index = (select max(index) + 1 from log_leaf)",
        log_tile: "n = n + 1 + (select count(*) from log_tile)",
        log_waiting: "position = (select min(position) from evidence)",
        log_checkpoint: "size = size + 1",
        evidence: "seq = 1 + (select last_seq from story where id = copied.request_id)",
      }[table]
      await sql`
        create temp table copied on commit drop as select * from ${sql.table(table)} where ctid = ${row}::tid`.execute(
        trx,
      )
      await sql`update copied set ${sql.raw(set)}`.execute(trx)
      if (table === "evidence")
        await sql`update story set last_seq = last_seq + 1 where id = (select request_id from copied)`.execute(
          trx,
        )
      await sql`insert into ${sql.table(table)} select * from copied`.execute(trx)
    },
  },
  { name: "cut the tail", spoil: (trx, dice) => cutTail(trx, "demo", dice) },
]

/** All that came behind some signed head, and every trace of it: what is left is whole in itself. */
async function cutTail(trx: Trx, kind: Kind, dice: Dice): Promise<void> {
  const { rows: heads } = await sql<{ size: number }>`
    select size from log_checkpoint where kind = ${kind} order by size`.execute(trx)
  const size = Number(one(dice, heads.slice(0, -1)).size)
  await sql`
    with cut as (delete from log_leaf where kind = ${kind} and index >= ${size} returning position),
    waiting as (delete from log_waiting where kind = ${kind} returning position),
    events as (delete from evidence where position in (select position from cut union select position from waiting)
      returning request_id),
    counts as (select request_id, count(*) from events group by request_id)
    update story s set last_seq = last_seq - counts.count from counts where s.id = counts.request_id`.execute(
    trx,
  )
  await sql`delete from story_key where story_id in (select id from story where last_seq = 0)`.execute(trx)
  await sql`delete from story where last_seq = 0`.execute(trx)
  await sql`delete from log_checkpoint where kind = ${kind} and size > ${size}`.execute(trx)
  await sql`delete from log_tile where kind = ${kind}`.execute(trx)
  const { rows } = await sql<{ entry: Buffer }>`
    select e.entry from log_leaf l join evidence e on e.position = l.position where l.kind = ${kind} order by l.index`.execute(
    trx,
  )
  const { root, tiles } = await grow(
    0,
    rows.map(({ entry }) => leafHash(entry)),
    async () => {
      throw new Error("There was nothing before.")
    },
  )
  for (const { level, n, bytes } of tiles)
    await sql`insert into log_tile (kind, level, n, hashes) values (${kind}, ${level}, ${n}, ${Buffer.from(bytes)})`.execute(
      trx,
    )
  await sql`update log_head set size = ${size}, root = ${Buffer.from(root)} where kind = ${kind}`.execute(trx)
}
