// How a list may be signed (RFC 9231, 2.3; ETSI TS 119 312): RSA with PKCS #1 v1.5 or PSS, and ECDSA, over SHA-256 or more.

import { constants, createPublicKey, verify } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"
import { readPublicKey } from "@paraph/pki/public-key"

export type SignatureMethod = {
  readonly scheme: "rsa" | "rsa-pss" | "ecdsa"
  readonly digest: "sha256" | "sha384" | "sha512"
}

const MORE_2001 = "http://www.w3.org/2001/04/xmldsig-more#"
const MORE_2007 = "http://www.w3.org/2007/05/xmldsig-more#"

/** Undefined for what we do not know, and for what has grown weak. */
export function readSignatureMethod(address: string): SignatureMethod | undefined {
  for (const digest of ["sha256", "sha384", "sha512"] as const) {
    if (address === `${MORE_2001}rsa-${digest}`) return { scheme: "rsa", digest }
    if (address === `${MORE_2001}ecdsa-${digest}`) return { scheme: "ecdsa", digest }
    if (address === `${MORE_2007}${digest}-rsa-MGF1`) return { scheme: "rsa-pss", digest }
  }
  return undefined
}

/** The bare operation; whether the key is strong enough is the caller's question. */
export function isSignedBy(
  { scheme, digest }: SignatureMethod,
  { publicKeySpki }: Certificate,
  signed: Uint8Array,
  value: Uint8Array,
): boolean {
  if (readPublicKey(publicKeySpki).kind !== (scheme === "ecdsa" ? "EC" : "RSA")) return false
  const key = createPublicKey({ key: Buffer.from(publicKeySpki), format: "der", type: "spki" })
  switch (scheme) {
    case "rsa":
      return verify(digest, signed, { key, padding: constants.RSA_PKCS1_PADDING }, value)
    // RFC 9231, 2.3.10: the salt is as long as the digest.
    case "rsa-pss": {
      const padding = constants.RSA_PKCS1_PSS_PADDING
      return verify(digest, signed, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }, value)
    }
    // XMLDSig, 6.4.3: the two numbers one after the other, not in DER.
    case "ecdsa":
      return verify(digest, signed, { key, dsaEncoding: "ieee-p1363" }, value)
  }
}
