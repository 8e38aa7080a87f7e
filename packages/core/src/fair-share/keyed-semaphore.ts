import { createFairQueue } from "./fair-queue.ts"

/** Runs so much work of one key at a time; the rest of that key waits in its order, and other keys wait for none of it. */
export type KeyedSemaphore = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Work must not ask for a slot of its own key while it holds one. */
export function createKeyedSemaphore(perKey: number): KeyedSemaphore {
  const unbounded = { slots: Infinity, demo: Infinity, maxWaiting: Infinity, maxWaitMs: Infinity }
  const queue = createFairQueue({ ...unbounded, perOwner: perKey, busy: neverFull }, noTimer)
  return (key, work) => queue({ key, isDemo: false }, work)
}

const neverFull = () => new Error("An unbounded queue was full.")
const noTimer = () => () => undefined
