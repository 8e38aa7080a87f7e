import type { Socket } from "node:net"
import { Kysely, PostgresDialect, type Transaction } from "kysely"
import pg from "pg"
import { readAddress } from "./hosts.ts"
import { PatientPool } from "./patient-pool.ts"
import { followPrimary } from "./primary.ts"
import { SureClient } from "./sure-client.ts"
import type { Tables } from "./tables.ts"

export type Database = Kysely<Tables>
export type Trx = Transaction<Tables>

export type OpenDatabase = {
  readonly db: Database
  readonly pool: pg.Pool
  readonly close: () => Promise<void>
}

// Sizes are below 2⁵³, so a bigint column is a number here.
const BIGINT_OID = 20
// A date without a time is text: as a moment it would depend on where this process runs.
const DATE_OID = 1082
const asText = (text: string): string => text
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") => {
    if (oid === BIGINT_OID) return Number
    return oid === DATE_OID ? asText : pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

const CONNECT_MS = 5_000

const BOUNDS = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 30_000 } as const

type Connection = {
  readonly connectionString: string
  readonly connectionTimeoutMillis: number
  readonly query_timeout: number
  readonly keepAlive: true
  readonly keepAliveInitialDelayMillis: number
  readonly Client: typeof SureClient
  readonly stream?: () => Socket
}

/** How every pool of ours comes to the database: where writes are taken, and sure of what is answered. */
export function connectionTo(address: string): Connection {
  const primary = followPrimary(address, CONNECT_MS - 500)
  return {
    connectionString: readAddress(address).url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The server's own limits are of no use when it is the server that hangs, or the way to it.
    query_timeout: 35_000,
    Client: SureClient,
    ...(primary !== undefined && { stream: primary.stream }),
  }
}

/**
 * One pool per process. Every wait is bounded: a connection, a statement, a lock. `patient`: but for statements, for somebody who
 * reads all that there is, and can be stopped by hand.
 */
export function openDatabase(
  url: string,
  options: { readonly max: number; readonly name: string; readonly patient?: boolean },
): OpenDatabase {
  const pool = new PatientPool({
    ...connectionTo(url),
    max: options.max,
    application_name: options.name,
    ...(options.patient === true ? { query_timeout: 0 } : BOUNDS),
    types,
  })
  // A broken connection is replaced by the pool; without a listener its error would end the process. The pool
  // listens to those that are idle, we to those that somebody holds between two statements.
  pool.on("error", () => undefined)
  pool.on("connect", (client) => void client.on("error", () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() }
}
