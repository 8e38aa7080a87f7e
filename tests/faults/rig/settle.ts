// After the last fault: everything that is open goes on by itself, and comes to its end (I12).
import { setTimeout as pause } from "node:timers/promises"
import { until } from "../../service/until.ts"
import type { Now } from "./check/answers.ts"
import type { Breach } from "./check/breach.ts"
import { owedCallbacks, owedEvents } from "./check/deliveries.ts"
import type { Rig } from "./rig.ts"

const DAY_MS = 86_400_000
const OPEN_JOBS =
  "select coalesce(string_agg(distinct name, ' '), '') from jobs.job where state < 'completed'"

/** Everybody is there again, and no job is left; answers how long that took. */
export async function settle(rig: Rig, breaches: Breach[]): Promise<number> {
  const started = performance.now()
  await until("every process is up", () => rig.fleet.allUp(), 120_000)
  const isDone = async () => (await rig.sql(OPEN_JOBS).catch(() => "?")) === ""
  for (const end = Date.now() + 300_000; !(await isDone()); await pause(250))
    if (Date.now() > end) {
      breaches.push({
        invariant: "I12",
        what: `jobs are left after five minutes: ${await rig.sql(OPEN_JOBS)}`,
      })
      break
    }
  return Math.round(performance.now() - started)
}

/** Pauses between tries grow to an hour; so the clock of the service goes on by some, and all that is owed comes. */
export async function collect(rig: Rig, found: readonly Now[]): Promise<void> {
  for (const hours of [2, 4, 6, 8, 10, 12]) {
    rig.moveClock(hours * 3_600_000)
    const end = Date.now() + 15_000
    do {
      if (owedCallbacks(rig, found).length === 0 && (await owedEvents(rig)).length === 0) return
      await pause(250)
    } while (Date.now() < end)
  }
}

/** What no row names is swept a day after it was stored, at the latest. */
export async function sweepObjects(rig: Rig): Promise<void> {
  rig.moveClock(2 * DAY_MS)
  const left = () => rig.sql("select count(*) from loose_blob")
  for (const end = Date.now() + 30_000; (await left()) !== "0" && Date.now() < end; await pause(250));
}
