const TICK_MS = 250

/** Busy machines are late by tenths of that, again and again, and that is no pause: who waits too long on one is to be told so. */
const PAUSE_MS = 1_000

export type TimeRun = {
  /** Whether this process, or the whole machine, stood still for at least a second at a stretch since. */
  readonly stoodStill: () => boolean
  readonly stop: () => void
}

/**
 * The time that this process ran, which is not the time that went by: a machine that is moved, frozen for a snapshot or starved
 * stands still with all that is on it. Awake again, all its clocks have run out, and the other side had no time to answer.
 */
export function startTimeRun(): TimeRun {
  let ticked = performance.now()
  let paused = false
  const stoodStill = () => {
    paused ||= performance.now() - ticked >= TICK_MS + PAUSE_MS
    return paused
  }
  const timer = setInterval(() => {
    stoodStill()
    ticked = performance.now()
  }, TICK_MS).unref()
  return { stoodStill, stop: () => clearInterval(timer) }
}

/** Acts once this process has run for so long, by ticks, of which one that is late is still one; answers how to call it off. */
export function afterRunning(ms: number, act: () => void): () => void {
  let left = Math.ceil(ms / TICK_MS)
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    act()
  }, TICK_MS)
  return () => clearInterval(timer)
}
