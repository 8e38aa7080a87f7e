/** Time as an argument: what waits here never looks at a clock of its own. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Rejects with the reason of the signal as soon as that is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The longest that a timer can be told (HTML, 8.7: 31 bits); of anything longer it makes one millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  pause: (ms, signal) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const passed = new Promise<void>((done) => {
      timer = setTimeout(done, Math.min(ms, LONGEST_TIMER_MS))
    })
    return unlessAborted(passed, signal).finally(() => clearTimeout(timer))
  },
}

/** What was begun for others too goes on; only this caller stops waiting for it. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((done, fail) => {
    const stop = () => fail(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener("abort", stop, { once: true })
    work.then(done, fail).finally(() => signal.removeEventListener("abort", stop))
  })
}
