export type ScannerFailure =
  /** Nobody answers, the connection broke, or too many documents wait already: another attempt may succeed. */
  | "down"
  | "timeout"
  /** The scanner did not look at all of the document: its limits are below ours, or the document hides too much. */
  | "limit"
  /** It answered, but neither that the document is clean nor what is in it. */
  | "error"

/** There is no verdict, so the document is not clean (security, R21). */
export class ScannerFailed extends Error {
  readonly code: ScannerFailure
  constructor(code: ScannerFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "ScannerFailed"
    this.code = code
  }
}
