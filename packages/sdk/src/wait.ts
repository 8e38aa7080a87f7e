import type { components as V2 } from "./api/v2.ts"
import type { components as V3 } from "./api/v3.ts"
import type { Clock } from "./clock.ts"
import { ConnectionError, mustSucceed, ProblemError } from "./problem.ts"
import { askedPause } from "./sending.ts"

export type WaitOptions = {
  readonly signal?: AbortSignal
  /** In milliseconds; without it, as long as it takes. */
  readonly timeout?: number
  /** Told whenever the request is another than at the last look. */
  readonly onChange?: (request: AnyRequest) => void
}

/** A signature request, of whichever version it was waited for. */
export type AnyRequest = V2["schemas"]["SignatureRequest"] | V3["schemas"]["SignatureRequest"]

const ENDS = ["DECLINED", "WITHDRAWN", "EXPIRED", "ERROR"] as const
export type Unsigned = (typeof ENDS)[number]

/** The request came to another end: it will not be signed any more. */
export class NotSignedError extends Error {
  override readonly name = "NotSignedError"
  readonly status: Unsigned
  /** As it is at its end; who declined, and why, is in its `signatures`. */
  readonly request: AnyRequest

  constructor(status: Unsigned, request: AnyRequest) {
    super(`The signature request ${request.id} is ${status}.`)
    this.status = status
    this.request = request
  }
}

/** The time that the caller gave is over; the request may still be signed. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError"

  constructor(id: string, timeout: number) {
    super(`The signature request ${id} was not signed within ${timeout} ms.`)
  }
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** Reads the request; with the ETag of an earlier look, 304 while nothing has changed. */
export type Look = (etag: string | null, signal: AbortSignal | undefined) => Promise<Response>

/**
 * Looks again after pauses that grow, and shorter ones after a change. The first look must succeed; later ones may fail for a
 * while, since people take days to sign and no service is there for all of them.
 */
export async function waitUntilSigned<R extends AnyRequest>(
  id: string,
  look: Look,
  clock: Clock,
  options: WaitOptions,
): Promise<R & { status_overall: "SIGNED" }> {
  const { signal, timeout = Number.POSITIVE_INFINITY, onChange } = options
  const deadline = clock.now() + timeout
  let etag: string | null = null
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const response: Response | null = await look(etag, signal)
      .then(mustSucceed)
      .catch(passing(etag !== null))
    if (response?.status === 200) {
      const request = (await response.json()) as R
      etag = response.headers.get("etag") ?? ""
      if (isSigned(request)) return request
      mustNotHaveEnded(request)
      onChange?.(request)
      pause = FIRST_PAUSE_MS
    }
    const asked = askedPause(response?.headers.get("retry-after") ?? null, clock.now()) ?? 0
    const left = deadline - clock.now()
    if (left <= 0) throw new WaitTimeoutError(id, timeout)
    await clock.pause(Math.min(Math.max(pause, asked), left), signal)
  }
}

const isSigned = <R extends AnyRequest>(request: R): request is R & { status_overall: "SIGNED" } =>
  request.status_overall === "SIGNED"

function mustNotHaveEnded(request: AnyRequest): void {
  const end = ENDS.find((status) => status === request.status_overall)
  if (end !== undefined) throw new NotSignedError(end, request)
}

/** What may be over at the next look, such as an outage, is passed over once there has been a good answer. */
const passing =
  (hasSeen: boolean) =>
  (error: unknown): null => {
    const isPassing =
      error instanceof ConnectionError ||
      (error instanceof ProblemError && (error.status === 429 || error.status >= 500))
    if (hasSeen && isPassing) return null
    throw error
  }
