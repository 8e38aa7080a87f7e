import type { WorkOwner } from "./owner.ts"
import { createShares, defaultDemo, defaultPerOwner, type Release } from "./shares.ts"

export type FairQueueLimits = {
  /** Work that runs at a time. */
  readonly slots: number
  /** Of one owner; all but one unless given. */
  readonly perOwner?: number
  /** Of all demo owners together; half unless given. */
  readonly demo?: number
  /** Work that waits, in all. One owner has at most half of it, and demo owners three quarters. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
  /** The error for work that finds no place to wait, or waited too long. */
  readonly busy: () => Error
  /** Such an owner has one slot at a time, and only one that no other owner wants. */
  readonly isOverBudget?: (owner: WorkOwner) => boolean
}

/** Starts a timer and returns what cancels it: this package has no clock. */
export type StartTimer = (afterMs: number, act: () => void) => () => void

export type FairQueue = <T>(owner: WorkOwner, work: () => Promise<T>) => Promise<T>

type Waiting = { readonly owner: WorkOwner; readonly begin: (release: Release) => void }

/**
 * Runs so much work at a time, and shares the slots among owners: first come, first served within an owner, round-robin between owners.
 * So an owner who waits is overtaken by each other owner once at most, however much that one brings.
 */
export function createFairQueue(limits: FairQueueLimits, startTimer: StartTimer): FairQueue {
  const { slots, maxWaiting, maxWaitMs, busy, isOverBudget = () => false } = limits
  const { perOwner = defaultPerOwner(slots), demo = defaultDemo(slots) } = limits
  const running = createShares({ slots, perOwner, demo })
  const places = createShares({
    slots: maxWaiting,
    perOwner: Math.ceil(maxWaiting / 2),
    demo: Math.ceil((3 * maxWaiting) / 4),
  })
  // In the order in which owners have their turn: an owner who had one goes to the end.
  const owners = new Map<string, Waiting[]>()

  const next = (): Waiting | undefined => {
    let overBudget: Waiting | undefined
    for (const [first] of owners.values()) {
      if (first === undefined || running.exhausted(first.owner) !== null) continue
      if (!isOverBudget(first.owner)) return first
      if (running.heldBy(first.owner) === 0) overBudget ??= first
    }
    return overBudget
  }
  const remove = (one: Waiting) => {
    const all = owners.get(one.owner.key)
    all?.splice(all.indexOf(one), 1)
    if (all?.length === 0) owners.delete(one.owner.key)
  }
  const startAll = () => {
    for (let one = next(); one !== undefined; one = next()) {
      remove(one)
      const rest = owners.get(one.owner.key)
      if (rest !== undefined) {
        owners.delete(one.owner.key)
        owners.set(one.owner.key, rest)
      }
      one.begin(running.take(one.owner))
    }
  }
  const turn = (owner: WorkOwner) =>
    new Promise<Release>((resolve, reject) => {
      const leave = places.take(owner)
      let cancel = () => {}
      const one: Waiting = {
        owner,
        begin: (release) => {
          cancel()
          leave()
          resolve(release)
        },
      }
      const all = owners.get(owner.key)
      if (all === undefined) owners.set(owner.key, [one])
      else all.push(one)
      if (maxWaitMs < Number.POSITIVE_INFINITY)
        cancel = startTimer(maxWaitMs, () => {
          remove(one)
          leave()
          reject(busy())
        })
      startAll()
    })
  const mayStartNow = (owner: WorkOwner) =>
    running.exhausted(owner) === null && (!isOverBudget(owner) || running.heldBy(owner) === 0)

  return async (owner, work) => {
    if (!mayStartNow(owner) && places.exhausted(owner) !== null) throw busy()
    const release = await turn(owner)
    try {
      return await work()
    } finally {
      release()
      startAll()
    }
  }
}
