import { createRequire } from "node:module"
import { sql } from "kysely"

/**
 * At the end of a statement whose answer nobody looks at: within the transaction of a business it goes to the server in one message
 * with whatever is asked next, or with the commit (ADR 0070). What is wrong with it is told there; nothing of the transaction stays then.
 */
export const later = sql`${sql.raw("/* later */")}`

const LATER = /\/\* later \*\/$/
export const isLater = (text: string): boolean => LATER.test(text)

/** The same for a statement that somebody else has written. */
export const saidLater = (text: string): string => `${text} /* later */`

type Prepared = string | Buffer | null

/** Values as the driver would write them. It does not say so to others; this file's tests show what is relied on. */
export const asWritten: (value: unknown) => Prepared = (
  createRequire(import.meta.url)("pg/lib/utils.js") as { prepareValue: (value: unknown) => Prepared }
).prepareValue
