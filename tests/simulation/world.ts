import type { QueuedTask } from "@paraph/core/jobs"
import { createRandom, type Random } from "../faults/rig/random.ts"
import { drawFaults, type Faults, type Outcome, type Part } from "./faults.ts"
import { newRecords, type Records } from "./records.ts"
import { createSchedule, type Process, type Schedule } from "./schedule.ts"
import { createLocks, type Locks } from "./store/locks.ts"
import { newState, type State } from "./store/tables.ts"
import type { Transaction } from "./store/transaction.ts"

/**
 * Mistakes that are built in on purpose, in the store or in how a worker holds on to it: each stands for one promise, and the
 * checker must find every one of them (planted.test.ts).
 */
export const PLANTS = [
  "requests are read without a lock",
  "an intent gives way to any other",
  "a value is kept for whatever was prepared last",
  "calls of a line go out at once",
  "whoever called writes it down, lease or not",
  "jobs are sent before the commit",
  "jobs are sent after the commit",
  "a job is over when it begins",
  "an idempotency key is marked after the commit",
  "a dead worker keeps its jobs",
] as const
export type Plant = (typeof PLANTS)[number]

/** All of one run: time, chance, what goes wrong, what is kept and what happened outside. */
export type World = {
  readonly schedule: Schedule
  readonly random: Random
  readonly faults: Faults
  readonly state: State
  readonly locks: Locks
  /** Those that are neither committed nor rolled back. */
  readonly open: Set<Transaction>
  readonly records: Records
  readonly plant: Plant | null
  /** By how much everything takes longer. */
  readonly slowness: number
  /** After so many days the business deletes its requests; null: never. */
  readonly retentionDays: number | null
  /** Whether the business has a webhook that wants every event. */
  readonly listens: boolean
  readonly newId: (of: string) => string
  readonly now: () => Date
  /** Told what is due at which moment, once it is committed. */
  readonly wake: (what: Wakes, at: number) => void
  readonly onWake: (told: (what: Wakes, at: number) => void) => void
}

/** What workers look for: jobs, calls that are owed, and dates that pass. */
export type Wakes = QueuedTask | "deliveries" | "dates"

/** A Monday; dates of the region are in Zurich. */
const BEGINNING = Date.UTC(2026, 10, 2, 9)

export function newWorld(
  seed: number,
  options: { readonly plant?: Plant; readonly traced?: boolean } = {},
): World {
  const random = createRandom(Math.imul(seed, 0x9e3779b1))
  const schedule = createSchedule(BEGINNING, options.traced === true)
  const counts = new Map<string, number>()
  let waking: (what: Wakes, at: number) => void = () => undefined
  return {
    schedule,
    random,
    faults: drawFaults(random, BEGINNING),
    state: newState(),
    locks: createLocks(schedule),
    open: new Set(),
    records: newRecords(),
    plant: options.plant ?? null,
    slowness: random.pick([1, 1, 20, 200]),
    listens: random.next() < 0.4,
    retentionDays: random.pick([null, null, null, 15, 40]),
    newId: (of) => {
      const count = (counts.get(of) ?? 0) + 1
      counts.set(of, count)
      return `${of}-${count}`
    },
    now: () => new Date(schedule.now()),
    wake: (what, at) => waking(what, at),
    onWake: (told) => {
      waking = told
    },
  }
}

/** How long something takes to get there: mostly a moment, and on slow days so long that others are at the same thing meanwhile. */
export function latency({ random, slowness }: World): number {
  const kind = random.next()
  if (kind < 0.9) return (0.1 + 5 * random.next()) * slowness
  return kind < 0.99 ? 200 * random.next() : 3000 * random.next()
}

/** How long it takes to do what was asked, and to say so. The database is quick; others have work to do, and some are slow at it. */
const work = (world: World, part: Part): number =>
  part === "database" ? latency(world) : Math.min(latency(world) * world.random.pick([1, 1, 10, 300]), 20_000)

/** After which whoever hangs is given up. */
const silence = ({ random }: World): number => 5_000 + 65_000 * random.next()

const isDone = (outcome: Outcome): boolean =>
  outcome === "done" || outcome === "lost" || outcome === "late-lost"
const isLate = (outcome: Outcome): boolean => outcome === "late-refused" || outcome === "late-lost"

/**
 * A process asks something outside of it: the call arrives there and is done, the answer comes back, and at each of the two the
 * process may be dead or elsewhere. What was asked for may be done although nobody hears of it.
 */
export function call<T>(
  world: World,
  process: Process,
  part: Part,
  label: string,
  effect: () => T,
  failure: (outcome: Outcome) => Error = () => new Error(`${part} does not answer`),
): Promise<T> {
  const { schedule, faults } = world
  // Whoever was ended at a named point runs on to its next step, and asks nobody any more.
  if (!process.alive) return new Promise(() => undefined)
  const outcome = faults.outcome(part, schedule.now())
  return new Promise<T>((resolve, reject) => {
    schedule.at(
      schedule.now() + latency(world),
      null,
      `${process.name} asks ${part}: ${label} (${outcome})`,
      () => {
        let answer = () => reject(failure(outcome))
        if (isDone(outcome))
          try {
            const value = effect()
            if (outcome === "done") answer = () => resolve(value)
          } catch (error) {
            if (outcome === "done") answer = () => reject(error)
          }
        const takes = isLate(outcome) ? silence(world) : work(world, part)
        schedule.at(schedule.now() + takes, process, `answer to ${label}`, answer)
      },
    )
  })
}

/** Virtual time passes for one process. */
export const pause = ({ schedule }: World, process: Process, ms: number): Promise<void> =>
  new Promise((resolve) => schedule.at(schedule.now() + ms, process, "pause is over", resolve))
