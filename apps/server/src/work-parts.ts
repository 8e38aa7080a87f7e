import { createKeyedSemaphore } from "@paraph/core/fair-share/keyed-semaphore"
import type { Read, Transact, Tx } from "@paraph/core/ports"
import { createEnqueue, createWriteToMember, type MayBeMailed } from "@paraph/store/jobs/enqueue"
import type { Jobs } from "@paraph/store/jobs/jobs"
import type { Database } from "@paraph/store/postgres/database"
import { createEnqueueSealing } from "@paraph/store/postgres/sealing-parts"
import { createRead, createTransact, type RowSealer } from "@paraph/store/postgres/transact"
import type { Config } from "./config.ts"

/**
 * What stands behind `read` and `transact`. No business may hold more than half of the connections of a process, however slow
 * what it asks for is.
 */
export function workParts({ DATABASE_CONNECTIONS }: Config, needed: Needed) {
  const { db, sealer, boss, timeZone, mayBeMailed, mayAskForAccounts } = needed
  const connections = createKeyedSemaphore(Math.max(1, Math.floor(DATABASE_CONNECTIONS / 2)))
  const enqueue = createEnqueue(boss, mayBeMailed)
  const writeToMember = createWriteToMember(boss, mayBeMailed)
  const enqueueSealing = createEnqueueSealing(boss)
  const changing = createTransact({ db, sealer, enqueue, writeToMember, enqueueSealing, timeZone })
  const reading = createRead(db, sealer)
  /** Choice 205: who has an account is told (SR-13), but not of more addresses than may be written to. */
  const asking =
    (businessId: string, tx: Tx): Tx["isAccount"] =>
    (email) => {
      mayAskForAccounts(businessId)
      return tx.isAccount(email)
    }
  const transact: Transact = (businessId, work) =>
    connections(businessId, () =>
      changing(businessId, (tx) => work({ ...tx, isAccount: asking(businessId, tx) })),
    )
  const read: Read = (businessId, work, asks) =>
    connections(businessId, () => reading(businessId, work, asks))
  return { transact, read }
}

type Needed = {
  readonly db: Database
  readonly sealer: RowSealer
  readonly boss: Jobs["boss"]
  readonly timeZone: string
  readonly mayBeMailed: MayBeMailed
  readonly mayAskForAccounts: (businessId: string) => void
}
