import { postCallback } from "../callback/post-callback.ts"
import { fetchFile } from "../fetch-file/fetch-file.ts"
import type { Outbound, Purpose } from "../outbound/outbound.ts"
import { revocationPorts } from "../revocation/revocation-ports.ts"
import { askAuthority } from "../timestamp/ask-authority.ts"
import { fetchTrustedList } from "../trusted-lists/fetch-list.ts"
import { postWebhook } from "../webhook/post-webhook.ts"

/**
 * For tests only: everything that leaves the service by HTTP, and for which purpose. The first eight go to an address that
 * somebody else wrote: a caller, the author of a certificate, a state. The others go where the operator said.
 */
export const DOORS = {
  file_url: "download",
  "a callback": "callback",
  "a webhook": "callback",
  "an OCSP responder": "revocation",
  "a CRL": "revocation",
  "an issuer's certificate": "revocation",
  "a time-stamp": "timestamp",
  "a trusted list": "trusted-lists",
  "a witness": "witness",
  "a key server": "keys",
  "single sign-on": "identity",
  "an identification": "identification",
  "an EST server": "certificates",
  "a remote key": "qes",
  "an SMS gateway": "sms",
} as const satisfies Readonly<Record<string, Purpose>>

export type Door = keyof typeof DOORS

/** By the function that the service uses for it, so that what it asks for is what a stranger can make it ask for. */
export function askThrough(outbound: Outbound, door: string, url: string): Promise<unknown> {
  const own = ASKING[door]
  if (own !== undefined) return own(outbound, url)
  const message = { method: "POST", headers: {}, maxBytes: 1000, timeoutMs: 5000 } as const
  return outbound.request(DOORS[door as Door], url, message)
}

const ASKING: Readonly<Record<string, (outbound: Outbound, url: string) => Promise<unknown>>> = {
  file_url: (outbound, url) => fetchFile(outbound, url, { maxBytes: 1000 }),
  "a callback": (outbound, url) => postCallback(outbound, url),
  "a webhook": (outbound, url) => postWebhook(outbound, url, MESSAGE),
  "an OCSP responder": (outbound, url) => revocationPorts(outbound).askOcsp(url, new Uint8Array(8)),
  "a CRL": (outbound, url) => revocationPorts(outbound).fetchCrl(url),
  "an issuer's certificate": (outbound, url) =>
    revocationPorts(outbound).fetchCertificate?.(url) ?? Promise.reject(new Error("There is no such door.")),
  "a time-stamp": (outbound, url) => askAuthority(outbound, url)(new Uint8Array(8)),
  "a trusted list": (outbound, url) => fetchTrustedList(outbound, url),
}

const MESSAGE = { id: "evt_1", at: new Date(0), body: "{}", secrets: [] }
