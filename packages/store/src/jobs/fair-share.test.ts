import { expect, it } from "vitest"
import { createFairShare, type Places } from "./fair-share.ts"
import type { Lane } from "./lane.ts"
import { LANES_AT_ONCE } from "./ready-lanes.ts"

const PLACES: Places = { total: 4, owner: 2, demo: 1 }

/** Numbers that a seed decides (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** As `readyLanes` answers: down from the lane that was served last, then from the top. */
function roundOf(lanes: readonly Lane[], after: Lane | null): Lane[] {
  const sorted = lanes.toSorted((a, b) => b - a)
  const behind = sorted.filter((lane) => after !== null && lane < after)
  const before = sorted.filter((lane) => after === null || lane >= after)
  return [...behind.slice(0, LANES_AT_ONCE), ...before.slice(0, LANES_AT_ONCE)]
}

type Queue = { readonly waiting: Map<Lane, number>; readonly running: Lane[] }

/** One queue and one worker: jobs arrive and end at random, and what may start does so at once. */
function simulate(seed: number, owners: number, steps: number, check: (q: Queue, started: Lane) => void) {
  const random = randomOf(seed)
  const share = createFairShare(PLACES)
  const waiting = new Map<Lane, number>()
  const running: Lane[] = []
  const anyLane = () => (1 + Math.floor(random() * owners)) * (random() < 0.4 ? -1 : 1)
  for (let step = 0; step < steps; step += 1) {
    if (random() < 0.5) {
      const lane = anyLane()
      waiting.set(lane, (waiting.get(lane) ?? 0) + (random() < 0.05 ? 200 : 1))
    } else if (running.length > 0) {
      const [ended] = running.splice(Math.floor(random() * running.length), 1)
      if (ended !== undefined) share.end(ended)
    }
    for (;;) {
      const lanes = [...waiting.keys()]
      const production = lanes.filter((lane) => lane > 0)
      const demo = lanes.filter((lane) => lane < 0)
      const { served } = share
      const lane = share.next({
        production: roundOf(production, served.production),
        demo: roundOf(demo, served.demo),
      })
      if (lane === null) break
      const left = (waiting.get(lane) ?? 0) - 1
      if (left === 0) waiting.delete(lane)
      else waiting.set(lane, left)
      check({ waiting, running }, lane)
      running.push(lane)
    }
    mustBeFull({ waiting, running })
  }
}

const ofOwner = (running: readonly Lane[], lane: Lane) =>
  running.filter((one) => Math.abs(one) === Math.abs(lane)).length

/** No place is free for a job that may start, and no share is exceeded. */
function mustBeFull({ waiting, running }: Queue): void {
  const demo = running.filter((lane) => lane < 0).length
  expect(running.length).toBeLessThanOrEqual(PLACES.total)
  expect(demo).toBeLessThanOrEqual(PLACES.demo)
  expect(Math.max(0, ...running.map((lane) => ofOwner(running, lane)))).toBeLessThanOrEqual(PLACES.owner)
  if (running.length === PLACES.total) return
  const startable = [...waiting.keys()].filter(
    (lane) => ofOwner(running, lane) < PLACES.owner && (lane > 0 || demo < PLACES.demo),
  )
  expect(startable).toEqual([])
}

it("[B5] no owner and no mode holds all places, and none stays free for a job that may start, for random arrivals", () => {
  for (let seed = 1; seed <= 30; seed += 1) simulate(seed, 25, 400, () => undefined)
})

it("[B5] a job whose owner runs nothing waits for at most one start of each other owner, for random arrivals", () => {
  const OWNERS = 60
  for (let seed = 1; seed <= 20; seed += 1) {
    const passed = new Map<Lane, number>()
    let most = 0
    simulate(seed, OWNERS, 1_000, ({ waiting, running }, started) => {
      for (const lane of waiting.keys()) {
        const isSameMode = Math.sign(lane) === Math.sign(started)
        if (lane === started || ofOwner(running, lane) > 0) passed.delete(lane)
        else if (isSameMode) passed.set(lane, (passed.get(lane) ?? 0) + 1)
        most = Math.max(most, passed.get(lane) ?? 0)
      }
      passed.delete(started)
    })
    expect(most).toBeLessThan(OWNERS)
  }
})

it("[B5] production starts four jobs for one of demo while both wait", () => {
  const share = createFairShare(PLACES)
  const ready = { production: [3, 2, 1], demo: [-9] }
  const modes = Array.from({ length: 10 }, () => {
    const lane = share.next(ready) ?? 0
    share.end(lane)
    return lane > 0 ? "production" : "demo"
  })
  const round = [...Array.from({ length: 4 }, () => "production"), "demo"]
  expect(modes).toEqual([...round, ...round])
})
