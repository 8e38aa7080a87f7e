import type { WorkOwner } from "./owner.ts"

export type ShareLimits = {
  /** For all owners together. */
  readonly slots: number
  readonly perOwner: number
  /** For all demo owners together. */
  readonly demo: number
}

export type Exhausted = "owner" | "demo" | "slots"
export type Release = () => void

/** Counts the slots in use: in all, of each owner and of all demo owners. The core of the three limiters here. */
export type Shares = {
  /** The limit that leaves this owner no slot; null where a slot is free. */
  readonly exhausted: (owner: WorkOwner) => Exhausted | null
  /** Takes a slot, whether or not one is free. A second call of the release does nothing. */
  readonly take: (owner: WorkOwner) => Release
  readonly heldBy: (owner: WorkOwner) => number
}

export function createShares({ slots, perOwner, demo }: ShareLimits): Shares {
  const held = new Map<string, number>()
  let [inAll, byDemo] = [0, 0]
  const heldBy = ({ key }: WorkOwner) => held.get(key) ?? 0
  const add = (owner: WorkOwner, more: 1 | -1) => {
    inAll += more
    if (owner.isDemo) byDemo += more
    const now = heldBy(owner) + more
    if (now > 0) held.set(owner.key, now)
    else held.delete(owner.key)
  }
  return {
    heldBy,
    exhausted: (owner) => {
      if (heldBy(owner) >= perOwner) return "owner"
      if (inAll >= slots) return "slots"
      return owner.isDemo && byDemo >= demo ? "demo" : null
    },
    take: (owner) => {
      add(owner, 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        add(owner, -1)
      }
    },
  }
}

/** One owner leaves at least one slot, as far as there are two. */
export const defaultPerOwner = (slots: number): number => Math.max(1, slots - 1)

/** All demo owners together leave half of the slots to production. */
export const defaultDemo = (slots: number): number => Math.max(1, Math.floor(slots / 2))
