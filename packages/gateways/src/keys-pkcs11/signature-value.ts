// What PKCS#11 gives and takes around a signature, and what X.509 and CMS want instead.

import { createPublicKey } from "node:crypto"

// RFC 8017, 9.2, note 1: DigestInfo of SHA-256, without the hash.
const SHA256_DIGEST_INFO = Buffer.from("3031300d060960864801650304020105000420", "hex")

export function digestInfo(sha256: Uint8Array): Buffer {
  if (sha256.length !== 32) throw new Error("A SHA-256 value has 32 bytes.")
  return Buffer.concat([SHA256_DIGEST_INFO, sha256])
}

/** PKCS#11 2.40, 2.3.1 gives r and s side by side; RFC 3279, 2.2.3 wants Ecdsa-Sig-Value, a SEQUENCE of both. */
export function ecdsaSigValue(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2
  // Two integers of a curve of up to 384 bits always fit a one-byte length.
  if (half !== 32 && half !== 48) throw new Error("Only signatures on P-256 and P-384 are expected.")
  const body = [derInteger(raw.subarray(0, half)), derInteger(raw.subarray(half))]
  const length = body.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Uint8Array.of(0x30, length), ...body])
}

function derInteger(unsigned: Uint8Array): Uint8Array {
  const first = unsigned.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? unsigned.subarray(-1) : unsigned.subarray(first)
  const padded = (digits[0] ?? 0) >= 0x80 ? Uint8Array.of(0, ...digits) : digits
  return Uint8Array.of(0x02, padded.length, ...padded)
}

/** CKA_EC_POINT is the uncompressed point inside an OCTET STRING; some devices leave the wrapping off. */
export function ecPublicKey(curve: "P-256" | "P-384", ecPoint: Uint8Array): Uint8Array {
  const half = curve === "P-256" ? 32 : 48
  const size = 1 + 2 * half
  const point = ecPoint.length === size + 2 ? ecPoint.subarray(2) : ecPoint
  if (point.length !== size || point[0] !== 0x04)
    throw new Error(`The public key is not a point on ${curve}.`)
  return spki({
    kty: "EC",
    crv: curve,
    x: base64url(point.subarray(1, 1 + half)),
    y: base64url(point.subarray(1 + half)),
  })
}

/** The same for a point of Ed25519, which is 32 octets (RFC 8032, 5.1.2). */
export function edPublicKey(ecPoint: Uint8Array): Uint8Array {
  const point = ecPoint.length === 34 ? ecPoint.subarray(2) : ecPoint
  if (point.length !== 32) throw new Error("The public key is not a point of Ed25519.")
  return spki({ kty: "OKP", crv: "Ed25519", x: base64url(point) })
}

export function rsaPublicKey(modulus: Uint8Array, exponent: Uint8Array): Uint8Array {
  return spki({ kty: "RSA", n: base64url(modulus), e: base64url(exponent) })
}

function spki(jwk: Record<string, string>): Uint8Array {
  return createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "der" })
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url")
}
