import { type CpuBudget, createCpuBudget } from "@paraph/core/fair-share/cpu-budget"
import { ownerOf, type Tenant } from "@paraph/core/fair-share/owner"

export type Work = "reading" | "drawing" | "viewing" | "validating" | "comparing" | "pictures" | "scanning"
type OnUse = (owner: Tenant, work: Work, ms: number) => void

/** The CPU time that a process spends for each business. */
export type CpuUse = {
  readonly budget: CpuBudget
  readonly record: OnUse
  /** To be called for each record from now on. */
  readonly onUse: (listener: OnUse) => void
  /** The businesses with the most CPU time that is not paid off yet. */
  readonly top: () => readonly (Tenant & { readonly spentMs: number })[]
}

const TOP = 10

/** `secondsPerMinute` is the setting BUSINESS_CPU_SECONDS. */
export function createCpuUse(secondsPerMinute: number, now: () => number = () => performance.now()): CpuUse {
  const perMinuteMs = 1_000 * secondsPerMinute
  const budget = createCpuBudget({ perMinuteMs, burstMs: 2 * perMinuteMs, now })
  const listeners: OnUse[] = []
  let highest: readonly Tenant[] = []
  const spentMs = (owner: Tenant) => budget.spentMs(ownerOf(owner))
  return {
    budget,
    record: (owner, work, ms) => {
      budget.charge(ownerOf(owner), ms)
      const { businessId, kind } = owner
      const others = highest.filter((one) => one.businessId !== businessId || one.kind !== kind)
      highest = [{ businessId, kind }, ...others].sort((a, b) => spentMs(b) - spentMs(a)).slice(0, TOP)
      for (const listener of listeners) listener(owner, work, ms)
    },
    onUse: (listener) => void listeners.push(listener),
    top: () =>
      highest.map((owner) => ({ ...owner, spentMs: spentMs(owner) })).filter((one) => one.spentMs > 0),
  }
}
