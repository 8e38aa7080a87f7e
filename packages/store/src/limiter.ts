import { createHash } from "node:crypto"
import type pg from "pg"
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible"

/** Counts one use; answers 0 when it is within the limit, else the seconds until the next one may be. */
export type Limiter = (key: string) => Promise<number>

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
      await limiter.consume(createHash("sha256").update(key).digest("base64url"))
      return 0
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    }
  }
}
