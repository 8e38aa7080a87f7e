/**
 * Whether an error says that PostgreSQL or the bucket cannot be reached just now: then the answer is 503, not 500
 * (decisions, "Errors"). The drivers have no one way to say so: some of it has a code, some of it only words.
 */
export function isPartDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, $metadata } = error as { code?: unknown; $metadata?: { httpStatusCode?: number } }
  if (typeof code === "string" && (NETWORK.has(code) || POSTGRES.test(code))) return true
  if (($metadata?.httpStatusCode ?? 0) >= 500 || error.name === "TimeoutError") return true
  return WORDS.some((words) => error.message.startsWith(words)) || isPartDown(error.cause)
}

const NETWORK = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH".split(" "),
)

// Appendix A of PostgreSQL's manual: connection exceptions, too many connections, and the ends of a server.
const POSTGRES = /^(08...|53300|57P0[1-5]|57014)$/

const WORDS = [
  "Connection terminated",
  "Client has encountered a connection error",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
]
