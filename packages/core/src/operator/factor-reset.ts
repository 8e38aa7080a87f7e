/** An operator wants to reset the factors of a person; another one confirms it (ADR 0098). */
export type FactorReset = {
  readonly accountId: string
  /** The email address of the operator. */
  readonly askedBy: string
  readonly reason: string
  readonly askedAt: Date
}

export type FactorResetRows = {
  /** The one of this account; no other transaction changes it before this one ends. */
  readonly lockFactorReset: (accountId: string) => Promise<FactorReset | null>
  readonly saveFactorReset: (reset: FactorReset) => Promise<void>
  readonly removeFactorReset: (accountId: string) => Promise<void>
}
