import type { Lane } from "./lane.ts"

/** How many jobs of one queue run at once in a worker, at most. */
export type Places = {
  readonly total: number
  /** For one owner, over both modes. */
  readonly owner: number
  /** For the demo jobs of all owners together. */
  readonly demo: number
}

/** While both modes wait, one job of demo starts for so many of production. */
const PRODUCTION_PER_DEMO = 4

/** Lanes that have a job ready, in the order of the round: behind the lane that was served last, then from the top. */
export type Ready = { readonly production: readonly Lane[]; readonly demo: readonly Lane[] }

export type FairShare = {
  /** Where the round continues. */
  readonly served: { readonly production: Lane | null; readonly demo: Lane | null }
  /** The lane whose job starts next, with its place taken; null where no lane may start one. */
  readonly next: (ready: Ready) => Lane | null
  /** Gives the place back. */
  readonly end: (lane: Lane) => void
  readonly running: () => number
}

/**
 * Decides whose job starts next in one worker: of the owners with the fewest running jobs, the one whose turn it is. No owner and no
 * mode ever holds all places, and no place stays free for a job that may start.
 */
export function createFairShare(places: Places): FairShare {
  const counts = new Map<Lane, number>()
  const served: { production: Lane | null; demo: Lane | null } = { production: null, demo: null }
  let productionStarts = 0
  const countOf = (lane: Lane) => counts.get(lane) ?? 0
  const ofOwner = (lane: Lane) => countOf(lane) + (lane === 0 ? 0 : countOf(-lane))
  const sum = (which: (lane: Lane) => boolean) =>
    [...counts].reduce((total, [lane, count]) => total + (which(lane) ? count : 0), 0)
  const running = () => sum(() => true)
  const leastBusy = (lanes: readonly Lane[]): Lane | undefined => {
    const allowed = lanes.filter((lane) => ofOwner(lane) < places.owner)
    const least = Math.min(...allowed.map(ofOwner))
    return allowed.find((lane) => ofOwner(lane) === least)
  }
  const choose = (ready: Ready): Lane | undefined => {
    const production = leastBusy(ready.production)
    const demo = sum((lane) => lane < 0) < places.demo ? leastBusy(ready.demo) : undefined
    if (production === undefined || demo === undefined) return production ?? demo
    return productionStarts < PRODUCTION_PER_DEMO ? production : demo
  }
  return {
    served,
    running,
    next: (ready) => {
      const lane = running() < places.total ? choose(ready) : undefined
      if (lane === undefined) return null
      counts.set(lane, countOf(lane) + 1)
      if (lane < 0) {
        served.demo = lane
        productionStarts = 0
      } else {
        served.production = lane
        if (ready.demo.length > 0) productionStarts += 1
      }
      return lane
    },
    end: (lane) => {
      if (countOf(lane) <= 1) counts.delete(lane)
      else counts.set(lane, countOf(lane) - 1)
    },
  }
}
