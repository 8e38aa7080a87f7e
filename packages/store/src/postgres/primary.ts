import { Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { addressBy, type Host, readAddress } from "./hosts.ts"

/** None of the hosts takes writes just now. */
export class NoPrimary extends Error {
  override readonly name = "NoPrimary"
}

export type Primary = {
  /** Which of the hosts takes writes; waits a little for one that is just being promoted. */
  readonly find: () => Promise<Host>
  /** Whoever comes by this ends where writes are taken, whatever host it was told. */
  readonly stream: () => Socket
}

const KNOWN_MS = 1_000
const PROBE_MS = 1_000
const AGAIN_MS = 100
/** Somebody at a shell can wait for a fail-over to end. */
const PATIENCE_MS = 30_000

/**
 * Follows the primary of a cluster over a fail-over, by itself. Undefined for an address of one host: that one is always right.
 * Of two that both take writes, one was the primary before and has come back: its timeline is the lower, and nobody goes there
 * again (security, F06).
 */
export function followPrimary(address: string, patienceMs: number): Primary | undefined {
  const { url, hosts } = readAddress(address)
  if (hosts.length === 0) return undefined
  let known: { readonly host: Host; readonly until: number } | undefined
  let last: Pick<Seen, "timeline" | "startedAt"> = { timeline: 0, startedAt: "" }
  let searching: Promise<Host> | undefined

  /**
   * The one of the last time is trusted as long as it runs, and one that came after it. Any other may have been the primary before
   * that: it is trusted where it confirms what is committed, or when there is no host that could know better.
   */
  const isTrusted = ({ timeline, startedAt, confirms }: Seen, seen: readonly Seen[]) => {
    if (timeline < Math.max(1, last.timeline)) return false
    const isKnown = last.timeline > 0 && (timeline > last.timeline || startedAt === last.startedAt)
    return isKnown || confirms || seen.every(({ isHeard }) => isHeard)
  }
  const search = async (): Promise<Host> => {
    const deadline = performance.now() + patienceMs
    do {
      const seen = await Promise.all(hosts.map((host) => probe(url, host)))
      const best = seen.reduce((a, b) => (b.timeline > a.timeline ? b : a))
      if (isTrusted(best, seen)) {
        last = best
        known = { host: best.host, until: performance.now() + KNOWN_MS }
        return best.host
      }
      await pause(AGAIN_MS)
    } while (performance.now() < deadline)
    throw new NoPrimary("No host of the database takes writes.")
  }
  const find = (): Promise<Host> => {
    if (known !== undefined && performance.now() < known.until) return Promise.resolve(known.host)
    searching ??= search().finally(() => {
      searching = undefined
    })
    return searching
  }
  const forget = () => {
    known = undefined
  }
  return { find, stream: () => new PrimarySocket(find, forget) }
}

/** By the host that takes writes now: for one piece of work, and for programs that read an address by themselves. */
export async function addressOfPrimary(address: string): Promise<string> {
  const primary = followPrimary(address, PATIENCE_MS)
  return primary === undefined ? address : addressBy(address, await primary.find())
}

class PrimarySocket extends Socket {
  readonly #find: () => Promise<Host>
  readonly #forget: () => void

  constructor(find: () => Promise<Host>, forget: () => void) {
    super()
    this.#find = find
    this.#forget = forget
  }

  override connect(): this {
    // It ends for one reason or another; where it was is asked again before the next one goes there.
    this.once("close", this.#forget)
    this.#find().then(
      ({ host, port }) => {
        if (!this.destroyed) super.connect(port, host)
      },
      (error: Error) => void this.destroy(error),
    )
    return this
  }
}

type Seen = {
  readonly host: Host
  readonly isHeard: boolean
  /** 0 for one that cannot be reached, or takes no writes: it follows another. */
  readonly timeline: number
  /** When this server began to run. */
  readonly startedAt: string
  /** A commit there is answered: somebody follows, or nobody has to. */
  readonly confirms: boolean
}

/** A name of a WAL file begins with the timeline, in hexadecimal; one that is in recovery writes none. */
const PROBE = `
  select case when pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' then '0'
              else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline,
         pg_postmaster_start_time()::text as "startedAt",
         current_setting('synchronous_standby_names') = '' or exists (select from pg_stat_replication) as confirms`

async function probe(url: string, host: Host): Promise<Seen> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "paraph-primary",
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  // After the address was read, which would win over an option.
  Object.assign(client, host)
  client.on("error", () => undefined)
  try {
    await client.connect()
    const [row] = (await client.query(PROBE)).rows
    const { startedAt, confirms } = row
    return { host, isHeard: true, timeline: Number.parseInt(row.timeline, 16), startedAt, confirms }
  } catch {
    return { host, isHeard: false, timeline: 0, startedAt: "", confirms: false }
  } finally {
    // Not waited for: one that hangs would hold up the others.
    void client.end().catch(() => undefined)
  }
}
