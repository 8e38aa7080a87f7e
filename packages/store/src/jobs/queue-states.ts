import type { QueuedTask as Task } from "@paraph/core/jobs"
import type { Kind } from "@paraph/core/signature-request/model"
import type { PgBoss } from "pg-boss"
import { QUEUES, SCHEMA } from "./queues.ts"

export type QueueState = {
  readonly task: Task
  readonly mode: Kind
  readonly ready: number
  readonly active: number
  readonly oldestReadySeconds: number
}

const MODES = ["production", "demo"] as const satisfies readonly Kind[]

/** For the metrics, from the table itself: what pg-boss counts is up to a minute old, and it knows neither ages nor modes. */
export async function queueStates(boss: PgBoss): Promise<readonly QueueState[]> {
  const { rows } = await boss.getDb().executeSql(
    `select name, case when priority < 0 then 'demo' else 'production' end as mode,
            count(*) filter (where state in ('created', 'retry') and start_after <= now()) as ready,
            count(*) filter (where state = 'active') as active,
            extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry') and start_after <= now())) as oldest
       from ${SCHEMA}.job where state < 'completed' group by 1, 2`,
  )
  return (Object.keys(QUEUES) as Task[]).flatMap((task) =>
    MODES.map((mode) => {
      const row = rows.find((r: { name: string; mode: Kind }) => r.name === task && r.mode === mode)
      return {
        task,
        mode,
        ready: Number(row?.ready ?? 0),
        active: Number(row?.active ?? 0),
        oldestReadySeconds: Number(row?.oldest ?? 0),
      }
    }),
  )
}
