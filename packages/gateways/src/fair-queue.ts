import { createFairQueue, type FairQueue, type FairQueueLimits } from "@paraph/core/fair-share/fair-queue"

/** Larger documents have a queue of their own, wherever documents wait, so that neither size takes the time of the other. */
export const BULK_BYTES = 8_000_000

export type { FairQueue, FairQueueLimits } from "@paraph/core/fair-share/fair-queue"

/** A fair queue on the clock of this process. */
export const createQueue = (limits: FairQueueLimits): FairQueue =>
  createFairQueue(limits, (afterMs, act) => {
    const timer = setTimeout(act, afterMs)
    return () => clearTimeout(timer)
  })
