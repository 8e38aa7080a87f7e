import type { components } from "./api/v2.ts"

/** RFC 9457, as the service writes it. `key` is what programs look at; `message` is for people and may change. */
export type Problem = components["schemas"]["Problem"]

/** The service refused. */
export class ProblemError extends Error {
  override readonly name = "ProblemError"
  readonly status: number
  /** Such as `error.sr.invalid_state`; undefined where the refusal has none. */
  readonly key: string | undefined
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined
  /** After how many seconds the service would be asked again. */
  readonly retryAfterSeconds: number | undefined
  /** All that was said. Only a part of it where something between us and the service answered. */
  readonly problem: Partial<Problem>

  constructor(status: number, problem: Partial<Problem>, headers: Headers) {
    const words = [problem.message, problem.detail, problem.title].find(isWords)
    super(words ?? `The service answered ${status}.`)
    this.status = status
    this.key = isWords(problem.key) ? problem.key : undefined
    this.problem = problem
    this.requestId = headers.get("x-request-id") ?? undefined
    this.retryAfterSeconds = secondsIn(headers.get("retry-after"))
  }
}

/** Whoever stands between us and the service may answer JSON of its own, with anything under these names. */
const isWords = (value: unknown): value is string => typeof value === "string" && value !== ""

/** No answer came: no connection, or one that broke. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError"

  constructor(url: string, attempts: number, cause: unknown) {
    const tried = attempts === 1 ? "once" : `${attempts} times`
    super(`${new URL(url).origin} was asked ${tried} and gave no answer.`, { cause })
  }
}

/** The answer if it is a good one (or says that nothing changed); else what was refused, thrown. */
export async function mustSucceed(response: Response): Promise<Response> {
  if (response.ok || response.status === 304) return response
  throw await refusalIn(response)
}

export async function refusalIn(response: Response): Promise<ProblemError> {
  return new ProblemError(response.status, problemIn(await response.text()), response.headers)
}

/** Of a text that is no problem, such as a proxy's page, nothing is told. */
function problemIn(text: string): Partial<Problem> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === "object" && read !== null && !Array.isArray(read) ? read : {}
  } catch {
    return {}
  }
}

/** RFC 9110, 10.2.3: seconds here; the date that others may send is for `pauseIn`, which knows the time. */
const secondsIn = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined
