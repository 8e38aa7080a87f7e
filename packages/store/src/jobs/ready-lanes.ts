import type { QueuedTask as Task } from "@paraph/core/jobs"
import type { PgBoss } from "pg-boss"
import type { FairShare, Ready } from "./fair-share.ts"
import { HIGHEST_LANE, LOWEST_LANE } from "./lane.ts"
import { SCHEMA } from "./queues.ts"

/** More than the places of any queue, so that lanes whose owner has its share do not hide the others. */
export const LANES_AT_ONCE = 16

const WAITING = "name = $1 and state < 'active' and not blocked"

/**
 * Steps from lane to lane in the index that pg-boss fetches by (a loose index scan), twice for each mode: behind the lane that was
 * served last, then from the top to it. What a lane has waiting is never scanned for another one.
 */
const READY_LANES = `
  select stretch.number, lane.priority
    from (values (1, $2::bigint, 0::bigint), (2, ${HIGHEST_LANE + 1}, $2), (3, $3::bigint, ${LOWEST_LANE}), (4, 0, $3))
           as stretch (number, below, lowest)
   cross join lateral (
     with recursive step (priority) as (
       (select priority from ${SCHEMA}.job
         where ${WAITING} and priority < stretch.below and priority >= stretch.lowest order by priority desc limit 1)
       union all
       select next.priority from step cross join lateral (
         select priority from ${SCHEMA}.job
          where ${WAITING} and priority < step.priority and priority >= stretch.lowest
          order by priority desc limit 1) as next)
     select step.priority from step cross join lateral (
       select from ${SCHEMA}.job
        where ${WAITING} and job.priority = step.priority and start_after <= now() limit 1) as due
      limit ${LANES_AT_ONCE}) as lane`

/** Lanes of a queue with a job that can run now, at most so many of each mode and stretch. */
export async function readyLanes(boss: PgBoss, task: Task, served: FairShare["served"]): Promise<Ready> {
  const { rows } = await boss
    .getDb()
    .executeSql(READY_LANES, [task, served.production ?? HIGHEST_LANE + 1, served.demo ?? 0])
  const of = (number: number): number[] =>
    rows.filter((row: { number: number }) => row.number === number).map((row) => Number(row.priority))
  return { production: [...of(1), ...of(2)], demo: [...of(3), ...of(4)] }
}
