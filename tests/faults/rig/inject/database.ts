// F03 to F06: the database.
import { setTimeout as pause } from "node:timers/promises"
import type { Random } from "../random.ts"
import type { Rig } from "../rig.ts"
import { signal } from "../server.ts"
import { type Fault, Found } from "./fault.ts"

async function failOver({ cluster }: Rig, random: Random): Promise<string> {
  const started = performance.now()
  await cluster.failOver()
  const took = Math.round(performance.now() - started)
  // For a while nobody follows, and nothing is acknowledged.
  await pause(random.between(0, 1_500))
  await cluster.rejoin()
  return `promoted after ${took} ms`
}

async function standbyStops({ cluster }: Rig, random: Random): Promise<string> {
  const ms = random.between(500, 8_000)
  signal(cluster.standby(), "SIGSTOP")
  await pause(ms)
  signal(cluster.standby(), "SIGCONT")
  return `for ${ms} ms`
}

/** Whoever's wait is cancelled has its change here and not there; in half of the cases here is then lost. */
async function waitCancelled({ cluster }: Rig, random: Random): Promise<string> {
  const cancel = "select count(pg_cancel_backend(pid)) from pg_stat_activity where wait_event = 'SyncRep'"
  signal(cluster.standby(), "SIGSTOP")
  let cancelled = 0
  for (const until = Date.now() + random.between(1_000, 3_000); Date.now() < until; await pause(50))
    cancelled += Number(await cluster.sql(cluster.primary(), cancel))
  if (random.next() < 0.5) {
    signal(cluster.standby(), "SIGCONT")
    return `${cancelled} waits`
  }
  await cluster.failOver({ stopped: true })
  await cluster.rejoin()
  return `${cancelled} waits, and what they left was lost`
}

/** It does not know that it was followed by another, and it stands in the address that everybody goes by. */
async function oldPrimaryReturns({ cluster }: Rig, random: Random): Promise<string> {
  await cluster.failOver()
  await cluster.startUnfenced()
  await pause(random.between(1_000, 3_000))
  const open = await cluster.sql(
    cluster.standby(),
    "select count(*) from pg_stat_activity where usename = 'paraph_server' and application_name <> 'paraph-primary'",
  )
  await cluster.rejoin()
  if (open !== "0") throw new Found(`${open} connections of the service stood at the old primary.`)
  return "nobody went there"
}

export const databaseFaults: readonly Fault[] = [
  {
    id: "F03",
    name: "the primary is killed, the standby promoted",
    weight: 6,
    inject: failOver,
    ofDatabase: true,
  },
  { id: "F04", name: "the standby stands still", weight: 2, inject: standbyStops, ofDatabase: true },
  {
    id: "F05",
    name: "a wait for the standby is cancelled",
    weight: 3,
    inject: waitCancelled,
    ofDatabase: true,
  },
  {
    id: "F06",
    name: "the old primary comes back unfenced",
    weight: 1,
    inject: oldPrimaryReturns,
    ofDatabase: true,
  },
]
