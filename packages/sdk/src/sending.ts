import { type Clock, unlessAborted } from "./clock.ts"
import { ConnectionError } from "./problem.ts"
import type { Token } from "./token.ts"

/** One call, which may take several attempts. */
export type Call = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** Asked for each attempt. A body that can be had only once says so. */
  readonly body?: { readonly make: () => BodyInit | Promise<BodyInit>; readonly once?: boolean }
  readonly signal?: AbortSignal
}

export type Line = {
  readonly fetch: typeof fetch
  readonly clock: Clock
  /** How often a call is repeated at most. */
  readonly retries: number
  /** Where the service asks for a longer pause, the caller is told instead. */
  readonly longestPauseMs: number
}

export type Send = (call: Call) => Promise<Response>

type Outcome = Response | ConnectionError

/** Answers whatever the service said last. Throws where it said nothing. */
export function sending(line: Line, token?: Token): Send {
  return async (call) => {
    let isRenewed = false
    for (let attempt = 0; ; ) {
      const bearer = await token?.get(call.signal)
      const outcome = await tried(line, call, bearer, attempt + 1)
      if (isRefusedToken(outcome) && token !== undefined && bearer !== undefined) {
        token.drop(bearer)
        if (!isRenewed && call.body?.once !== true) {
          isRenewed = true
          await outcome.body?.cancel()
          continue
        }
      }
      const pause = attempt < line.retries ? pauseAfter(outcome, call, attempt, line) : null
      if (pause === null) return answered(outcome)
      if (isAnswer(outcome)) await outcome.body?.cancel()
      await line.clock.pause(pause, call.signal)
      attempt += 1
    }
  }
}

/** Whatever else came: a `fetch` of the caller's own may have a Response of its own. */
const isAnswer = (outcome: Outcome): outcome is Response => !(outcome instanceof ConnectionError)

const isRefusedToken = (outcome: Outcome): outcome is Response => isAnswer(outcome) && outcome.status === 401

function answered(outcome: Outcome): Response {
  if (isAnswer(outcome)) return outcome
  throw outcome
}

async function tried(
  { fetch }: Line,
  call: Call,
  bearer: string | undefined,
  attempt: number,
): Promise<Outcome> {
  const { method, url, body, signal } = call
  signal?.throwIfAborted()
  const headers = new Headers(call.headers)
  if (bearer !== undefined) headers.set("authorization", `Bearer ${bearer}`)
  // A redirection would carry the token along; the interface has none.
  const init: RequestInit & { duplex?: "half" } = { method, headers, redirect: "manual" }
  if (signal !== undefined) init.signal = signal
  if (body !== undefined) {
    init.body = await unlessAborted(Promise.resolve(body.make()), signal)
    if (init.body instanceof ReadableStream) init.duplex = "half"
  }
  try {
    return await fetch(url, init)
  } catch (error) {
    signal?.throwIfAborted()
    return new ConnectionError(url, attempt, error)
  }
}

/** How long until the next attempt; null where there is none. */
function pauseAfter(outcome: Outcome, call: Call, attempt: number, line: Line): number | null {
  if (!isWorthRepeating(outcome, call) || call.body?.once === true) return null
  const header = isAnswer(outcome) ? outcome.headers.get("retry-after") : null
  const asked = askedPause(header, line.clock.now())
  if (asked !== null && asked > line.longestPauseMs) return null
  // One second, two, four (part 8 of the interface), and some more, so that many clients do not come back at once.
  const usual = Math.min(1000 * 2 ** attempt, line.longestPauseMs)
  return (asked ?? usual) + Math.random() * 0.25 * usual
}

function isWorthRepeating(outcome: Outcome, call: Call): boolean {
  // Whoever is sent away for coming too often has changed nothing.
  if (isAnswer(outcome) && outcome.status === 429) return true
  if (!mayBeRepeated(call)) return false
  if (!isAnswer(outcome)) return true
  // 409 with a pause: the first attempt with this Idempotency-Key is still at work.
  return [502, 503, 504].includes(outcome.status) || isStillAtWork(outcome)
}

const isStillAtWork = ({ status, headers }: Response): boolean => status === 409 && headers.has("retry-after")

/**
 * Whether the work would be done once, however often it is sent. What depends on a version (`If-Match`) would be refused the
 * second time, and the caller would be told of a conflict with itself.
 */
export function mayBeRepeated({ method, headers }: Pick<Call, "method" | "headers">): boolean {
  if (headers.has("if-match")) return false
  if (method === "POST") return headers.has("idempotency-key")
  return method === "GET" || method === "HEAD" || method === "PUT" || method === "DELETE"
}

/** RFC 9110, 10.2.3: seconds, or the date when to come back. In milliseconds. */
export function askedPause(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  // 5.6.7, as it is written today: what is less strict takes "-1" for a day of 2001, and there would be no pause at all.
  const isDate = !Number.isNaN(date) && new Date(date).toUTCString() === header
  return isDate ? Math.max(0, date - now) : null
}
