export type IdentificationFailure =
  /** To be tried again. */
  | "unreachable"
  /** The person has refused, or the provider has. */
  | "refused"
  /** What came back does not count: forged, for somebody else, or not as the standard says. */
  | "invalid-answer"

/** Why a provider of identification was of no use. The message may be shown; what it said itself is in the `cause`, for the log. */
export class IdentificationFailed extends Error {
  readonly code: IdentificationFailure
  constructor(code: IdentificationFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "IdentificationFailed"
    this.code = code
  }
}
