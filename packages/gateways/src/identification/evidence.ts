import { createHash, timingSafeEqual } from "node:crypto"
import type { Outbound } from "../outbound/outbound.ts"
import { IdentificationFailed } from "./failed.ts"

/** OpenID Connect for Identity Assurance 1.0, attachments: the bytes themselves, or where they are and what they must be. */
export type EvidencePlace =
  | { readonly type: "embedded"; readonly base64: string }
  | {
      readonly type: "external"
      readonly url: string
      readonly accessToken: string | null
      readonly digest: { readonly alg: string; readonly value: string }
    }

const TIMEOUT_MS = 60_000
/** Of the registry of named information hash algorithms (RFC 6920, 9.4), those that are strong. */
const HASHES: Readonly<Record<string, string>> = {
  "sha-256": "sha256",
  "sha-384": "sha384",
  "sha-512": "sha512",
}

export async function fetchEvidence(
  outbound: Outbound,
  place: EvidencePlace,
  maxBytes: number,
): Promise<Uint8Array> {
  if (place.type === "embedded") return embedded(place.base64, maxBytes)
  const { url, accessToken, digest } = place
  const name = Object.hasOwn(HASHES, digest.alg) ? HASHES[digest.alg] : undefined
  if (name === undefined) throw invalid("a digest of an algorithm that is not taken")
  const { status, body } = await outbound.request("identification", url, {
    method: "GET",
    headers: accessToken === null ? {} : { authorization: `Bearer ${accessToken}` },
    maxBytes,
    timeoutMs: TIMEOUT_MS,
  })
  if (status >= 500 || status === 429)
    throw new IdentificationFailed("unreachable", "The provider does not answer at the moment.")
  if (status !== 200) throw invalid(`a file that is not there (${status})`)
  const is = createHash(name).update(body).digest()
  const must = Buffer.from(digest.value, "base64")
  if (is.length !== must.length || !timingSafeEqual(is, must)) throw invalid("a file that is another one")
  return body
}

function embedded(base64: string, maxBytes: number): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0)
    throw invalid("a file that is no Base64")
  const bytes = Buffer.from(base64, "base64")
  if (bytes.length === 0 || bytes.length > maxBytes) throw invalid("a file that is empty, or too large")
  return bytes
}

const invalid = (what: string): IdentificationFailed =>
  new IdentificationFailed("invalid-answer", `The provider's answer does not count: ${what}.`)
