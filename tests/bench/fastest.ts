// How time is taken: the least of many runs, since noise only ever adds. By the clock, and by what the processors spent on
// the whole process; the second hardly minds what else the machine does, so ratios are made of it.

export type Effort = {
  readonly runs: number
  /** No further run begins after so long. */
  readonly seconds: number
}

export type Spent = { readonly clockMs: number; readonly processorMs: number }

/**
 * The least of each. They take turns, so that a machine that slows down meanwhile slows down for all of them.
 */
export async function fastest<Name extends string>(
  acts: Readonly<Record<Name, () => unknown>>,
  { runs, seconds }: Effort,
): Promise<Record<Name, Spent>> {
  const names = Object.keys(acts) as Name[]
  const best = Object.fromEntries(names.map((name) => [name, FOREVER])) as Record<Name, Spent>
  const end = performance.now() + seconds * 1_000
  for (let run = 0; run < runs && (run === 0 || performance.now() < end); run++)
    for (const name of names) {
      const stop = startWatch()
      await acts[name]()
      best[name] = least([best[name], stop()])
    }
  return best
}

const FOREVER: Spent = { clockMs: Number.POSITIVE_INFINITY, processorMs: Number.POSITIVE_INFINITY }

export function startWatch(): () => Spent {
  const clock = performance.now()
  const processor = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(processor)
    return { clockMs: performance.now() - clock, processorMs: (user + system) / 1_000 }
  }
}

export function least(all: readonly Spent[]): Spent {
  return {
    clockMs: Math.min(...all.map(({ clockMs }) => clockMs)),
    processorMs: Math.min(...all.map(({ processorMs }) => processorMs)),
  }
}
