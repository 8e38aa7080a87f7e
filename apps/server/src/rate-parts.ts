import { LIMITS } from "@paraph/core/limits"
import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type { MayBeMailed } from "@paraph/store/jobs/enqueue"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { removeOldWindows as removeOld } from "@paraph/store/postgres/rate-windows"
import { createRateWindows } from "@paraph/store/rate-windows"
import type { Config } from "./config.ts"

/** Decisions, "Default rate limits", for everything but login. */
export function rateParts(config: Config, db: ServiceDatabase, now: Clock) {
  const windows = createRateWindows(db, now)
  const limit = (name: string, points: number) => (key: string) => windows.spend({ name, points }, key)
  const rates = {
    write: limit("writes", config.WRITES_PER_KEY),
    read: limit("reads", config.READS_PER_KEY),
    validate: limit("validations", config.VALIDATIONS_PER_KEY),
    orderProtocol: limit("protocols", config.PROTOCOLS_PER_KEY),
    ofAddress: limit("address", config.PAGES_PER_ADDRESS),
    ofDoor: limit("door", LIMITS.doorPressesPerMinute),
  }
  const removeOldWindows = (most: number) => removeOld(db, now(), most)
  const mayBeMailed: MayBeMailed = (businessId, recipients) => {
    const toAll = { name: "mails", points: config.MAILS_PER_BUSINESS }
    const toOne = { name: "mails to one", points: config.MAILS_PER_RECIPIENT }
    if (recipients.length === 0) return
    const spent = recipients.map((email) => windows.spend(toOne, `${businessId} ${email.toLowerCase()}`))
    spent.push(windows.spend(toAll, businessId, recipients.length))
    const retryAfterSeconds = Math.max(...spent.map((one) => one.retryAfterSeconds))
    if (retryAfterSeconds > 0)
      throw new Refusal("rate-limited", "Too many mails at once. Wait and try again.", { retryAfterSeconds })
  }
  const mayAskForAccounts = (businessId: string) => {
    const { retryAfterSeconds } = windows.spend(
      { name: "accounts asked for", points: config.MAILS_PER_BUSINESS },
      businessId,
    )
    if (retryAfterSeconds > 0)
      throw new Refusal("rate-limited", "Too many signers at once. Wait and try again.", {
        retryAfterSeconds,
      })
  }
  return { parts: { rates, removeOldWindows }, mayBeMailed, mayAskForAccounts, stop: windows.stop }
}
