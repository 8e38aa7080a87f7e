import { MAX_CRL_BYTES } from "@paraph/pki/crl"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import type { Message } from "../outbound/exchange.ts"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Outbound } from "../outbound/outbound.ts"

const MAX_ANSWER_BYTES = 65_536
const TIMEOUT_MS = 10_000
const CRL_TIMEOUT_MS = 60_000

/** The addresses stand in certificates, so anybody may have written them: they pass the guard like all others. */
export function revocationPorts(outbound: Outbound): RevocationPorts {
  const fetched = async (url: string, message: Message) => {
    const { status, body } = await outbound.request("revocation", url, message)
    if (status !== 200) throw new OutboundFailed("status", `The server answered ${status}.`)
    return body
  }
  const get = (url: string, maxBytes: number, timeoutMs: number) =>
    fetched(url, { method: "GET", headers: {}, maxBytes, timeoutMs })
  return {
    // RFC 6960, A.1: POST, which no proxy caches, and a fresh nonce would make a cache useless anyway.
    askOcsp: (url, request) =>
      fetched(url, {
        method: "POST",
        headers: { "content-type": "application/ocsp-request", accept: "application/ocsp-response" },
        body: request,
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: TIMEOUT_MS,
      }),
    fetchCrl: (url) => get(url, MAX_CRL_BYTES, CRL_TIMEOUT_MS),
    fetchCertificate: (url) => get(url, MAX_ANSWER_BYTES, TIMEOUT_MS),
  }
}
