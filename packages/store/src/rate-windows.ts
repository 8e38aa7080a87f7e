import { createHash } from "node:crypto"
import type { Spent } from "./limiter.ts"
import type { ServiceDatabase } from "./postgres/database.ts"
import * as rows from "./postgres/rate-windows.ts"

/** What a limit is of: so many a minute, for each key. */
export type Limit = { readonly name: string; readonly points: number }

export type RateWindows = {
  /** Counts one use, or so many at once, unless that would exceed the limit. Asks nobody. */
  readonly spend: (limit: Limit, key: string, uses?: number) => Spent
  /** Tells the other processes, and hears of theirs. */
  readonly sync: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Window = {
  readonly id: Buffer
  readonly endsMs: number
  /** What all processes had counted when we last heard. */
  known: number
  /** What we have counted since. */
  untold: number
}

const WINDOW_MS = 60_000
/** So that nobody fills our memory with addresses: the oldest are forgotten first. */
const KEPT_AT_MOST = 100_000

/**
 * Limits that cost no statement: each process counts for itself and tells the others once a second, in one statement for
 * all keys. So a limit can be exceeded by what the other processes let through within that second. Where the database is
 * away, each process goes on with what it knows. The exact limits of login are in limiter.ts.
 */
export function createRateWindows(db: ServiceDatabase, now: () => Date, everyMs = 1_000): RateWindows {
  const windows = new Map<string, Window>()
  let syncing = Promise.resolve()

  const windowOf = (name: string, at: number): Window => {
    const kept = windows.get(name)
    if (kept !== undefined && kept.endsMs > at && kept.endsMs <= at + WINDOW_MS) return kept
    const window = newWindow(name, at)
    // The map is in the order of their beginning.
    windows.delete(name)
    windows.set(name, window)
    const [oldest] = windows.keys()
    if (windows.size > KEPT_AT_MOST && oldest !== undefined) windows.delete(oldest)
    return window
  }
  const sync = async () => {
    const at = now().getTime()
    for (const [name, { endsMs }] of windows) if (endsMs <= at) windows.delete(name)
    const told = [...windows.values()].filter(({ untold }) => untold > 0)
    const counts = told.map(({ id, endsMs, untold }) => ({ id, endsAt: new Date(endsMs), points: untold }))
    const totals = await rows.addPoints(db, counts)
    told.forEach((window, index) => {
      window.untold -= counts[index]?.points ?? 0
      window.known = totals.get(window.id.toString("hex")) ?? window.known
    })
  }
  const next = () => {
    syncing = syncing.then(sync).catch(() => undefined)
    return syncing
  }
  const timer = setInterval(next, everyMs).unref()
  return {
    spend: ({ name, points: limit }, key, uses = 1) => {
      const at = now().getTime()
      const window = windowOf(`${name} ${key}`, at)
      const resetSeconds = Math.max(1, Math.ceil((window.endsMs - at) / 1000))
      const isWithin = window.known + window.untold + uses <= limit
      if (isWithin) window.untold += uses
      const remaining = Math.max(0, limit - window.known - window.untold)
      return { limit, remaining, resetSeconds, retryAfterSeconds: isWithin ? 0 : resetSeconds }
    },
    sync: next,
    stop: () => {
      clearInterval(timer)
      return next()
    },
  }
}

/** Begins at a moment of the key's own, the same in every process: not all wait for the same second. */
function newWindow(name: string, at: number): Window {
  const id = createHash("sha256").update(name).digest()
  const offset = id.readUInt32BE() % WINDOW_MS
  const endsMs = Math.floor((at - offset) / WINDOW_MS) * WINDOW_MS + offset + WINDOW_MS
  return { id, endsMs, known: 0, untold: 0 }
}
