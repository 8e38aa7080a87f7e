import { newRandom, seedOf } from "../../fuzz/random.ts"

/** Everything that is drawn follows from one seed. */
export type Random = {
  /** From 0 to below 1. */
  readonly next: () => number
  readonly below: (bound: number) => number
  readonly between: (low: number, high: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  /** A row of its own, so that what one draws takes nothing from the others. */
  readonly fork: (name: string) => Random
}

const STEPS = 2 ** 32

export function createRandom(seed: number): Random {
  const { below, pick } = newRandom(seed)
  return {
    below,
    pick,
    next: () => below(STEPS) / STEPS,
    between: (low, high) => low + below(high - low + 1),
    fork: (name) => createRandom(seedOf(name, seed)),
  }
}
