import { LIMITS } from "@paraph/core/limits"
import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type { Kind } from "@paraph/core/signature-request/model"
import type { MayBeMailed } from "@paraph/store/jobs/enqueue"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { removeOldWindows as removeOld } from "@paraph/store/postgres/rate-windows"
import { createRateWindows } from "@paraph/store/rate-windows"
import type { Config } from "./config.ts"

const DAY = { windowMs: 86_400_000, sliding: true }

/** How many mails about signature requests an address has had today, apart from one-time codes. */
export type Mailbox = {
  /** Counts a mail that is about to be sent; false where the address has had its number. Atomic, because mails are sent concurrently. */
  readonly reserve: (kind: Kind, email: string) => boolean
  /** The mail was not sent. */
  readonly release: (kind: Kind, email: string) => void
}

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
  const mailsOfDay = {
    demo: { points: config.DAILY_DEMO_MAILS_PER_RECIPIENT, ...DAY },
    production: { points: config.DAILY_MAILS_PER_RECIPIENT, ...DAY },
  }
  const mayBeMailed: MayBeMailed = ({ businessId, kind }, recipients) => {
    const toAll = { name: "mails", points: config.MAILS_PER_BUSINESS, sliding: true }
    const toOne = { name: "mails to one", points: config.MAILS_PER_RECIPIENT, sliding: true }
    const inDay = { name: `${kind} mails to one in a day`, ...mailsOfDay[kind] }
    if (recipients.length === 0) return
    const spent = recipients.flatMap((email) => [
      windows.spend(toOne, `${businessId} ${email.toLowerCase()}`),
      windows.spend(inDay, email.toLowerCase()),
    ])
    spent.push(windows.spend(toAll, businessId, recipients.length))
    const retryAfterSeconds = Math.max(...spent.map((one) => one.retryAfterSeconds))
    if (retryAfterSeconds > 0)
      throw new Refusal("rate-limited", "Too many mails at once. Wait and try again.", { retryAfterSeconds })
  }
  /**
   * What the worker sends, over all businesses: it has mails too that no call causes, such as the invitation of the next signer.
   * Counted apart from what callers cause, since a call is refused long before its mails are sent.
   */
  const mailbox: Mailbox = {
    reserve: (kind, email) => windows.spend(sentInDay(kind), email.toLowerCase()).retryAfterSeconds === 0,
    release: (kind, email) => void windows.spend(sentInDay(kind), email.toLowerCase(), -1),
  }
  const sentInDay = (kind: Kind) => ({ name: `${kind} mails sent to one in a day`, ...mailsOfDay[kind] })
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
  return { parts: { rates, removeOldWindows, mailbox }, mayBeMailed, mayAskForAccounts, stop: windows.stop }
}
