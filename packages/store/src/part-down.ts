import { BucketLied } from "./blobs/bucket.ts"
import { NoPrimary } from "./postgres/primary.ts"
import { OutcomeUnknown } from "./postgres/sure-client.ts"

/**
 * Whether an error says that PostgreSQL or the bucket cannot be reached, or cannot take anything, just now: then the
 * answer is 503, not 500 (decisions, "Errors"). The drivers have no one way to say so: some of it has a code, some of it
 * a name or a status, some of it only words. A refusal of S3 below 500 (a wrong key, no such bucket) is a fault of ours.
 */
export function isPartDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, $metadata } = error as { code?: unknown; $metadata?: { httpStatusCode?: number } }
  if (typeof code === "string" && (NETWORK.has(code) || FULL.has(code) || POSTGRES.test(code))) return true
  if (($metadata?.httpStatusCode ?? 0) >= 500 || S3.has(error.name)) return true
  // Nothing was stored, though the bucket had said so: the same to the caller as a bucket that is away.
  if (error instanceof BucketLied) return true
  if (error instanceof NoPrimary || error instanceof OutcomeUnknown) return true
  return WORDS.some((words) => error.message.startsWith(words)) || isPartDown(error.cause)
}

const NETWORK = new Set(
  "ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH".split(
    " ",
  ),
)

// A disk that is full, or a process with too many files open, can take nothing more for now.
const FULL = new Set("ENOSPC EDQUOT EMFILE ENFILE".split(" "))

// Appendix A of PostgreSQL's manual: connection exceptions, too many connections, a disk that is full, the ends of a server, and
// one that takes no writes any more, because another was promoted.
const POSTGRES = /^(08...|53[13]00|57P0[1-5]|57014|25006)$/

// Our time-outs and the client's; then what S3 says under several statuses, some of them below 500. The last are about one
// transmission, whose bytes did not arrive as they were sent, or which another one crossed: nothing of it is our fault.
const S3 = new Set(
  (
    "TimeoutError SlowDown RequestTimeout ServiceUnavailable TooManyRequests " +
    "BadDigest XAmzContentChecksumMismatch IncompleteBody ConditionalRequestConflict OperationAborted"
  ).split(" "),
)

const WORDS = [
  "Connection terminated",
  "Client has encountered a connection error",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
]
