export type OutboundFailure =
  | "refused-address"
  | "unsupported-url"
  | "unsupported-answer"
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

const SAID: Partial<Record<OutboundFailure, string>> = {
  timeout: "No answer in time.",
  tls: "The server's certificate or its TLS was not accepted.",
  "refused-address": "The address is not one of the public internet.",
}

/** Turns what Node throws into one of our words; the system's own words, with addresses, stay in `cause`. */
export function asFailure(error: unknown): OutboundFailed {
  if (error instanceof OutboundFailed) return error
  const { name, code, message } = error as NodeJS.ErrnoException
  const failure = failureOf(name, code ?? "", message ?? "")
  return new OutboundFailed(failure, SAID[failure] ?? "The connection failed.", { cause: error })
}

function failureOf(name: string, code: string, message: string): OutboundFailure {
  if (name === "TimeoutError" || name === "AbortError" || code === "ETIMEDOUT") return "timeout"
  // The words of request-filtering-agent, which gives its errors no code.
  if (message.includes("is not allowed. Because")) return "refused-address"
  if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code))
    return "tls"
  return "connection"
}
