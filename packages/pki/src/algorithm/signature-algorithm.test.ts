import { constants, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { describe, expect, it } from "vitest"
import { DerError } from "../der/der.ts"
import { explicit, integer, nullValue, oid, sequence, writeTagged } from "../der/der-writer.ts"
import { ALGORITHMS, newKey, newRoot } from "../testing/small-pki.ts"
import { type DigestName, digestAlgorithmName, digestIdentifier } from "./digest.ts"
import { algorithmFor, encodeSignature, SIGNATURE_ALGORITHMS } from "./signature-algorithm.ts"
import { readSignatureScheme, verifySignature } from "./verify-signature.ts"

const SIGNED = Buffer.from("What is signed.")
const spki = (key: KeyObject) => new Uint8Array(key.export({ type: "spki", format: "der" }))
const RSA_ENCRYPTION = sequence(oid("1.2.840.113549.1.1.1"), nullValue())

describe.each(ALGORITHMS)("%s", (algorithm) => {
  const { identifier } = SIGNATURE_ALGORITHMS[algorithm]

  it("takes the value that its own key made, and no other", async () => {
    const key = newKey(algorithm)
    const value = await key.signBytes(SIGNED)
    const encoded = encodeSignature(algorithm, key.publicKeySpki, SIGNED, value)
    const check = { algorithm: identifier, publicKeySpki: key.publicKeySpki, signed: SIGNED, value: encoded }
    expect(verifySignature(check)).toBe(true)
    expect(verifySignature({ ...check, signed: Buffer.from("Something else.") })).toBe(false)
    expect(verifySignature({ ...check, publicKeySpki: newKey(algorithm).publicKeySpki })).toBe(false)
    expect(() => encodeSignature(algorithm, key.publicKeySpki, Buffer.of(1), value)).toThrow(
      "does not verify",
    )
  })

  it("is not verified with the identifier of another algorithm", async () => {
    const key = newKey(algorithm)
    const value = encodeSignature(algorithm, key.publicKeySpki, SIGNED, await key.signBytes(SIGNED))
    for (const other of ALGORITHMS.filter((name) => name !== algorithm)) {
      const foreign = SIGNATURE_ALGORITHMS[other].identifier
      const check = { algorithm: foreign, publicKeySpki: key.publicKeySpki, signed: SIGNED, value }
      expect(verifySignature(check)).toBe(false)
    }
  })

  it("is the default of its kind of key, RSA-PSS apart", async () => {
    const { certificate } = await newRoot(algorithm)
    expect(algorithmFor(certificate)).toBe(algorithm === "rsa-pss-sha256" ? "rsa-sha256" : algorithm)
  })
})

const SHA_2 = ["sha224", "sha256", "sha384", "sha512"] as const
const SHA_3 = ["sha3-224", "sha3-256", "sha3-384", "sha3-512"] as const
const DIGESTS: readonly DigestName[] = ["sha1", ...SHA_2, ...SHA_3]

describe("encodeSignature", () => {
  it.each([
    ["ecdsa-sha256", 64],
    ["ecdsa-sha384", 96],
  ] as const)("takes r and s of %s side by side, in %i octets", (algorithm, size) => {
    const { privateKey, publicKeySpki } = newKey(algorithm)
    const { digest } = SIGNATURE_ALGORITHMS[algorithm]
    for (let round = 0; round < 50; round++) {
      const value = sign(digest, SIGNED, { key: privateKey, dsaEncoding: "ieee-p1363" })
      expect(value).toHaveLength(size)
      expect(encodeSignature(algorithm, publicKeySpki, SIGNED, value)[0]).toBe(0x30)
    }
  })
})

describe("verifySignature", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
  it.each(DIGESTS)("takes the digest %s from CMS where the algorithm names none", (digest) => {
    const value = sign(digest, SIGNED, rsa.privateKey)
    const check = { algorithm: RSA_ENCRYPTION, publicKeySpki: spki(rsa.publicKey), signed: SIGNED, value }
    expect(verifySignature({ ...check, digest })).toBe(true)
    expect(verifySignature(check)).toBe(false)
    expect(verifySignature({ ...check, digest: "md5" })).toBe(false)
    expect(verifySignature({ ...check, digest: "toString" })).toBe(false)
  })

  it.each(DIGESTS)("verifies RSA-PSS with %s and any salt, as the parameters say", (digest) => {
    for (const saltLength of [0, 20, 32, 64]) {
      const padding = constants.RSA_PKCS1_PSS_PADDING
      const value = sign(digest, SIGNED, { key: rsa.privateKey, padding, saltLength })
      const check = { publicKeySpki: spki(rsa.publicKey), signed: SIGNED, value }
      expect(verifySignature({ ...check, algorithm: pss({ digest, saltLength }) })).toBe(true)
      expect(verifySignature({ ...check, algorithm: pss({ digest, saltLength: saltLength + 1 }) })).toBe(
        false,
      )
    }
  })

  it("refuses an RSA-PSS mask of another digest, another trailer and missing parameters", () => {
    expect(() => readSignatureScheme(pss({ digest: "sha256", mask: "sha1" }))).toThrow("another digest")
    expect(() => readSignatureScheme(pss({ digest: "sha256", trailer: 2 }))).toThrow("out of range")
    expect(() => readSignatureScheme(pss({ digest: "sha256", saltLength: 5000 }))).toThrow("out of range")
    expect(() => readSignatureScheme(sequence(oid("1.2.840.113549.1.1.10")))).toThrow("missing")
  })

  it("refuses RSA-PSS parameters that repeat, are out of order, of two values, or not in the standard", () => {
    const read = (...parts: readonly Uint8Array[]) =>
      readSignatureScheme(sequence(oid("1.2.840.113549.1.1.10"), sequence(...parts)))
    const hash = withNull("sha256")
    const mask = explicit(1, sequence(oid("1.2.840.113549.1.1.8"), hash))
    const salt = explicit(2, integer(32))
    expect(read(explicit(0, hash), mask, salt)).toMatchObject({ digest: "sha256", saltLength: 32 })
    expect(() => read(mask, explicit(0, hash), salt)).toThrow(DerError)
    expect(() => read(explicit(0, hash), mask, salt, explicit(4, integer(1)))).toThrow(DerError)
    expect(() => read(explicit(0, hash), mask, salt, integer(1))).toThrow(DerError)
    expect(() => read(explicit(0, hash), mask, salt, salt)).toThrow(DerError)
    expect(() => read(writeTagged(0xa0, hash, hash), mask, salt)).toThrow(DerError)
    expect(() => read(explicit(0, hash), mask, writeTagged(0xa2, integer(32), integer(20)))).toThrow(DerError)
    expect(() => read(explicit(0, hash), mask, writeTagged(0xa2))).toThrow(DerError)
  })

  it("reads the defaults of RSA-PSS, which are those of SHA-1", () => {
    expect(readSignatureScheme(sequence(oid("1.2.840.113549.1.1.10"), sequence()))).toEqual({
      scheme: "rsa-pss",
      digest: "sha1",
      saltLength: 20,
    })
  })

  it.each(SHA_3)("verifies RSA and ECDSA with %s by the identifiers of NIST", (digest) => {
    const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const place = SHA_3.indexOf(digest)
    for (const [{ privateKey, publicKey }, first] of [
      [p256, 9],
      [rsa, 13],
    ] as const) {
      const algorithm = sequence(oid(`2.16.840.1.101.3.4.3.${first + place}`))
      const check = { algorithm, publicKeySpki: spki(publicKey), signed: SIGNED }
      expect(verifySignature({ ...check, value: sign(digest, SIGNED, privateKey) })).toBe(true)
      const other = `sha${digest.slice(-3)}`
      expect(verifySignature({ ...check, value: sign(other, SIGNED, privateKey) })).toBe(false)
    }
  })

  it("verifies DSA, and ECDSA on a curve that we do not sign with", () => {
    const dsa = generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 })
    const p521 = generateKeyPairSync("ec", { namedCurve: "P-521" })
    const cases = [
      [dsa, "sha256", "2.16.840.1.101.3.4.3.2"],
      [dsa, "sha1", "1.2.840.10040.4.3"],
      [p521, "sha512", "1.2.840.10045.4.3.4"],
      [p521, "sha1", "1.2.840.10045.4.1"],
    ] as const
    for (const [{ privateKey, publicKey }, digest, id] of cases) {
      const value = sign(digest, SIGNED, privateKey)
      const check = { algorithm: sequence(oid(id)), publicKeySpki: spki(publicKey), signed: SIGNED, value }
      expect(verifySignature(check)).toBe(true)
      expect(verifySignature({ ...check, value: value.fill(0, 4, 8) })).toBe(false)
    }
  })

  it("says no to what it does not know or cannot read", () => {
    const value = sign("sha256", SIGNED, rsa.privateKey)
    const check = { publicKeySpki: spki(rsa.publicKey), signed: SIGNED, value }
    const md5WithRsa = sequence(oid("1.2.840.113549.1.1.4"), nullValue())
    expect(readSignatureScheme(md5WithRsa)).toBeUndefined()
    for (const algorithm of [md5WithRsa, new Uint8Array(), Uint8Array.of(0x30, 5), sequence()])
      expect(verifySignature({ ...check, algorithm })).toBe(false)
    const { identifier: algorithm } = SIGNATURE_ALGORITHMS["rsa-sha256"]
    expect(verifySignature({ ...check, algorithm })).toBe(true)
    expect(verifySignature({ ...check, algorithm, publicKeySpki: Uint8Array.of(0x30, 0) })).toBe(false)
    expect(verifySignature({ ...check, algorithm, value: new Uint8Array() })).toBe(false)
  })
})

