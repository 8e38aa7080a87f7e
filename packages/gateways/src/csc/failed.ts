/**
 * - `unreachable`: no answer, or one that says "not now". The same may be asked again.
 * - `rate-limited`: the same, not before `retryAfterSeconds`.
 * - `refused`: the person said no, at the login or at the release.
 * - `expired`: the login or the release is over or used up. The person is asked again, nobody else can help.
 * - `wrong-factor`: the PIN or the code that the person gave is wrong. After a few of them providers lock a credential.
 * - `credential-unusable`: the credential can make no signature of the kind that is wanted: another one, or another provider.
 * - `invalid-answer`: it says what it may not say: another certificate, a value that does not verify, no JSON. For a person to look at.
 * - `for-good`: it takes what we ask for as an error, of the configuration or of ours.
 */
export type CscFailure =
  | "unreachable"
  | "rate-limited"
  | "refused"
  | "expired"
  | "wrong-factor"
  | "credential-unusable"
  | "invalid-answer"
  | "for-good"

/** Why a remote signing provider did not do what it was asked for. The message may be shown; what it said is in the `cause`. */
export class CscFailed extends Error {
  readonly code: CscFailure
  readonly retryAfterSeconds: number | undefined
  /**
   * Whether the key may have signed all the same: signing was asked for, and no answer came that says no. Then nothing is
   * asked anew, unless the very same call says that the release is used up.
   */
  readonly mayHaveSigned: boolean
  constructor(
    code: CscFailure,
    message: string,
    options: ErrorOptions & { readonly retryAfterSeconds?: number; readonly mayHaveSigned?: boolean } = {},
  ) {
    super(message, options)
    this.name = "CscFailed"
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.mayHaveSigned = options.mayHaveSigned ?? false
  }
}

export const isWorthRepeating = ({ code }: CscFailed): boolean =>
  code === "unreachable" || code === "rate-limited"

export function invalid(what: string, options?: ErrorOptions): CscFailed {
  return new CscFailed("invalid-answer", `The provider's answer was not accepted: ${what}.`, options)
}
