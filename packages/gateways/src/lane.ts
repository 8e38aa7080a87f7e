/** What is larger has a lane of its own, wherever documents wait for something. */
export const BULK_BYTES = 8_000_000

export type LaneLimits = {
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
  /** What those are told for whom there is no time. */
  readonly busy: () => Error
}

export type Lane = <T>(work: () => Promise<T>) => Promise<T>

/**
 * So much work at a time, so many that wait, each so long; first come, first served. Big and small documents have lanes of
 * their own, so that neither takes the time of the other.
 */
export function createLane({ slots, maxWaiting, maxWaitMs, busy }: LaneLimits): Lane {
  const waiting = new Set<() => void>()
  let running = 0

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        waiting.delete(begin)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(begin)
        reject(busy())
      }
      const timer = setTimeout(giveUp, maxWaitMs)
      waiting.add(begin)
    })

  return async (work) => {
    if (running >= slots) {
      if (waiting.size >= maxWaiting) throw busy()
      await turn()
    } else running += 1
    try {
      return await work()
    } finally {
      const [next] = waiting
      // The slot goes straight to the next in line, so that nobody can slip in between.
      if (next) next()
      else running -= 1
    }
  }
}
