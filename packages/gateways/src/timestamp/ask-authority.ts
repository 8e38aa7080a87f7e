import type { TimestampAuthority } from "@paraph/pades/timestamp"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Outbound } from "../outbound/outbound.ts"

const MAX_ANSWER_BYTES = 65_536
const TIMEOUT_MS = 10_000

/**
 * RFC 3161, 3.4: time-stamps over HTTP. The addresses are tried in their order, and the last failure is told. Whether an
 * answer is right is not seen here: whoever asked checks it before it goes anywhere.
 */
export function timestampAuthority(outbound: Outbound, urls: readonly string[]): TimestampAuthority {
  return async (request) => {
    let failure = new OutboundFailed("unsupported-url", "No time-stamping authority is configured.")
    for (const url of urls) {
      try {
        return await ask(outbound, url, request)
      } catch (error) {
        if (!(error instanceof OutboundFailed)) throw error
        failure = error
      }
    }
    throw failure
  }
}

async function ask(outbound: Outbound, url: string, request: Uint8Array): Promise<Uint8Array> {
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
