import type { WorkOwner } from "./owner.ts"

export type CpuBudgetLimits = {
  /** Milliseconds of CPU time that an owner gains in a minute. */
  readonly perMinuteMs: number
  /** What an owner has saved up at most. */
  readonly burstMs: number
  /** Milliseconds of any clock that never goes back. */
  readonly now: () => number
}

export type CpuBudget = {
  readonly charge: (owner: WorkOwner, cpuMs: number) => void
  readonly isOver: (owner: WorkOwner) => boolean
  /** What is spent and not paid off yet. */
  readonly spentMs: (owner: WorkOwner) => number
}

type Spent = { readonly ms: number; readonly at: number }

const MOST_OWNERS = 10_000

/** A token bucket of CPU time for each owner. What was spent beyond it is a debt that time pays off, a full bucket at most. */
export function createCpuBudget({ perMinuteMs, burstMs, now }: CpuBudgetLimits): CpuBudget {
  // Owners with a full bucket have no entry. The first entry was charged the longest time ago.
  const owners = new Map<string, Spent>()
  const spentNow = (key: string): number => {
    const spent = owners.get(key)
    return spent === undefined ? 0 : Math.max(0, spent.ms - ((now() - spent.at) / 60_000) * perMinuteMs)
  }
  return {
    isOver: ({ key }) => spentNow(key) > burstMs,
    spentMs: ({ key }) => spentNow(key),
    charge: ({ key }, cpuMs) => {
      const ms = Math.min(spentNow(key) + cpuMs, 2 * burstMs)
      owners.delete(key)
      owners.set(key, { ms, at: now() })
      for (const oldest of owners.keys()) {
        if (owners.size <= MOST_OWNERS && spentNow(oldest) > 0) break
        owners.delete(oldest)
      }
    },
  }
}
