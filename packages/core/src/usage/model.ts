import type { Kind, Quality } from "../signature-request/model.ts"

/** What is counted for good, by day, in the transaction in which it happens (ADR 0035). */
export type Used = "requests" | "documents" | `signatures ${Quality}` | "declined" | "mails" | "seals"

/** How much of one thing there was within a day or a month. */
export type UsedWithin = {
  /** Such as 2026-11-15, or 2026-11. */
  readonly when: string
  readonly kind: Kind
  readonly what: Used
  readonly count: number
}

export type Counts = {
  /** That were sent; a draft is none yet. */
  readonly requests: number
  /** That were uploaded, or copied from a template; what a signature makes of one is no other. */
  readonly documents: number
  /** That were made, by the quality of their request. */
  readonly signatures: Readonly<Record<Quality, number>>
  readonly declined: number
  /** That a mail server took. */
  readonly mails: number
  /** Company seals that were made. */
  readonly seals: number
}

export type CountsOf = Readonly<Record<Kind, Counts>>

export type Usage = {
  readonly months: readonly (CountsOf & { readonly month: string })[]
  readonly days: readonly (CountsOf & { readonly day: string })[]
}
