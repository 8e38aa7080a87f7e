// What the provider can be told to do wrong. Real ones do all of it, on their bad days.

export type CscMethod =
  | "info"
  | "credentials/list"
  | "credentials/info"
  | "credentials/authorize"
  | "credentials/authorizeCheck"
  | "credentials/getChallenge"
  | "signatures/signHash"
  | "signatures/signPolling"
  | "oauth2/token"

/** `drop` and `lost`: the connection ends without an answer, before anything was done, or after all of it was. */
export type CscAnswer = "error" | "rate-limited" | "garbage" | "huge" | "silence" | "drop" | "lost"

export type CscMisbehaviour = {
  /** Every answer of the interface takes so long. */
  readonly slowMs?: number
  readonly answers?: Partial<Record<CscMethod, CscAnswer>>
  readonly login?: "refuse"
  readonly release?: "refuse"
  /** What the person has released is over when it is to be used. */
  readonly authorisation?: "expired"
  readonly signs?: "another-hash" | "too-few" | "too-many"
  readonly certificate?: "unqualified" | "other-law" | "stranger" | "other-key" | "expired"
  readonly credential?: "revoked" | "disabled" | "not-bound"
  /** How often somebody is told "not yet" who asks for signatures, or for a release on the telephone. */
  readonly pendingPolls?: number
}
