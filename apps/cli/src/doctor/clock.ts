import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openDatabase } from "@paraph/store/postgres/database"
import { databaseTime } from "@paraph/store/postgres/service-health"

/** Security, R44: from here on two machines no longer agree on what came first. */
const APART_MS = 1_000

/** The clock of this machine against the database's; that of a sandbox may be set, so it is not the service's own that is asked. */
export async function clockAgrees(config: Config): Promise<string> {
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
  try {
    // The first question waits for the connection.
    await databaseTime(db)
    return told(await apartBy(createClock(""), () => databaseTime(db)))
  } finally {
    await close()
  }
}

/** By how much the other is ahead at least, or behind; it was asked at some moment between two looks at our own. */
export async function apartBy(now: () => Date, other: () => Promise<Date>): Promise<number> {
  const before = now().getTime()
  const there = (await other()).getTime()
  const after = now().getTime()
  if (there > after) return there - after
  return there < before ? there - before : 0
}

export function told(apartMs: number): string {
  const ms = Math.abs(apartMs)
  if (ms < APART_MS) return `within ${ms + 1} ms of the database's`
  throw new Error(
    `this machine's is ${ms} ms ${apartMs > 0 ? "behind" : "ahead of"} the database's: are both kept by NTP?`,
  )
}
