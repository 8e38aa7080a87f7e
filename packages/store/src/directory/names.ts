import { sql } from "kysely"
import type { ServiceDatabase } from "../postgres/database.ts"

/**
 * By what callers and browsers are known, each with what of it is told: never a secret, only its hash. A router asks a cell by these
 * which business they lead to (ADR 0066).
 */
export const NAME_KINDS = [
  ...["account", "business", "domain", "key", "link", "login", "logo"],
  ...["passkey", "request", "session", "signature", "state", "step", "user"],
] as const

export type Answer = { readonly business: string | null }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const HASH = /^[0-9a-f]{64}$/

/** Null: not here. A name of a person alone leads to no business; one of a business that has moved is not here either. */
export async function findNamed(db: ServiceDatabase, name: string): Promise<Answer | null> {
  const at = name.indexOf(":")
  const [kind, text] = [name.slice(0, at), name.slice(at + 1)]
  const find = Object.hasOwn(QUERIES, kind) ? QUERIES[kind as Kind] : undefined
  if (find === undefined || !find.takes(text)) return null
  const { rows } = await find.query(text).execute(db)
  const [row] = rows
  return row === undefined ? null : { business: row.business }
}

type Kind = (typeof NAME_KINDS)[number]
type Found = { readonly business: string | null }
type Query = {
  readonly takes: (text: string) => boolean
  readonly query: (text: string) => ReturnType<typeof sql<Found>>
}

const isUuid = (text: string): boolean => UUID.test(text)
const isHash = (text: string): boolean => HASH.test(text)
const isShort = (text: string): boolean => text.length > 0 && text.length <= 2000
const hex = (text: string) => sql`decode(${text}, 'hex')`

/** Of a business that is here; while it moves, it is. */
const OF = sql`b.leaving is distinct from 'moved'`
const ofSignature = (which: ReturnType<typeof sql>) => sql<Found>`
  select r.business_id as business from signature s join signature_request r on r.id = s.request_id
    join business b on b.id = r.business_id where ${which} and ${OF}`
const of = (table: string, which: ReturnType<typeof sql>) => sql<Found>`
  select t.business_id as business from ${sql.table(table)} t join business b on b.id = t.business_id where ${which} and ${OF}`

const QUERIES: Readonly<Record<Kind, Query>> = {
  business: {
    takes: isUuid,
    query: (id) => sql<Found>`select b.id as business from business b where b.id = ${id} and ${OF}`,
  },
  user: {
    takes: isShort,
    query: (name) => of("api_user", sql`t.username = ${name} and t.account_id is null`),
  },
  domain: { takes: isShort, query: (name) => of("granted_domain", sql`t.domain = lower(${name})`) },
  key: { takes: isUuid, query: (id) => of("api_key", sql`t.id = ${id}`) },
  logo: { takes: isUuid, query: (id) => of("business_logo", sql`t.id = ${id}`) },
  request: { takes: isUuid, query: (id) => of("signature_request", sql`t.id = ${id}`) },
  signature: { takes: isUuid, query: (id) => ofSignature(sql`s.id = ${id}`) },
  link: {
    takes: isHash,
    query: (hash) =>
      ofSignature(sql`s.id = (select signature_id from signing_link where token_hash = ${hex(hash)})`),
  },
  session: {
    takes: isHash,
    query: (hash) =>
      ofSignature(sql`s.id = (select signature_id from signer_session where id_hash = ${hex(hash)})`),
  },
  // Somebody who comes back from a provider.
  state: {
    takes: isHash,
    query: (hash) => sql<Found>`
      select i.business_id as business from identification_attempt a join identification i on i.id = a.identification_id
       where a.state_hash = ${hex(hash)}
      union all select s.business_id from remote_way w join remote_signing s on s.release_id = w.release_id
       where w.state_hash = ${hex(hash)} limit 1`,
  },
  login: {
    takes: isHash,
    query: (hash) => sql<Found>`select null as business from account_session where id_hash = ${hex(hash)}`,
  },
  step: {
    takes: isHash,
    query: (hash) => sql<Found>`select null as business from account_step where id_hash = ${hex(hash)}`,
  },
  passkey: {
    takes: isShort,
    query: (id) => sql<Found>`select null as business from account_passkey where id = ${id}`,
  },
  account: {
    takes: isShort,
    query: (email) => sql<Found>`select null as business from account where lower(email) = lower(${email})`,
  },
}
