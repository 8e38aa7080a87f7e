import { setTimeout as pause } from "node:timers/promises"
import { SCHEMA } from "../jobs/queues.ts"
import { CannotMove, type Cell, within } from "./cell.ts"

const LOOK_MS = 100

/**
 * Lets what is under way come to its end, and then nobody act for the business here. Until the fence is up, jobs that run may write what they
 * have paid for; what they leave to be done waits. The fence is a lock: when it is granted, the last transaction is over.
 */
export async function halt(cell: Cell, businessId: string, patienceMs: number): Promise<void> {
  await mark(cell, businessId, "stopping")
  const deadline = Date.now() + patienceMs
  while ((await underWay(cell, businessId)) > 0) {
    if (Date.now() > deadline)
      throw new CannotMove(
        `Something of the business has been under way for ${patienceMs / 1000} seconds. It was let go on; try again later.`,
      )
    await pause(LOOK_MS)
  }
  await mark(cell, businessId, "moving")
  // Whoever began before that is waited for; whoever begins now is refused. The lock itself is needed by nobody.
  await within(cell, "begin", async () => {
    await cell.client.query(
      "select pg_advisory_xact_lock(hashtext('paraph business'), hashtext($1::uuid::text))",
      [businessId],
    )
  })
  // What the last of them has left to be done.
  await park(cell, businessId)
}

/** Where nothing was moved yet: everybody goes on. */
export const goOn = (cell: Cell, businessId: string): Promise<void> =>
  within(cell, "begin", async () => {
    await cell.client.query(
      `update ${SCHEMA}.job set blocked = false where data ->> 'businessId' = $1::text and state < 'active' and blocked`,
      [businessId],
    )
    await cell.client.query("update business set leaving = null where id = $1 and leaving <> 'moved'", [
      businessId,
    ])
  })

const mark = ({ client }: Cell, businessId: string, leaving: "stopping" | "moving") =>
  client.query(
    "update business set leaving = $2 where id = $1 and leaving is distinct from 'moved' and leaving is distinct from 'moving'",
    [businessId, leaving],
  )

/** Jobs that wait are taken out of everybody's reach, in the queue itself; workers never look at what is blocked. */
const park = ({ client }: Cell, businessId: string) =>
  client.query(
    `update ${SCHEMA}.job set blocked = true where data ->> 'businessId' = $1::text and state < 'active' and not blocked`,
    [businessId],
  )

/** Jobs that run or could be begun, and calls that a worker holds. A worker that died holds its own for 15 seconds. */
async function underWay(cell: Cell, businessId: string): Promise<number> {
  await park(cell, businessId)
  const { rows } = await cell.client.query<{ count: number }>(
    `select ((select count(*) from ${SCHEMA}.job
               where data ->> 'businessId' = $1::text and (state = 'active' or (state < 'active' and not blocked)))
           + (select count(*) from delivery
               where business_id = $1::uuid and state = 'OPEN' and claim is not null and due_at > now()))::integer as count`,
    [businessId],
  )
  return rows[0]?.count ?? 0
}
