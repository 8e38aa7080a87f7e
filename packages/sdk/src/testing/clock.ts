import type { Clock } from "../clock.ts"

export type TestClock = Clock & {
  /** Every pause that was taken, in milliseconds. */
  readonly pauses: readonly number[]
  readonly move: (ms: number) => void
}

/** Nobody waits: a pause moves the time. */
export function startClock(): TestClock {
  const pauses: number[] = []
  let now = Date.parse("2026-11-02T09:00:00Z")
  return {
    pauses,
    now: () => now,
    pause: async (ms, signal) => {
      signal?.throwIfAborted()
      pauses.push(ms)
      now += ms
    },
    move: (ms) => {
      now += ms
    },
  }
}