describe("digestAlgorithmName", () => {
  it("is the way back from digestIdentifier, with and without NULL", () => {
    for (const digest of DIGESTS) {
      expect(digestAlgorithmName(digestIdentifier(digest))).toBe(digest)
      expect(digestAlgorithmName(withNull(digest))).toBe(digest)
    }
    expect(digestAlgorithmName(sequence(oid("1.2.840.113549.2.5")))).toBeUndefined()
    expect(() => digestAlgorithmName(sequence(oid("1.3.14.3.2.26"), integer(1)))).toThrow("parameters")
  })
})

function withNull(digest: DigestName): Uint8Array {
  return sequence(digestIdentifier(digest).subarray(2), nullValue())
}

function pss(input: {
  digest: DigestName
  mask?: DigestName
  saltLength?: number
  trailer?: number
}): Uint8Array {
  const { digest, mask = digest, saltLength = 32, trailer = 1 } = input
  const mgf1 = sequence(oid("1.2.840.113549.1.1.8"), withNull(mask))
  const parts = [explicit(0, withNull(digest)), explicit(1, mgf1), explicit(2, integer(saltLength))]
  if (trailer !== 1) parts.push(explicit(3, integer(trailer)))
  return sequence(oid("1.2.840.113549.1.1.10"), sequence(...parts))
}
