import type { TimestampAuthority } from "@paraph/pades/timestamp"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Outbound } from "../outbound/outbound.ts"

const MAX_ANSWER_BYTES = 65_536
const TIMEOUT_MS = 10_000

/**
 * RFC 3161, 3.4: time-stamps over HTTP. Whether an answer is right is not seen here: whoever asked checks it before it goes
 * anywhere.
 */
export function askAuthority(outbound: Outbound, url: string): TimestampAuthority {
  return async (request) => {
    const { status, body } = await outbound.request("timestamp", url, {
      method: "POST",
      headers: { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" },
      body: request,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
    })
    if (status !== 200) throw new OutboundFailed("status", `The time-stamping authority answered ${status}.`)
    return body
  }
}
