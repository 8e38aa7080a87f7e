/**
 * - `unreachable`: no answer, or one that says "not now". The same message may be sent again.
 * - `refused`: the gateway does not take what we say for a reason of the configuration, which somebody will mend.
 * - `invalid-answer`: it says what it may not say: another page, no JSON, no id. Whether it has sent anything is not known.
 * - `number`: the gateway will never reach this number. Another attempt changes nothing.
 */
export type SmsFailure = "unreachable" | "refused" | "invalid-answer" | "number"

/** The text message was not taken. The message of the error names neither the number nor the text; it is logged. */
export class SmsFailed extends Error {
  readonly code: SmsFailure
  constructor(code: SmsFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "SmsFailed"
    this.code = code
  }
  /** Whether another attempt is of no use. */
  get forGood(): boolean {
    return this.code === "number"
  }
}
