import type pg from "pg"
import { BY_BUSINESS, BY_PARENT } from "../postgres/row-policies.ts"

/** One table as a move sees it (ADR 0066). */
export type MovedTable = {
  readonly name: string
  /** Those that are written: all but what PostgreSQL gives or makes itself. */
  readonly columns: readonly string[]
  /** Numbers that each cell gives for itself; rows are read in their order, so that they keep it. */
  readonly numberedBy: string | null
  /** Of the rows that move, as `t`; $1 is the business, $2 the accounts that are known in the other cell by another id. */
  readonly where: string
  /** Whether a row is written as it was read. */
  readonly isPlain: boolean
}

/** Whoever is or was a member: an API user of theirs outlives the membership. */
const PEOPLE = `(select m.account_id from membership m where m.business_id = $1
  union select u.account_id from api_user u where u.business_id = $1 and u.account_id is not null)`
const THEIR = `t.account_id in ${PEOPLE} and t.account_id <> all ($2::uuid[])`
const COMING_LOGINS = `${THEIR} and (t.sso_business_id is null or t.sso_business_id = $1)`

/** What belongs to the people of a business and goes along. Codes and steps of a login under way are begun anew. */
const OF_PEOPLE: Readonly<Record<string, string>> = {
  account: `t.id in ${PEOPLE} and t.id <> all ($2::uuid[])`,
  account_credentials: THEIR,
  account_passkey: THEIR,
  account_recovery_code: THEIR,
  account_event: THEIR,
  account_identified_name: THEIR,
  account_session: COMING_LOGINS,
}

/**
 * A trigger of the other cell makes the first from the rows that it tells of. A login that is not complete begins again there. Each cell has an
 * evidence log of its own (move.ts).
 */
const NOT_MOVED = new Set([
  ...["signature_activity", "account_step", "log_leaf", "log_waiting"],
  // Accounts of signers stay in their cell; in the other one a member vouches again.
  "account_vouched_name",
])

/** Columns that each cell has for itself. `business.wrapped_key` is of the time before business_key, and wrapped by the old cell. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  business: ["leaving", "journal_offset", "wrapped_key"],
}

/** Rows in which something is put that is the other cell's: a wrapping, a person's id, a place in the journal. */
const CHANGED = new Set([
  ...["business", "business_key", "account_credentials", "event"],
  ...["membership", "api_user", "single_sign_on_subject"],
])

/** Nobody takes anything out of these; a business that comes back finds them. */
export const APPENDED: ReadonlySet<string> = new Set(["evidence", "audit_log", "account_event"])

/** Whom a table's rows belong to, as a condition on `t`. */
function conditionOf(name: string): string {
  if (name === "business") return "t.id = $1"
  const ofPeople = OF_PEOPLE[name]
  if (ofPeople !== undefined) return ofPeople
  if (BY_BUSINESS.includes(name)) return "t.business_id = $1"
  const [column, parent, key = "id"] = BY_PARENT[name] ?? []
  if (column === undefined || parent === undefined) throw new Error(`Nobody knows whose ${name} is.`)
  const above = conditionOf(parent).replaceAll(/\bt\./g, `${parent}.`)
  const hanging = `t.${column} in (select ${parent}.${key} from ${parent} where ${above})`
  if (name !== "signer_session") return hanging
  // Who came by an account that stays is asked to come again.
  const logins = COMING_LOGINS.replaceAll(/\bt\./g, "account_session.")
  return `${hanging} and (t.account_session_id is null
    or t.account_session_id in (select account_session.id from account_session where ${logins}))`
}

const NAMES: readonly string[] = [
  ...new Set(["business", ...BY_BUSINESS, ...Object.keys(BY_PARENT), ...Object.keys(OF_PEOPLE)]),
].filter((name) => !NOT_MOVED.has(name))

/** Every table with something of a business, those that others hang on first. What a later version adds to row-policies.ts moves too. */
export async function movedTables(client: pg.ClientBase): Promise<readonly MovedTable[]> {
  const columns = await columnsOf(client)
  const above = await referencesOf(client)
  const ordered: string[] = []
  const visit = (name: string, way: readonly string[]): void => {
    if (ordered.includes(name)) return
    if (way.includes(name)) throw new Error(`These tables refer to each other: ${[...way, name].join(", ")}.`)
    for (const other of above.get(name) ?? []) if (other !== name) visit(other, [...way, name])
    ordered.push(name)
  }
  for (const name of NAMES) visit(name, [])
  return ordered.map((name) => {
    const known = columns.get(name) ?? []
    const numberedBy = known.find(({ isIdentity }) => isIdentity)?.column ?? null
    const given = new Set(OWN[name])
    // Places in the journal are told to callers, so they are kept (rows.ts).
    if (numberedBy !== null && name !== "event") given.add(numberedBy)
    return {
      name,
      columns: known.flatMap(({ column }) => (given.has(column) ? [] : [column])),
      numberedBy,
      where: conditionOf(name),
      isPlain: !CHANGED.has(name),
    }
  })
}

type Column = { readonly table: string; readonly column: string; readonly isIdentity: boolean }

async function columnsOf(client: pg.ClientBase): Promise<ReadonlyMap<string, readonly Column[]>> {
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as column, a.attidentity <> '' as "isIdentity"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by c.relname, a.attnum`)
  return Map.groupBy(rows, ({ table }) => table)
}

async function referencesOf(client: pg.ClientBase): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ table: string; other: string }>(`
    select f.conrelid::regclass::text as table, f.confrelid::regclass::text as other
      from pg_constraint f where f.contype = 'f' and f.connamespace = 'public'::regnamespace`)
  const known = rows.filter(({ table, other }) => NAMES.includes(table) && NAMES.includes(other))
  return new Map(
    [...Map.groupBy(known, ({ table }) => table)].map(([table, all]) => [
      table,
      all.map(({ other }) => other),
    ]),
  )
}
