import { DAY } from "./faults.ts"
import { newProcess, type Process } from "./schedule.ts"
import { forget, watchIdle } from "./store/database.ts"
import { TASKS, type Worker } from "./worker.ts"
import type { Wakes, World } from "./world.ts"

/** Beyond that nobody looks at what a date brings: a time-stamp is renewed for ever. */
const HORIZON_MS = 120 * DAY

/** So long a worker may take to see that something is due (`server/jobs/deliver`, `sweep`); of jobs it is told, or asks once a second. */
const LOOKS_MS = { deliveries: 225, dates: 60_000 } as const

export type Fleet = {
  readonly kill: (process: Process) => void
  /** Those that live now. */
  readonly apis: () => readonly Process[]
}

/** One or two processes that answer calls, and two workers; whoever dies is started anew after a while. */
export function startFleet(
  world: World,
  startWorker: (process: Process, kill: Fleet["kill"]) => Worker,
): Fleet {
  const { schedule, random, faults, records } = world
  const running = new Map<string, { readonly process: Process; readonly worker: Worker | null }>()
  const horizon = schedule.now() + HORIZON_MS
  let incarnations = 0

  const start = (slot: string) => {
    incarnations += 1
    const process = newProcess(`${slot}#${incarnations}`)
    const worker = slot.startsWith("worker") ? startWorker(process, kill) : null
    running.set(slot, { process, worker })
    process.onDeath.push(() => {
      const again = schedule.now() + 500 + random.next() * 20_000
      schedule.at(again, null, `start ${slot}`, () => start(slot))
    })
    // What was due meanwhile.
    for (const what of [...TASKS, "deliveries", "dates"] as const) worker?.look(what)
  }
  const kill = (process: Process) => {
    if (!process.alive) return
    process.alive = false
    records.faults.crashes += 1
    schedule.note("dies", process)
    forget(world, process)
    for (const told of process.onDeath) told()
  }
  schedule.onArrival((process) => {
    const what = faults.step(schedule.now())
    if (what === "die") kill(process)
    if (what !== "stand still") return
    records.faults.pauses += 1
    const pauseMs = random.pick([3_000, 20_000, 60_000, 600_000, 2 * 3_600_000])
    process.pausedUntil = Math.min(schedule.now() + pauseMs, faults.until)
    schedule.note("stands still", process)
    watchIdle(world, process)
  })
  const looksWithin = (what: Wakes) =>
    what === "deliveries" || what === "dates" ? LOOKS_MS[what] : random.pick([5, 50, 1000])
  const planned = new Set<string>()
  world.onWake((what, due) => {
    // A sweep comes by once a minute, whatever is due by then.
    const at = what === "dates" ? Math.ceil(due / 60_000) * 60_000 : due
    if (at > horizon || planned.has(`${what} ${at}`)) return
    if (at > schedule.now()) planned.add(`${what} ${at}`)
    for (const slot of ["worker-1", "worker-2"]) {
      const sees = Math.max(at, schedule.now()) + random.next() * looksWithin(what)
      schedule.at(sees, null, `${slot} looks for ${what}`, () => {
        const { process, worker } = running.get(slot) ?? {}
        if (process?.alive !== true) return
        if (process.pausedUntil <= schedule.now()) return worker?.look(what)
        schedule.at(process.pausedUntil, process, `looks for ${what}`, () => worker?.look(what))
      })
    }
  })
  for (const slot of random.pick([["api-1"], ["api-1", "api-2"]])) start(slot)
  for (const slot of ["worker-1", "worker-2"]) start(slot)
  const apis = () =>
    [...running.values()].flatMap(({ process, worker }) => (worker === null ? [process] : []))
  return { kill, apis }
}
