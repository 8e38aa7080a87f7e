import { setTimeout as pause } from "node:timers/promises"
import type { Claimed } from "@paraph/core/delivery/model"
import type { WorkerParts } from "../worker-parts.ts"
import { attempt } from "./deliver-attempt.ts"

/** So long a call that is due waits at most before somebody looks; looking costs a few steps in an index. */
const LOOK_MS = 200
/** After a place has become free: others will follow in a moment. */
const GATHER_MS = 25
/** A worker that has died keeps what it held for so long. */
export const LEASE_MS = 15_000
export const EXTEND_MS = 5_000
/** What is still under way then is left to another worker. */
const STOP_MS = 5_000

export type DeliveringParts = Pick<
  WorkerParts,
  | "claimDeliveries"
  | "extendClaims"
  | "recordAttempt"
  | "postCallback"
  | "postWebhook"
  | "deliverySettings"
  | "random"
  | "now"
  | "newId"
  | "log"
  | "metrics"
  | "pass"
>

/**
 * Calls what is owed until it is told to stop (ADR 0023). Businesses take turns, and each has a share of the places; calls
 * that failed before have at most half of all. So whoever has ten thousand dead receivers waits for them alone.
 */
export function startDeliveries(parts: DeliveringParts): { stop: () => Promise<void> } {
  const claim = parts.newId()
  const underWay = new Map<string, Claimed>()
  const ending = new AbortController()
  let freed = Promise.withResolvers<void>()
  const places = createPlaces(parts, claim, underWay)
  const run = async (claimed: Claimed) => {
    underWay.set(claimed.id, claimed)
    // What is not written down is called again when the lease has ended.
    await attempt(parts, claimed).catch((error: unknown) =>
      parts.log.warn({ error, job: claimed.id }, "delivery failed"),
    )
    underWay.delete(claimed.id)
    freed.resolve()
  }
  const delivering = (async () => {
    while (!ending.signal.aborted) {
      const found = await places.fill().catch(async (error: unknown) => {
        parts.log.warn({ error }, "deliveries cannot be claimed")
        await pause(1000)
        return []
      })
      for (const claimed of found) void run(claimed)
      if (found.length > 0) continue
      freed = Promise.withResolvers()
      await Promise.race([pause(LOOK_MS), freed.promise.then(() => pause(GATHER_MS))])
    }
  })()
  const until = (ms: number) => new Date(parts.now().getTime() + ms)
  const extending = setInterval(() => {
    parts
      .extendClaims(claim, [...underWay.keys()], until(LEASE_MS))
      .catch((error: unknown) => parts.log.warn({ error }, "leases cannot be extended"))
  }, EXTEND_MS)
  return {
    stop: async () => {
      ending.abort()
      await delivering
      const deadline = performance.now() + STOP_MS
      while (underWay.size > 0 && performance.now() < deadline) await pause(20)
      clearInterval(extending)
      await parts.extendClaims(claim, [...underWay.keys()], parts.now())
    },
  }
}

/** Claims for the places that are free, first calls before those that failed before. */
export function createPlaces(parts: DeliveringParts, claim: string, underWay: ReadonlyMap<string, Claimed>) {
  const { slots } = parts.deliverySettings
  const share = Math.max(1, Math.floor(slots / 8))
  const most = { first: slots, again: Math.max(1, Math.floor(slots / 2)) }
  const round: Record<"first" | "again", string | null> = { first: null, again: null }
  const claimOf = async (which: "first" | "again"): Promise<readonly Claimed[]> => {
    const retry = which === "again"
    const mine = [...underWay.values()].filter((c) => c.retry === retry)
    const limit = Math.min(slots - underWay.size, most[which] - mine.length)
    if (limit <= 0) return []
    const after = round[which]
    const leaseUntil = new Date(parts.now().getTime() + LEASE_MS)
    const busy = countBy(mine.map(({ businessId }) => businessId))
    const found = await parts.claimDeliveries({ retry, limit, share, busy, after, claim, leaseUntil })
    round[which] = found.length < limit ? null : lastOf(found)
    // When time is moved, a lease of our own may have ended.
    const fresh = found.filter(({ id }) => !underWay.has(id))
    return fresh.length === 0 && after !== null ? claimOf(which) : fresh
  }
  return { fill: async () => [...(await claimOf("first")), ...(await claimOf("again"))] }
}

/** PostgreSQL orders ids as their text is ordered. */
const lastOf = (claimed: readonly Claimed[]): string | null =>
  claimed
    .map(({ businessId }) => businessId)
    .toSorted()
    .at(-1) ?? null

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
