import { OutboundFailed } from "../outbound/failed.ts"
import type { Outbound } from "../outbound/outbound.ts"

/** The largest of the Union has some 6 MB. */
const MAX_LIST_BYTES = 50_000_000
const TIMEOUT_MS = 120_000

/** Where it is stands in a list that somebody signed; it passes the guard like all other addresses. */
export async function fetchTrustedList(outbound: Outbound, address: string): Promise<Uint8Array> {
  const { status, body } = await outbound.request("trusted-lists", address, {
    method: "GET",
    headers: { accept: "application/vnd.etsi.tsl+xml, application/xml" },
    maxBytes: MAX_LIST_BYTES,
    timeoutMs: TIMEOUT_MS,
  })
  if (status !== 200) throw new OutboundFailed("status", `The server answered ${status}.`)
  return body
}
