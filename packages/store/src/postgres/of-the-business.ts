import { isUuid } from "@paraph/core/uuid"
import { sql } from "kysely"
import type { Database, Trx } from "./database.ts"

/** Nobody acts for a business while it is moved to another cell, nor afterwards where it was (ADR 0066): whoever asks again is led there. */
export class BusinessMoving extends Error {
  constructor(options?: ErrorOptions) {
    super("The business is being moved to another cell.", options)
    this.name = "BusinessMoving"
  }
}

/** As `act_for` says it. */
const LEAVING = "PM001"

/** A request lies in nine tables, and somebody may sign between two of the reads: so whoever only reads has one snapshot. */
const BEGIN = {
  read: "start transaction isolation level repeatable read read only",
  write: "start transaction",
  /** A statement is a transaction of its own. */
  once: "one statement",
} as const

/**
 * One transaction that sees and writes the rows of one business, whatever its statements ask for: PostgreSQL holds it to that by the
 * policies of each table (ADR 0062), so a forgotten `where` shows nothing. The setting ends with the transaction. Both are said in
 * one breath, with the first statement (sure-client.ts): every way to the database and back costs as much as a small read.
 */
export const ofTheBusiness = <T>(
  db: Database,
  mode: keyof typeof BEGIN,
  businessId: string,
  work: (trx: Trx) => Promise<T>,
): Promise<T> => {
  // It is written into the statement.
  if (!isUuid(businessId)) return Promise.reject(new Error("A business is named by a UUID."))
  return db.connection().execute(async (connection) => {
    try {
      await sql
        .raw(`${BEGIN[mode]}; set local paraph.business = '${businessId}'; select act_for('${businessId}')`)
        .execute(connection)
      const done = await work(connection as Trx)
      const ended = sql`commit`.execute(connection)
      // Whoever has read has what it came for; the next on this connection waits for it.
      if (mode !== "write") ended.catch(() => undefined)
      else await ended
      return done
    } catch (error) {
      // Without a connection there is nothing to take back; what went wrong is told all the same.
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw (error as { readonly code?: unknown }).code === LEAVING
        ? new BusinessMoving({ cause: error })
        : error
    }
  })
}
