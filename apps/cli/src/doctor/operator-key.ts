import type { Config } from "@paraph/server/config"
import { keyProcessIsolation, openKeyRing } from "@paraph/server/key-ring"
import { unwrapped } from "@paraph/store/keys/business-keys"
import { openDatabase } from "@paraph/store/postgres/database"

/** It wraps, and every key that was ever used to wrap one that is still there unwraps: an earlier one may not be removed before. */
export async function operatorKeyWorks(config: Config): Promise<string> {
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
  const ring = await openKeyRing(config)
  try {
    await ring.health()
    const rows = await db
      .selectFrom("business_key")
      .selectAll()
      .distinctOn("kek_id")
      .orderBy("kek_id")
      .execute()
    if (rows.length === 0)
      return `${ring.currentId} wraps and unwraps; there is no business yet${await isolationOf(config)}`
    for (const { business_id: businessId, version, kek_id: kekId, wrapped_key: wrappedKey } of rows)
      await unwrapped(ring, { businessId, version, kekId, wrappedKey })
    const earlier = rows.filter(({ kek_id }) => kek_id !== ring.currentId).map(({ kek_id }) => kek_id)
    const still =
      earlier.length === 0 ? "" : `; keys are still wrapped by ${earlier.join(", ")}: paraph keys rewrap`
    return `${ring.currentId} wraps and unwraps, and the key of a business opens${still}${await isolationOf(config)}`
  } finally {
    await ring.close()
    await close()
  }
}

/** What the system takes from the process that reads the key file; nothing is shown where the key is in an HSM or a key server. */
async function isolationOf(config: Config): Promise<string> {
  const found = await keyProcessIsolation(config)
  if (found === null) return ""
  const { network, privileges, coreDumps, memory } = found
  return `; key process: network ${network}, privileges ${privileges}, core dumps ${coreDumps}, memory ${memory} to its user`
}
