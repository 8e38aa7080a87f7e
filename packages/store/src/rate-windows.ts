import { createHash } from "node:crypto"
import type { Spent } from "./limiter.ts"
import type { ServiceDatabase } from "./postgres/database.ts"
import * as rows from "./postgres/rate-windows.ts"

/** So many uses of each key within a window: a minute, unless another length is given. */
export type Limit = {
  readonly name: string
  readonly points: number
  readonly windowMs?: number
  /**
   * The window before counts too, by the share of it that lies within one window length of now. Without it a caller gets twice the
   * points in a moment, at the end of one window and the beginning of the next.
   */
  readonly sliding?: boolean
}

export type RateWindows = {
  /** Counts one use, or so many at once, unless that would exceed the limit; -1 takes a use back. Sends no query. */
  readonly spend: (limit: Limit, key: string, uses?: number) => Spent
  /** Tells the other processes, and hears of theirs. */
  readonly sync: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Window = {
  readonly id: Buffer
  readonly endsMs: number
  readonly lengthMs: number
  readonly sliding: boolean
  /** Uses in the window before, of a limit that slides. */
  readonly before: number
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

  const windowOf = ({ windowMs = WINDOW_MS, sliding = false }: Limit, name: string, at: number): Window => {
    const kept = windows.get(name)
    if (kept !== undefined && kept.endsMs > at && kept.endsMs <= at + windowMs) return kept
    const window = newWindow(name, at, windowMs, sliding, kept)
    // The map is in the order of their beginning.
    windows.delete(name)
    windows.set(name, window)
    const [oldest] = windows.keys()
    if (windows.size > KEPT_AT_MOST && oldest !== undefined) windows.delete(oldest)
    return window
  }
  const sync = async () => {
    const at = now().getTime()
    // One that slides is kept for one length more, since it counts for the next one.
    for (const [name, { endsMs, lengthMs, sliding }] of windows)
      if (endsMs + (sliding ? lengthMs : 0) <= at) windows.delete(name)
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
    spend: (of, key, uses = 1) => {
      const { points: limit } = of
      const at = now().getTime()
      const window = windowOf(of, `${of.name} ${key}`, at)
      const resetSeconds = Math.max(1, Math.ceil((window.endsMs - at) / 1000))
      const isWithin = carried(window, at) + window.known + window.untold + uses <= limit
      if (isWithin) window.untold += uses
      const remaining = Math.max(0, limit - carried(window, at) - window.known - window.untold)
      const waitMs = isWithin ? 0 : Math.max(1, freeAt(window, limit - uses) - at)
      return { limit, remaining, resetSeconds, retryAfterSeconds: Math.ceil(waitMs / 1000) }
    },
    sync: next,
    stop: () => {
      clearInterval(timer)
      return next()
    },
  }
}

/** What still counts of the window before, as if its uses had been spread evenly. */
const carried = ({ before, endsMs, lengthMs }: Window, at: number): number =>
  Math.ceil((before * (endsMs - at)) / lengthMs)

/** When no more than `points` uses count any more, if there are no others. */
function freeAt({ endsMs, lengthMs, sliding, before, known, untold }: Window, points: number): number {
  const counted = known + untold
  if (counted <= points) return endsMs - (lengthMs * (points - counted)) / before
  return sliding ? endsMs + lengthMs - (lengthMs * Math.max(0, points)) / counted : endsMs
}

/** Begins at a moment of the key's own, the same in every process: not all wait for the same second. */
function newWindow(name: string, at: number, lengthMs: number, sliding: boolean, kept?: Window): Window {
  const id = createHash("sha256").update(name).digest()
  const offset = id.readUInt32BE() % lengthMs
  const endsMs = Math.floor((at - offset) / lengthMs) * lengthMs + offset + lengthMs
  const follows = sliding && kept?.endsMs === endsMs - lengthMs
  return {
    id,
    endsMs,
    lengthMs,
    sliding,
    before: follows ? kept.known + kept.untold : 0,
    known: 0,
    untold: 0,
  }
}
