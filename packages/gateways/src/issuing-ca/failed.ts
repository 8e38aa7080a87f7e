export type IssuingFailure =
  /** No authority of this kind can issue now: none was made, or the last one has ended. A new one mends it. */
  | "no-authority"
  /** The name cannot stand in a certificate: too long, or with characters that nobody could read. */
  | "subject"
  /** The id was ordered before, for another name or another key. */
  | "another-order"
  /** Somebody else issues, and takes their time: ask again after `retryAfterSeconds`. */
  | "pending"
  /** Somebody else could not be reached, or said no. */
  | "unreachable"
  | "refused"
  /** What came back is not what was ordered. It is never used. */
  | "wrong-answer"

export class IssuingFailed extends Error {
  readonly code: IssuingFailure
  readonly retryAfterSeconds: number | undefined
  constructor(
    code: IssuingFailure,
    message: string,
    options?: ErrorOptions & { retryAfterSeconds?: number },
  ) {
    super(message, options)
    this.name = "IssuingFailed"
    this.code = code
    this.retryAfterSeconds = options?.retryAfterSeconds
  }
}
