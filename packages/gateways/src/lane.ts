/** What is larger has a lane of its own, wherever documents wait for something. */
export const BULK_BYTES = 8_000_000

export type LaneLimits = {
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
  /** What those are told for whom there is no time. */
  readonly busy: () => Error
  /** So much of one owner's at a time: what is left is for others, however much that one brings. All, unless it is said. */
  readonly each?: number
}

export type Lane = <T>(work: () => Promise<T>, whose?: string) => Promise<T>

/**
 * So much work at a time, so many that wait, each so long; first come, first served. Big and small documents have lanes of
 * their own, so that neither takes the time of the other.
 */
export function createLane({ slots, maxWaiting, maxWaitMs, busy, each = slots }: LaneLimits): Lane {
  const waiting = new Set<{ readonly whose: string; readonly begin: () => void }>()
  const running: string[] = []
  const mayRun = (whose: string) => running.length < slots && count(running, whose) < each
  // Where one owner has a share only, it is of those that wait, too.
  const mostWaiting = each < slots ? Math.ceil(maxWaiting / 2) : maxWaiting
  const isFull = (whose: string) =>
    waiting.size >= maxWaiting ||
    count(
      [...waiting].map((one) => one.whose),
      whose,
    ) >= mostWaiting

  const turn = (whose: string) =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(one)
        reject(busy())
      }
      const timer = setTimeout(giveUp, maxWaitMs)
      const begin = () => {
        clearTimeout(timer)
        waiting.delete(one)
        running.push(whose)
        resolve()
      }
      const one = { whose, begin }
      waiting.add(one)
    })

  return async (work, whose = "") => {
    if (mayRun(whose)) running.push(whose)
    else {
      if (isFull(whose)) throw busy()
      await turn(whose)
    }
    try {
      return await work()
    } finally {
      running.splice(running.indexOf(whose), 1)
      // The slot goes straight to the next in line, so that nobody can slip in between.
      for (const next of waiting) if (mayRun(next.whose)) next.begin()
    }
  }
}

const count = (all: readonly string[], one: string): number => all.filter((other) => other === one).length
