import { asFailure, OutboundFailed } from "./failed.ts"

/** Aborts the connection of one call when the whole of it, or one wait within it, takes too long. */
export type Deadline = {
  readonly signal: AbortSignal
  /** Waits for work that ends by `signal`; what it throws is told as a failure of ours. */
  readonly within: <T>(ms: number, work: () => Promise<T>) => Promise<T>
  readonly stop: () => void
}

export function startDeadline(wholeMs: number): Deadline {
  const ending = new AbortController()
  const end = () => ending.abort(new OutboundFailed("timeout", "No answer in time."))
  const whole = setTimeout(end, wholeMs)
  return {
    signal: ending.signal,
    within: async (ms, work) => {
      const wait = setTimeout(end, ms)
      try {
        return await work()
      } catch (error) {
        // An aborted connection fails in Node's words for a lost one.
        throw asFailure(ending.signal.aborted ? ending.signal.reason : error)
      } finally {
        clearTimeout(wait)
      }
    },
    stop: () => clearTimeout(whole),
  }
}
