import type { Config } from "@paraph/server/config"
import { openDatabase } from "@paraph/store/postgres/database"
import { readAddress } from "@paraph/store/postgres/hosts"
import { replicationOf } from "@paraph/store/postgres/service-health"

/**
 * Whether what is acknowledged is on two machines (security, R31). Where the primary wants a standby and has none, nothing is
 * acknowledged at all; where it wants none, whoever follows may lack the last of it.
 */
export async function standbyFollows(config: Config): Promise<string> {
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, { max: 1, name: "paraph-doctor" })
  try {
    const { waitsFor, confirms, followers } = await replicationOf(db)
    if (waitsFor === "" && readAddress(config.DATABASE_URL).hosts.length > 0)
      throw new Error(
        "DATABASE_URL names several hosts, and the primary waits for none of the others: set synchronous_standby_names",
      )
    if (waitsFor === "") return "one database; no standby has to confirm"
    if (followers === 0)
      throw new Error("the primary waits for a standby, and none follows it: nothing is acknowledged")
    if (["off", "local"].includes(confirms))
      throw new Error(`synchronous_commit is ${confirms}: what is acknowledged may be on the primary alone`)
    return `the primary waits for ${waitsFor}, and ${followers} follow it`
  } finally {
    await close()
  }
}
