export type UnderWayLimits = {
  /** How much may be under way for one, for those of one business, and for all together. */
  readonly each: number
  readonly business?: number
  readonly all: number
}

export type UnderWay = {
  /** Gives back what ends it, once and for all; or whose limit is reached, and then nothing has begun. */
  readonly begin: (whose: string, business?: string) => (() => void) | "each" | "all"
}

/** Counts what is under way, so that nobody takes all of a process and all of them not more than it has. */
export function createUnderWay({ each, business: ofOne = Infinity, all }: UnderWayLimits): UnderWay {
  const counts = new Map<string, number>()
  const businesses = new Map<string, number>()
  let total = 0

  return {
    begin: (whose, business = "") => {
      if ((counts.get(whose) ?? 0) >= each) return "each"
      if (business !== "" && (businesses.get(business) ?? 0) >= ofOne) return "each"
      if (total >= all) return "all"
      add(counts, whose, 1)
      add(businesses, business, 1)
      total += 1
      let ended = false
      return () => {
        if (ended) return
        ended = true
        total -= 1
        add(counts, whose, -1)
        add(businesses, business, -1)
      }
    },
  }
}

function add(counts: Map<string, number>, whose: string, more: 1 | -1): void {
  const count = (counts.get(whose) ?? 0) + more
  if (count > 0) counts.set(whose, count)
  else counts.delete(whose)
}
