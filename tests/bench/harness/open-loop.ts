// Calls at a rate of their own, whether those before are answered or not, each timed from when it was due: a service that stands
// still for a second is seen by all who would have come meanwhile (no coordinated omission).
import { setTimeout as pause } from "node:timers/promises"

/** Milliseconds of each call, from when it was due. */
export async function openLoop(
  { aSecond, seconds }: { readonly aSecond: number; readonly seconds: number },
  one: (n: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const began = performance.now()
  const took: number[] = []
  const under: Promise<void>[] = []
  for (let n = 0; n < aSecond * seconds; n += 1) {
    const due = began + (n * 1000) / aSecond
    const early = due - performance.now()
    if (early > 0) await pause(early)
    under.push(one(n).then(() => void took.push(performance.now() - due)))
  }
  await Promise.all(under)
  return took
}

/** The share of them that took so long at most: 0.95 is the 95th percentile. */
export const percentile = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0
