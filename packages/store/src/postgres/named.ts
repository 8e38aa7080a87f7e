import { type RawBuilder, sql } from "kysely"

/**
 * A statement that each connection plans once and keeps by this name: most of what a short one costs is its planning. Only for those
 * whose plan is the same whatever is asked for, and whose columns a later version does not change under whoever still runs: a `*`
 * would be refused after a migration.
 */
export const named = <T>(name: string, statement: RawBuilder<T>): RawBuilder<T> =>
  sql`${sql.raw(`/* ${name} */`)} ${statement}`

const NAMED = /^\/\* ([a-z-]+) \*\//

/** Null for all others, which are planned each time. */
export const nameOf = (text: string): string | null => NAMED.exec(text)?.[1] ?? null
