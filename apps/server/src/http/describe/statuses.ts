import { PROBLEMS, type ProblemRow } from "@paraph/contract/shared/problems"
import type { Operation } from "./words.ts"

/**
 * Which problems an operation may answer. Most of it follows from its shape, since the same hooks stand before all of
 * them; the rest is said by the route (`problems`). A fault of ours (500) is no part of the description.
 */
export function problemStatuses(operation: Operation): readonly number[] {
  const { method, path, params, query, headers, body, takesKey } = operation
  const isChange = method !== "get"
  const guessed = [
    ...(params !== null || query !== null || headers !== null || body !== null || isChange ? [400] : []),
    401,
    // Who may read and not write, whose business lacks a feature; and, anywhere, who comes by plain http.
    403,
    ...(path.includes("{") ? [404] : []),
    ...(takesKey ? [409] : []),
    ...(isChange ? [413, 415] : []),
    429,
    503,
  ]
  return [...new Set([...guessed, ...operation.problems])].sort((a, b) => a - b)
}

const ROWS: readonly ProblemRow[] = Object.values(PROBLEMS)

/** Each status of the table, and the keys that it may come with. */
export function keysOf(status: number): readonly string[] {
  const keys = ROWS.filter((row) => row.status === status).flatMap(({ key }) => key ?? [])
  return [...new Set(keys)].sort()
}

/** RFC 9110, 15, and RFC 6585 for 429. */
export const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  406: "Not Acceptable",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  503: "Service Unavailable",
}
