export type UnderWayLimits = {
  /** How much may be under way for one, and how much for all together. */
  readonly each: number
  readonly all: number
}

export type UnderWay = {
  /** Gives back what ends it, once and for all; or whose limit is reached, and then nothing has begun. */
  readonly begin: (whose: string) => (() => void) | "each" | "all"
}

/** Counts what is under way, so that nobody takes all of a process and all of them not more than it has. */
export function createUnderWay({ each, all }: UnderWayLimits): UnderWay {
  const counts = new Map<string, number>()
  let total = 0

  return {
    begin: (whose) => {
      const count = counts.get(whose) ?? 0
      if (count >= each) return "each"
      if (total >= all) return "all"
      counts.set(whose, count + 1)
      total += 1
      let ended = false
      return () => {
        if (ended) return
        ended = true
        total -= 1
        const left = (counts.get(whose) ?? 0) - 1
        if (left > 0) counts.set(whose, left)
        else counts.delete(whose)
      }
    },
  }
}
