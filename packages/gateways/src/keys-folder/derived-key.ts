import { createPrivateKey, hkdfSync, type KeyObject } from "node:crypto"
import { p256, p384 } from "@noble/curves/nist.js"
import type { KeyAlgorithm } from "../keys-pkcs11/protocol.ts"

/**
 * The key that follows from a seed and a label: whoever has the seed has every key, which is the purpose. RSA has no such way that
 * OpenSSL would go, so those stay random.
 */
export function derivedKey(seed: string, label: string, algorithm: KeyAlgorithm): KeyObject | null {
  const bytes = (size: number) =>
    Buffer.from(hkdfSync("sha256", seed, "paraph sandbox key", `${algorithm} ${label}`, size))
  switch (algorithm) {
    case "P-256":
      return ecKey("P-256", p256, bytes(48))
    case "P-384":
      return ecKey("P-384", p384, bytes(72))
    case "Ed25519":
      return createPrivateKey({
        key: Buffer.concat([ED25519_PKCS8, bytes(32)]),
        format: "der",
        type: "pkcs8",
      })
    default:
      return null
  }
}

// RFC 8410, 7: a PrivateKeyInfo of Ed25519, without the 32 octets at its end.
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex")

/** FIPS 186-5, A.2.1: from half as many bits again as the curve has, so that no scalar is likelier than another. */
function ecKey(crv: string, curve: typeof p256 | typeof p384, bytes: Uint8Array): KeyObject {
  const secret = curve.utils.randomSecretKey(bytes)
  // SEC 1, 2.3.3: 04, x, y.
  const point = curve.getPublicKey(secret, false)
  const half = (point.length - 1) / 2
  const text = (octets: Uint8Array) => Buffer.from(octets).toString("base64url")
  const [x, y] = [text(point.subarray(1, 1 + half)), text(point.subarray(1 + half))]
  return createPrivateKey({ key: { kty: "EC", crv, x, y, d: text(secret) }, format: "jwk" })
}
