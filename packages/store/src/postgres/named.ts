import { createHash } from "node:crypto"
import { type RawBuilder, type SqlBool, sql } from "kysely"

/**
 * A statement that each connection plans once and keeps by this name: most of what a short one costs is its planning. Only for those
 * whose plan is the same whatever is asked for, and whose columns a later version does not change under whoever still runs: a `*`
 * would be refused after a migration.
 */
export const named = <T>(name: string, statement: RawBuilder<T>): RawBuilder<T> =>
  sql`${sql.raw(`/* ${name} */`)} ${statement}`

/** The same at the end of a statement that is built; its name is made of its text. */
export const plannedOnce = sql`${sql.raw("/* planned once */")}`

/**
 * Whether a row that was found by its id is of the business, and never a way to find it: in a plan that is kept PostgreSQL takes a
 * business for one of the usual size, and would look for some ids among all rows of one that has a million.
 */
export const isOfBusiness = (column: string, businessId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} = ${businessId}) is true`

const NAMED = /^\/\* ([a-z-]+) \*\//
const MARKED = /\/\* planned once \*\/$/
/** Somebody writes: rows by their keys, and what is written is given. */
const WRITES = /^\s*(insert|update|delete|with\b[^;]*\b(insert into|update|delete from))\s/i
/**
 * What is found is answered whole; what is best to be done depends on what there is to do, or on how many are asked for, which a
 * plan that is kept takes for ten: it looks for the one through all there are, if those were few when it was made; there are several.
 */
const CHANGES = /\.\*|(select|returning)\s+\*|skip locked|=\s*any\s*\(|;/i
/** One for so many rows at once is seldom the same again. */
const LONG = 12_000
const MOST_KNOWN = 2_000

const known = new Map<string, string | null>()

/** Null for all others, which are planned each time. */
export function nameOf(text: string): string | null {
  const found = known.get(text)
  if (found !== undefined) return found
  const name = NAMED.exec(text)?.[1] ?? (isPlannedOnce(text) ? hashOf(text) : null)
  if (known.size < MOST_KNOWN && text.length < LONG) known.set(text, name)
  return name
}

const isPlannedOnce = (text: string): boolean =>
  text.length < LONG && (MARKED.test(text) || WRITES.test(text)) && !CHANGES.test(text)

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22)
