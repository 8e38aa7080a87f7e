import type { Socket } from "node:net"
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from "kysely"
import pg from "pg"
import { readAddress } from "./hosts.ts"
import { PatientPool } from "./patient-pool.ts"
import { followPrimary } from "./primary.ts"
import { SureClient } from "./sure-client.ts"
import type { Tables } from "./tables.ts"

/** Exists in types only, so that neither handle is passed where the other is expected. */
export declare const scope: unique symbol

/** For transactions of one business (of-the-business.ts). Outside of these, row-level security shows it no row of a business. */
export type Database = Kysely<Tables> & { readonly [scope]?: "none" }

/**
 * For work that concerns all businesses or none: logins, tokens, sweeps, deliveries, the evidence log, metrics, commands. Each of its
 * statements and transactions sets the service scope, and so reads and writes the rows of all businesses (ADR 0091).
 */
export type ServiceDatabase = Kysely<Tables> & { readonly [scope]: "service" }

export type Trx = Transaction<Tables>

export type OpenDatabase = {
  readonly db: Database
  readonly serviceDb: ServiceDatabase
  /** Without a scope. */
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
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    serviceDb: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: inServiceScope(pool) }),
    }) as ServiceDatabase,
    pool,
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

/** The same pool. A connection has the service scope from its checkout to its release. */
function inServiceScope(pool: PatientPool): PostgresPool {
  return {
    options: pool.options,
    Client: SureClient,
    connect: async () => {
      const client = (await pool.connect()) as pg.PoolClient & SureClient
      const { release } = client
      client.inServiceScope = true
      client.release = (error) => {
        client.inServiceScope = false
        release.call(client, error)
      }
      return client
    },
    end: () => pool.end(),
  }
}
