import type { WorkOwner } from "./owner.ts"
import { createShares, defaultDemo, type Release } from "./shares.ts"

export type InFlightLimits = {
  readonly perOwner: number
  readonly total: number
  /** For all demo owners together; half of all unless given. */
  readonly demo?: number
  /** For one caller among those of an owner, such as a session. */
  readonly perCaller?: number
}

export type InFlightLimiter = {
  /**
   * Counts work until the returned function is called. Where a limit is reached it counts nothing and returns which: "owner" is the
   * caller's own share, "total" that of the process.
   */
  readonly begin: (owner: WorkOwner, caller?: string) => Release | "owner" | "total"
}

/** Bounds concurrent work without a queue: one request too many is refused at once. */
export function createInFlightLimiter(limits: InFlightLimits): InFlightLimiter {
  const { perOwner, total, demo = defaultDemo(total), perCaller } = limits
  const shares = createShares({ slots: total, perOwner, demo })
  const callers =
    perCaller === undefined ? null : createShares({ slots: Infinity, perOwner: perCaller, demo: Infinity })
  return {
    begin: (owner, caller) => {
      const one = { key: `${owner.key} ${caller ?? ""}`, isDemo: owner.isDemo }
      if (callers?.exhausted(one) === "owner") return "owner"
      const exhausted = shares.exhausted(owner)
      if (exhausted !== null) return exhausted === "owner" ? "owner" : "total"
      const [release, leave] = [shares.take(owner), callers?.take(one)]
      return () => {
        release()
        leave?.()
      }
    },
  }
}
