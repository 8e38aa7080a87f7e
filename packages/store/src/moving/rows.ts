import type pg from "pg"
import { CannotMove, type Cell, within } from "./cell.ts"
import { type NewWrapping, wrapAgain } from "./keys.ts"
import { APPENDED, type MovedTable, movedTables } from "./tables.ts"

/** Accounts of the one cell that are known in the other by the same address and another id. */
export type KnownPeople = { readonly here: readonly string[]; readonly there: readonly string[] }

export type MovedRows = { readonly tables: Readonly<Record<string, number>>; readonly rows: number }

const AT_ONCE = 100

/**
 * Reads all rows of the business as of one moment and writes them into the other cell, in one transaction there. Before it is committed, what
 * was written is compared with what was read, and what was read with what is there now: whatever somebody has written meanwhile, past the
 * fence, is noticed, and nothing was done. `alsoWithin` is part of it: what must be there with the rows, or not at all.
 */
export async function moveRows(
  from: Cell,
  to: Cell,
  businessId: string,
  alsoWithin: () => Promise<void>,
): Promise<MovedRows> {
  const people = await knownPeople(from, to, businessId)
  const tables = await movedTables(to.client)
  const given = [businessId, people.here]
  return within(to, "begin", async () => {
    await to.client.query("set local lock_timeout = '30s'")
    const read = await within(from, "begin isolation level repeatable read read only", async () => {
      const before = await sumsOf(from.client, tables, given)
      const { offset, shift } = await journalIn(from, to, businessId)
      for (const table of tables) {
        const { name } = table
        const wrapping = name === "business_key" || name === "account_credentials" ? name : null
        const change =
          wrapping === null ? null : (row: NewWrapping) => wrapAgain(from.ring, to.ring, wrapping, row)
        await copyTable(from.client, to.client, { table, given, people, shift, change })
      }
      // One that comes back finds the row that said it had moved.
      await to.client.query("update business set journal_offset = $2, leaving = null where id = $1", [
        businessId,
        offset,
      ])
      return before
    })
    await alsoWithin()
    mustBeSame(await sumsOf(to.client, tables, [businessId, people.there]), read, tables)
    mustStand(await sumsOf(from.client, tables, given), read)
    return {
      tables: Object.fromEntries([...read].map(([name, { rows }]) => [name, rows])),
      rows: [...read.values()].reduce((sum, { rows }) => sum + rows, 0),
    }
  })
}

type Journal = { readonly offset: string; readonly shift: string }

/** Where the journal of the new cell goes on: each place that was told in the old one is before it, and stays where it was. */
async function journalIn(from: Cell, to: Cell, businessId: string): Promise<Journal> {
  const { rows } = await from.client.query<{ now: string; offset: string }>(
    `select pg_snapshot_xmax(pg_current_snapshot())::text as now, journal_offset::text as offset from business where id = $1`,
    [businessId],
  )
  const { rows: there } = await to.client.query<{ now: string }>("select pg_current_xact_id()::text as now")
  const shift = BigInt(there[0]?.now ?? 0) - BigInt(rows[0]?.now ?? 0)
  return { shift: String(shift), offset: String(BigInt(rows[0]?.offset ?? 0) - shift) }
}

type Copying = {
  readonly table: MovedTable
  readonly given: readonly unknown[]
  readonly people: KnownPeople
  readonly shift: string
  readonly change: ((row: NewWrapping) => Promise<NewWrapping>) | null
}

async function copyTable(from: pg.ClientBase, to: pg.ClientBase, copying: Copying): Promise<void> {
  const { table, given, change } = copying
  const order = table.numberedBy === null ? "" : ` order by ${placeOrder(table)}`
  await from.query(
    `declare moved no scroll cursor for select row_to_json(t)::text as row from ${table.name} t where ${table.where}${order}`,
    needed(table, given),
  )
  const write = insertInto(copying)
  for (;;) {
    const { rows } = await from.query<{ row: string }>(`fetch ${AT_ONCE} from moved`)
    if (rows.length === 0) break
    const texts = change === null ? rows.map(({ row }) => row) : await Promise.all(rows.map(changed(change)))
    await to.query(write.text, [`[${texts.join(",")}]`, ...write.values])
  }
  await from.query("close moved")
}

const changed =
  (change: (row: NewWrapping) => Promise<NewWrapping>) =>
  async ({ row }: { readonly row: string }): Promise<string> =>
    JSON.stringify(await change(JSON.parse(row)))

const placeOrder = ({ name, numberedBy }: MovedTable): string =>
  name === "event" ? "t.transaction, t.number" : `t.${numberedBy}`

/** PostgreSQL takes no value that no place of the statement names. */
const needed = ({ where }: MovedTable, given: readonly unknown[]): unknown[] =>
  where.includes("$2") ? [...given] : given.slice(0, 1)

