import type { Kind } from "../signature-request/model.ts"
import type { Booked, Booking, CreditAgreement, UsualCredits } from "./model.ts"

/** Days such as 2026-11-15, the first and the last of which count. */
export type Days = { readonly from: string; readonly to: string }

export type CreditsReading = {
  /** What was agreed with the business, or the usual from its first day on. */
  readonly creditAgreement: (usual: UsualCredits) => Promise<CreditAgreement>
  readonly creditsBooked: (kind: Kind, days: Days) => Promise<readonly Booked[]>
}

export type CreditsTx = CreditsReading & {
  /** Where credits are counted out, one books after the other, until the transaction ends. */
  readonly lockCredits: () => Promise<void>
  readonly bookCredits: (booking: Booking) => Promise<void>
  /** Null: the usual again. */
  readonly saveCreditAgreement: (agreement: CreditAgreement | null) => Promise<void>
}
