import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { peppersOf } from "@paraph/server/peppers"
import { openDatabase } from "@paraph/store/postgres/database"
import { countByEarlierPepper } from "@paraph/store/postgres/earlier-peppers"

/** Whether an earlier pepper may be removed, and what would end with it (ADR 0096). */
export async function pepperIsCurrent(config: Config): Promise<string> {
  const { current, earlier } = peppersOf(config)
  if (earlier.length === 0) return `${current.id} is the only one`
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
  try {
    const found = await countByEarlierPepper(db, current.id, createClock(config.CLOCK_FILE)())
    const { apiKeys, passwords, recoveryCodes } = found
    const ids = earlier.map(({ id }) => id).join(", ")
    if (apiKeys + passwords + recoveryCodes === 0)
      return `${current.id} is in use; nothing is hashed by ${ids}, which may be removed from KEY_PEPPER_EARLIER`
    return `${current.id} is in use; by an earlier pepper (${ids}) are hashed: ${apiKeys} API keys, ${passwords} passwords, recovery codes of ${recoveryCodes} people`
  } finally {
    await close()
  }
}
