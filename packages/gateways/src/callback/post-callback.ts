import type { Outbound } from "../outbound/outbound.ts"

const MAX_ANSWER_BYTES = 65_536
const TIMEOUT_MS = 30_000

export type CallbackAnswer = { readonly status: number; readonly retryAfterSeconds?: number }

/**
 * Part 6, rule 1: always HTTP POST, `text/plain`, no body. Whose call it is stands in headers (Standard Webhooks over an
 * empty body), which nobody has to read.
 */
export const postCallback = (
  outbound: Outbound,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<CallbackAnswer> => post(outbound, url, { "content-type": "text/plain", ...headers })

/**
 * The status is the whole answer: a redirect is not followed, and a body that is long or slow is cut, because the server
 * has already said what it wanted to say.
 */
export async function post(
  outbound: Outbound,
  url: string,
  sent: Readonly<Record<string, string>>,
  body?: Uint8Array,
): Promise<CallbackAnswer> {
  const { status, headers } = await outbound.request("callback", url, {
    method: "POST",
    headers: sent,
    ...(body !== undefined && { body }),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
    overflow: "cut",
  })
  const retryAfterSeconds = readRetryAfter(headers["retry-after"], headers.date)
  return retryAfterSeconds === undefined ? { status } : { status, retryAfterSeconds }
}

/** RFC 9110, 10.2.3: seconds, or a date; a date is measured against the server's own clock. */
export function readRetryAfter(
  value: string | undefined,
  serverDate: string | undefined,
): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  const wait = Date.parse(value) - Date.parse(serverDate ?? "")
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait / 1000)) : undefined
}
