import type { Caller } from "../access/caller.ts"
import { dateIn } from "../dates.ts"
import type { Clock, Read, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { type CreditAgreement, type PricedSku, priceOf, type UsualCredits } from "./model.ts"
import { monthOf } from "./period.ts"
import type { CreditsReading } from "./ports.ts"

export type CreditParts = {
  readonly now: Clock
  readonly timeZone: string
  readonly usualCredits: UsualCredits
}

export const mustHaveCredits = async (
  parts: CreditParts & { readonly read: Read },
  caller: Caller,
  sku: PricedSku,
): Promise<void> => {
  // A demo key never is without.
  if (caller.kind === "demo") return
  await parts.read(caller.businessId, async (reading) => {
    await mustBeLeft(parts, reading, caller, sku, await reading.creditAgreement(parts.usualCredits))
  })
}

/** In the transaction of what is paid for: booked is what was done, and what was done is booked. */
export async function bookUse(tx: Tx, parts: CreditParts, caller: Caller, sku: PricedSku): Promise<void> {
  const { kind } = caller
  let agreement = await tx.creditAgreement(parts.usualCredits)
  if (kind === "production" && agreement.included !== null) {
    await tx.lockCredits()
    agreement = await tx.creditAgreement(parts.usualCredits)
    await mustBeLeft(parts, tx, caller, sku, agreement)
  }
  await tx.bookCredits({ kind, sku, credits: priceOf(sku, kind, agreement), at: parts.now() })
}

async function mustBeLeft(
  { now, timeZone }: CreditParts,
  reading: CreditsReading,
  { kind }: Caller,
  sku: PricedSku,
  agreement: CreditAgreement,
): Promise<void> {
  const price = priceOf(sku, kind, agreement)
  if (agreement.included === null || price === 0) return
  const booked = await reading.creditsBooked(kind, monthOf(dateIn(timeZone, now())))
  const used = booked.reduce((sum, { credits }) => sum + credits, 0)
  if (used + price > agreement.included)
    throw new Refusal("credits-exhausted", "The credits of this month are used up.")
}
