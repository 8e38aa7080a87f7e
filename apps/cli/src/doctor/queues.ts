import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openDatabase } from "@paraph/store/postgres/database"
import { waitingWork } from "@paraph/store/postgres/service-health"

/** Work that has been ready for so long has nobody who does it. */
const LATE_SECONDS = 300

export async function queuesMove(config: Config): Promise<string> {
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
  try {
    const waiting = await waitingWork(db, createClock(config.CLOCK_FILE)())
    const [oldest] = waiting
    if (oldest !== undefined && oldest.seconds > LATE_SECONDS)
      throw new Error(
        `${oldest.what}: ${oldest.ready} wait, the first for ${oldest.seconds} seconds; is a worker running?`,
      )
    const count = waiting.reduce((sum, { ready }) => sum + ready, 0)
    return count === 0 ? "nothing waits" : `${count} wait, none of them for long`
  } finally {
    await close()
  }
}
