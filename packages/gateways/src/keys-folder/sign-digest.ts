// Signatures over hashes that somebody else has made, by keys in memory. node:crypto hashes what it signs, so the last
// step is done here: for the sandbox alone, since nothing of it takes the same time for every key.

import { constants, createHash, type KeyObject, privateEncrypt, randomBytes } from "node:crypto"
import { p256, p384 } from "@noble/curves/nist.js"
import { nullValue, octetString, oid, sequence } from "@paraph/pki/der-writer"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"

export function signDigest(algorithm: SignatureAlgorithm, key: KeyObject, digest: Uint8Array): Uint8Array {
  switch (algorithm) {
    case "ecdsa-sha256":
      return signEcdsa(p256, key, digest)
    case "ecdsa-sha384":
      return signEcdsa(p384, key, digest)
    case "rsa-sha256":
      return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, digestInfo(digest))
    case "rsa-pss-sha256":
      return privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encodePss(key, digest))
    case "ed25519":
      throw new TypeError("Ed25519 signs no hashes.")
  }
}

/** RFC 6979: the same hash is signed by the same value, which is what makes two sandboxes alike. */
function signEcdsa(curve: typeof p256 | typeof p384, key: KeyObject, digest: Uint8Array): Uint8Array {
  const { d = "" } = key.export({ format: "jwk" })
  return curve.sign(digest, Buffer.from(d, "base64url"), { prehash: false, lowS: false, format: "der" })
}

/** RFC 8017, 9.2: DigestInfo; OpenSSL pads it. */
function digestInfo(digest: Uint8Array): Uint8Array {
  return sequence(sequence(oid("2.16.840.1.101.3.4.2.1"), nullValue()), octetString(digest))
}

/** RFC 8017, 9.1.1: EMSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 octets. */
function encodePss(key: KeyObject, digest: Uint8Array): Buffer {
  const bits = (key.asymmetricKeyDetails?.modulusLength ?? 0) - 1
  const size = Math.ceil(bits / 8)
  const salt = randomBytes(32)
  const hash = createHash("sha256").update(Buffer.alloc(8)).update(digest).update(salt).digest()
  const block = Buffer.concat([Buffer.alloc(size - salt.length - hash.length - 2), Buffer.of(1), salt])
  const masked = block.map((byte, index) => byte ^ (maskOf(hash, block.length)[index] ?? 0))
  masked[0] = (masked[0] ?? 0) & (0xff >> (8 * size - bits))
  return Buffer.concat([masked, hash, Buffer.of(0xbc)])
}

function maskOf(seed: Uint8Array, length: number): Buffer {
  const parts: Buffer[] = []
  for (let counter = 0; counter * 32 < length; counter += 1)
    parts.push(
      createHash("sha256")
        .update(seed)
        .update(Buffer.of(0, 0, 0, counter))
        .digest(),
    )
  return Buffer.concat(parts)
}