/** Rows as JSON, in their order. */
function insertInto({ table, people, shift }: Copying): {
  readonly text: string
  readonly values: unknown[]
} {
  const { name, columns } = table
  const values: unknown[] = []
  const place = (value: unknown) => `$${values.push(value) + 1}`
  const asRead = (column: string): string => {
    if (column === "account_id" && people.here.length > 0 && !table.isPlain)
      return `coalesce((select k.there from unnest(${place(people.here)}::uuid[], ${place(people.there)}::uuid[]) k (here, there)
        where k.here = r.account_id), r.account_id)`
    // As many transactions ago as it was; or the first that there can be, where this cell is younger than that.
    if (name === "event" && column === "transaction")
      return `greatest(3, r.transaction::text::bigint + ${place(shift)}::bigint)::text::xid8`
    return `r.${column}`
  }
  const taken = columns.map(asRead).join(", ")
  const numbered = name === "event" ? " overriding system value" : ""
  const text = `insert into ${name} (${columns.join(", ")})${numbered}
    select ${taken} from json_populate_recordset(null::${name}, $1::json) r ${unless(table)}`
  return { text, values }
}

/** What a business that comes back left behind, or a person who is here already by another business. */
function unless({ name, columns }: MovedTable): string {
  const update = `do update set ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}`
  if (name === "business" || name === "story") return `on conflict (id) ${update}`
  if (name === "account") return `on conflict (id) ${update} where account.email = account.id || '${CLOSED}'`
  if (name === "evidence") return "on conflict (request_id, seq) do nothing"
  if (APPENDED.has(name)) {
    const of = (alias: string) => columns.map((column) => `${alias}.${column}`).join(", ")
    return `where not exists (select from ${name} x where (${of("x")}) is not distinct from (${of("r")}))`
  }
  return name.startsWith("account_") ? "on conflict do nothing" : ""
}

/** After the id: the address of an account that has gone with its business (remove.ts). */
export const CLOSED = "@moved.invalid"

type Sum = { readonly rows: number; readonly sum: string }

/** How many rows there are and a sum of their hashes, in whichever order they come. */
async function sumsOf(
  client: pg.ClientBase,
  tables: readonly MovedTable[],
  given: readonly unknown[],
): Promise<ReadonlyMap<string, Sum>> {
  const sums = new Map<string, Sum>()
  for (const table of tables) {
    const list = table.columns.map((column) => `t.${column}`).join(", ")
    const { rows } = await client.query<Sum>(
      `select count(*)::integer as rows,
              coalesce(sum(('x' || substr(md5(row_to_json(r)::text), 1, 15))::bit(60)::bigint), 0)::text as sum
         from (select ${list} from ${table.name} t where ${table.where}) r`,
      needed(table, given),
    )
    const [sum] = rows
    if (sum !== undefined) sums.set(table.name, sum)
  }
  return sums
}

/** What is the other cell's own was changed on the way, so only counted; of people there may be more there. */
function mustBeSame(
  there: ReadonlyMap<string, Sum>,
  read: ReadonlyMap<string, Sum>,
  tables: readonly MovedTable[],
): void {
  for (const { name, isPlain } of tables) {
    const [was, is] = [read.get(name), there.get(name)]
    if (was === undefined || is === undefined) throw new Error(`${name} was not counted.`)
    const mayBeMore = name.startsWith("account") || name === "audit_log"
    const isThere = mayBeMore ? is.rows >= was.rows : is.rows === was.rows && (!isPlain || is.sum === was.sum)
    if (!isThere) throw new Error(`${name}: ${was.rows} rows were read, and ${is.rows} are there, or others.`)
  }
}

function mustStand(now: ReadonlyMap<string, Sum>, read: ReadonlyMap<string, Sum>): void {
  const changed = [...read].filter(([name, was]) => now.get(name)?.sum !== was.sum).map(([name]) => name)
  if (changed.length > 0) throw new ChangedMeanwhile(changed)
}

/** Somebody wrote to rows of the business while they were read, such as a sweep that removes what is over: to be done again. */
export class ChangedMeanwhile extends CannotMove {
  constructor(tables: readonly string[]) {
    super(`Rows were changed while they were read: ${tables.join(", ")}. Do it again.`)
    this.name = "ChangedMeanwhile"
  }
}

async function knownPeople(from: Cell, to: Cell, businessId: string): Promise<KnownPeople> {
  const { rows } = await from.client.query<{ id: string; email: string }>(
    `select a.id, lower(a.email) as email from account a
      where a.id in (select account_id from membership where business_id = $1 union select account_id from api_user where business_id = $1)`,
    [businessId],
  )
  const { rows: known } = await to.client.query<{ id: string; email: string }>(
    "select id, lower(email) as email from account where lower(email) = any ($1)",
    [rows.map(({ email }) => email)],
  )
  const pairs = rows.flatMap(({ id, email }) => {
    const other = known.find((one) => one.email === email)
    return other === undefined || other.id === id ? [] : [{ here: id, there: other.id }]
  })
  return { here: pairs.map(({ here }) => here), there: pairs.map(({ there }) => there) }
}
