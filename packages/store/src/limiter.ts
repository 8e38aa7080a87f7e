import { createHash } from "node:crypto"
import type pg from "pg"
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible"

/** What one use leaves of a limit. */
export type Spent = {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  /** 0 when it is within the limit, else the seconds until the next one may be. */
  readonly retryAfterSeconds: number
}

/** Counts one use. */
export type Limiter = (key: string) => Promise<Spent>

/**
 * An exact limit, shared by all processes and kept over a restart (security, R11). The key is hashed: it may be a
 * user name of any length, and nobody's name belongs in a table of counters.
 */
export function createLimiter(
  pool: pg.Pool,
  limit: { readonly name: string; readonly points: number; readonly durationSeconds: number },
): Limiter {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "rate_limit",
    tableCreated: true,
    keyPrefix: limit.name,
    points: limit.points,
    duration: limit.durationSeconds,
  })
  return async (key) => {
    try {
      const within = await limiter.consume(createHash("sha256").update(key).digest("base64url"))
      return spent(limit.points, within, false)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      return spent(limit.points, refused, true)
    }
  }
}

function spent(limit: number, { msBeforeNext, remainingPoints }: RateLimiterRes, isRefused: boolean): Spent {
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
  const retryAfterSeconds = isRefused ? resetSeconds : 0
  return { limit, remaining: Math.max(0, remainingPoints), resetSeconds, retryAfterSeconds }
}
