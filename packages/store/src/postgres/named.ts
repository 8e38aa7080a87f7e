import { createHash } from "node:crypto"
import { type RawBuilder, sql } from "kysely"

/**
 * A statement that each connection plans once and keeps by this name: most of what a short one costs is its planning. Only for those
 * whose plan is the same whatever is asked for, and whose columns a later version does not change under whoever still runs: a `*`
 * would be refused after a migration.
 */
export const named = <T>(name: string, statement: RawBuilder<T>): RawBuilder<T> =>
  sql`${sql.raw(`/* ${name} */`)} ${statement}`

/** The same for a statement that is built: `modifyEnd(asNamed("…"))`. How many rows or names it has may differ from time to time. */
export const asNamed = (name: string): RawBuilder<unknown> => sql.raw(`/* ${name} */`)

const FIXED = /^\/\* ([a-z-]+) \*\//
const BUILT = /\/\* ([a-z-]+) \*\/$/
/** One with many rows is rare, and each number of rows is a plan of its own, which PostgreSQL keeps: those are planned each time. */
const MAX_BUILT = 2_000

/** Null for all others, which are planned each time. */
export function nameOf(text: string): string | null {
  const fixed = FIXED.exec(text)?.[1]
  if (fixed !== undefined) return fixed
  return text.length > MAX_BUILT || !text.endsWith("*/") ? null : builtName(text)
}

const builtNames = new Map<string, string | null>()

/** With a hash of the text, for a name stands for one text. */
function builtName(text: string): string | null {
  const known = builtNames.get(text)
  if (known !== undefined) return known
  const name = BUILT.exec(text)?.[1]
  const whole =
    name === undefined ? null : `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`
  builtNames.set(text, whole)
  return whole
}
