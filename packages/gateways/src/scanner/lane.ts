import { ScannerFailed } from "./failed.ts"

export type LaneLimits = {
  readonly slots: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/** So much work at a time, so many that wait, each so long; who comes later is told at once to come again. */
export function createLane({ slots, maxWaiting, maxWaitMs }: LaneLimits) {
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
        reject(new ScannerFailed("down", `The scanner had no time for this document in ${maxWaitMs} ms.`))
      }
      const timer = setTimeout(giveUp, maxWaitMs)
      waiting.add(begin)
    })

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= slots) {
      if (waiting.size >= maxWaiting)
        throw new ScannerFailed("down", "Too many documents wait for the scanner.")
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
