import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto"
import type { Identification } from "@paraph/contract/shared/identification"
import type { Clock } from "@paraph/core/ports"
import { calculateJwkThumbprint, exportJWK, type JWK, SignJWT } from "jose"

export type EvidenceTokens = {
  /** RFC 7515: what the JSON says, signed by us. */
  readonly sign: (evidence: Identification) => Promise<string>
  /** Beside those of login tokens; none where it is the same key. */
  readonly publicKeys: () => Promise<readonly JWK[]>
}

export type EvidenceTokenSettings = {
  /** Ed25519, PKCS#8 PEM; empty: the other one signs. */
  readonly privateKeyPem: string
  readonly fallbackPem: string
  /** Ed25519, SPKI PEM: those that signed before, and whose signatures can be checked for as long as they are published. */
  readonly earlierPublicPems: readonly string[]
  readonly publicUrl: string
  readonly now: Clock
}

/** RFC 8725, 3.11: of a type of its own, so that it is never taken for a token that opens something, nor the other way round. */
const TYP = "identification-evidence+jwt"

export function createEvidenceTokens(settings: EvidenceTokenSettings): EvidenceTokens {
  const { privateKeyPem, fallbackPem, earlierPublicPems, publicUrl, now } = settings
  const key = createPrivateKey(privateKeyPem === "" ? fallbackPem : privateKeyPem)
  const published = publish(createPublicKey(key))
  const isOwn = privateKeyPem !== "" && privateKeyPem !== fallbackPem
  const earlier = Promise.all(earlierPublicPems.map((pem) => publish(createPublicKey(pem))))
  return {
    publicKeys: async () => [...(isOwn ? [await published] : []), ...(await earlier)],
    sign: async ({ evidence_id, verified_claims, ...rest }) => {
      const { kid = "" } = await published
      return new SignJWT({ ...rest, ...(verified_claims !== null && { verified_claims }) })
        .setProtectedHeader({ alg: "EdDSA", typ: TYP, kid })
        .setIssuer(publicUrl)
        .setSubject(evidence_id)
        .setIssuedAt(Math.floor(now().getTime() / 1000))
        .sign(key)
    },
  }
}

/** RFC 7638: its name is its fingerprint, so the same key has the same name in every process. */
async function publish(publicKey: KeyObject): Promise<JWK> {
  const jwk = await exportJWK(publicKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: "EdDSA", use: "sig" }
}
