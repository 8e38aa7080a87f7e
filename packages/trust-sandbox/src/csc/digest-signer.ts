// Signatures over hashes that somebody else has made, by keys in memory. node:crypto hashes what it signs, so the last
// step is done here: for the sandbox alone, since nothing of it takes the same time for every key.

import { constants, createECDH, createHash, type KeyObject, privateEncrypt, randomBytes } from "node:crypto"
import { integer, nullValue, octetString, oid, sequence } from "@paraph/pki/der-writer"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"

export function signDigest(algorithm: SignatureAlgorithm, key: KeyObject, digest: Uint8Array): Uint8Array {
  switch (algorithm) {
    case "ecdsa-sha256":
      return signEcdsa(P256, key, digest)
    case "ecdsa-sha384":
      return signEcdsa(P384, key, digest)
    case "rsa-sha256":
      return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, digestInfo(digest))
    case "rsa-pss-sha256":
      return privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encodePss(key, digest))
    case "ed25519":
      throw new TypeError("Ed25519 signs no hashes.")
  }
}

type Curve = { readonly name: string; readonly size: number; readonly order: bigint }

// FIPS 186-5 and SP 800-186, 3.2.1.3 and 3.2.1.4
const P256: Curve = {
  name: "prime256v1",
  size: 32,
  order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
}
const P384: Curve = {
  name: "secp384r1",
  size: 48,
  order: BigInt(`0x${"f".repeat(48)}c7634d81f4372ddf581a0db248b0a77aecec196accc52973`),
}

/** FIPS 186-5, 6.4.1: node:crypto multiplies the base point, the rest are two lines. */
function signEcdsa({ name, size, order }: Curve, key: KeyObject, digest: Uint8Array): Uint8Array {
  const { d = "" } = key.export({ format: "jwk" })
  const secret = number(Buffer.from(d, "base64url"))
  const z = number(digest.subarray(0, size))
  for (;;) {
    const k = (number(randomBytes(size + 8)) % (order - 1n)) + 1n
    const ecdh = createECDH(name)
    ecdh.setPrivateKey(Buffer.from(k.toString(16).padStart(2 * size, "0"), "hex"))
    const r = number(ecdh.getPublicKey().subarray(1, 1 + size)) % order
    const s = (inverse(k, order) * (z + r * secret)) % order
    if (r !== 0n && s !== 0n) return sequence(integer(r), integer(s))
  }
}

const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`)

/** The order is a prime: Euclid's way, which ends at one. */
function inverse(of: bigint, order: bigint): bigint {
  let [a, b, x, y] = [of % order, order, 1n, 0n]
  while (a > 1n) {
    const times = b / a
    ;[a, b, x, y] = [b - times * a, a, y - times * x, x]
  }
  return ((x % order) + order) % order
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
