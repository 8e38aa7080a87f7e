import { setTimeout as pause } from "node:timers/promises"
import type { Claimed } from "@paraph/core/delivery/model"
import type { Kind } from "@paraph/core/signature-request/model"
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

/** How many of the places each may have. Neither mode ever has all, and calls that failed before have at most half. */
function sharesOf(slots: number) {
  const part = (of: number, share: number) => Math.max(1, Math.floor(of * share))
  const modes = { production: part(slots, 7 / 8), demo: part(slots, 1 / 4) }
  return { business: part(slots, 1 / 8), modes, again: (of: number) => part(of, 1 / 2) }
}

const MODES = ["production", "demo"] as const satisfies readonly Kind[]

/** Claims for the places that are free, first calls before those that failed before. */
export function createPlaces(parts: DeliveringParts, claim: string, underWay: ReadonlyMap<string, Claimed>) {
  const { slots } = parts.deliverySettings
  const shares = sharesOf(slots)
  const start = (): Record<Kind, string | null> => ({ production: null, demo: null })
  const round = { first: start(), again: start() }
  const claimOf = async (
    which: "first" | "again",
    justClaimed: readonly Claimed[] = [],
  ): Promise<readonly Claimed[]> => {
    const retry = which === "again"
    const all = [...underWay.values(), ...justClaimed]
    const mine = all.filter((c) => c.retry === retry)
    const limit = Math.min(slots - all.length, (retry ? shares.again(slots) : slots) - mine.length)
    const left = (kind: Kind) => {
      const most = shares.modes[kind]
      const free = most - all.filter((c) => c.kind === kind).length
      const again = shares.again(most) - mine.filter((c) => c.kind === kind).length
      return Math.max(0, Math.min(limit, free, retry ? again : free))
    }
    const limits = { production: left("production"), demo: left("demo") }
    if (limits.production + limits.demo === 0) return []
    const after = { ...round[which] }
    const leaseUntil = new Date(parts.now().getTime() + LEASE_MS)
    const busy = countBy(mine.map(({ businessId }) => businessId))
    const asked = { retry, limit, limits, share: shares.business, busy, after, claim, leaseUntil }
    const found = await parts.claimDeliveries(asked)
    const of = Map.groupBy(found, ({ kind }) => kind)
    const production = of.get("production")?.length ?? 0
    const most = { production: limits.production, demo: Math.min(limits.demo, limit - production) }
    for (const kind of MODES) if (most[kind] > 0) round[which][kind] = endOf(of.get(kind) ?? [], most[kind])
    // When time is moved, a lease of our own may have ended.
    const fresh = found.filter(({ id }) => !underWay.has(id))
    const isNewRound = MODES.some((kind) => after[kind] !== null && round[which][kind] === null)
    return fresh.length === 0 && isNewRound ? claimOf(which, justClaimed) : fresh
  }
  return {
    fill: async () => {
      const first = await claimOf("first")
      return [...first, ...(await claimOf("again", first))]
    },
  }
}

/** Where a round goes on; null, at its start, when fewer were found than there were places for. */
const endOf = (found: readonly Claimed[], most: number): string | null =>
  found.length < most ? null : lastOf(found)

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
