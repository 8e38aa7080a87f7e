export type OutboundFailure =
  | "refused-address"
  | "unsupported-url"
  | "timeout"
  | "too-large"
  | "too-many-redirects"
  | "tls"
  | "connection"
  | "status"

/**
 * Why a call to the outside did not succeed. The message may be shown to the caller of the interface, so it
 * never holds what a name resolved to; that is only in the `cause`, for the log.
 */
export class OutboundFailed extends Error {
  readonly code: OutboundFailure
  constructor(code: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "OutboundFailed"
    this.code = code
  }
}
