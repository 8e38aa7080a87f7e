const TICK_MS = 250

export type TimeRun = {
  /** Whether this process, or the whole machine, stood still for at least a second since. */
  readonly stoodStill: () => boolean
  readonly stop: () => void
}

/**
 * The time that this process ran, which is not the time that went by: a machine that is moved, frozen for a snapshot or starved
 * stands still with all that is on it. Awake again, all its clocks have run out, and the other side had no time to answer. So ticks
 * are counted, and one that is late is still one.
 */
export function startTimeRun(): TimeRun {
  const begun = performance.now()
  let ranMs = 0
  const timer = setInterval(() => {
    ranMs += TICK_MS
  }, TICK_MS).unref()
  return {
    stoodStill: () => performance.now() - begun - ranMs >= TICK_MS + 1_000,
    stop: () => clearInterval(timer),
  }
}

/** Acts once this process has run for so long; answers how to call it off. */
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
