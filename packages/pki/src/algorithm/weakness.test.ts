import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { describe, expect, it } from "vitest"
import { bitString, integer, nullValue, oid, sequence } from "../der/der-writer.ts"
import { ALGORITHMS, newKey } from "../testing/small-pki.ts"
import { rsaKey, rsaSpki } from "../testing/weak.ts"
import { readPublicKey } from "./public-key.ts"
import { SIGNATURE_ALGORITHMS } from "./signature-algorithm.ts"
import { readSignatureScheme, type SignatureScheme, verifySignature } from "./verify-signature.ts"
import { isTooWeak, keyWeakness, weakness } from "./weakness.ts"

const spki = ({ publicKey }: { readonly publicKey: KeyObject }) =>
  new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
const curve = (namedCurve: string, paramEncoding: "named" | "explicit" = "named") =>
  spki(generateKeyPairSync("ec", { namedCurve, paramEncoding }))
const odd = (bits: number) => (1n << BigInt(bits - 1)) | 1n
const RSA: SignatureScheme = { scheme: "rsa", digest: "sha256" }
const strong = newKey("rsa-sha256").publicKeySpki

describe("weakness", () => {
  it.each(ALGORITHMS)("finds nothing in what we sign with ourselves: %s", (algorithm) => {
    const scheme = readSignatureScheme(SIGNATURE_ALGORITHMS[algorithm].identifier)
    if (scheme === undefined) throw new Error("unknown")
    expect(weakness(scheme, newKey(algorithm).publicKeySpki)).toBeUndefined()
  })

  it.each(["rsa", "ecdsa", "rsa-pss"] as const)("refuses SHA-1 in %s, whatever the key", (scheme) => {
    expect(weakness({ scheme, digest: "sha1", saltLength: 20 }, strong)).toBe("digest")
    for (const digest of ["sha224", "sha256", "sha384", "sha512"] as const)
      expect(weakness({ scheme, digest, saltLength: 20 }, strong)).toBeUndefined()
  })

  it("refuses DSA by its signature and by its key", () => {
    const dsa = spki(generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 }))
    expect(weakness({ scheme: "dsa", digest: "sha256" }, dsa)).toBe("dsa")
    expect(keyWeakness(dsa)).toBe("dsa")
  })

  it.each([
    ["of 512 bits", odd(512), 65_537n, "key-size"],
    ["of 2047 bits", odd(2047), 65_537n, "key-size"],
    ["of 2048 bits", odd(2048), 65_537n, undefined],
    ["of 16,384 bits", odd(16_384), 65_537n, undefined],
    ["of 16,385 bits", odd(16_385), 65_537n, "key-size"],
    ["with the exponent 3", odd(2048), 3n, "exponent"],
    ["with the exponent 32,767", odd(2048), 32_767n, "exponent"],
    ["with the exponent 41,851", odd(2048), 41_851n, undefined],
    ["with an even exponent", odd(2048), 65_538n, "exponent"],
    ["with the largest exponent of 32 bits", odd(2048), 0xffff_ffffn, undefined],
    ["with an exponent of 33 bits", odd(2048), odd(33), "exponent"],
    ["with an exponent as long as the modulus", odd(3072) + 2n, odd(3072), "exponent"],
    ["that is negative", -odd(2048), 65_537n, "unreadable"],
  ])("judges an RSA key %s", (_, modulus, exponent, expected) => {
    expect(weakness(RSA, rsaSpki(modulus, exponent))).toBe(expected)
  })

  it("counts the bits of a modulus as node:crypto counts them", () => {
    for (const bits of [1024, 1999, 2047, 2048]) {
      const key = rsaKey(bits)
      expect(readPublicKey(key.publicKeySpki)).toEqual({ kind: "RSA", modulusBits: bits, exponent: 65_537n })
    }
  })

  it("takes the curves that are agreed, by their names only", () => {
    for (const name of ["P-256", "P-384", "P-521", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"])
      expect(keyWeakness(curve(name))).toBeUndefined()
    for (const name of ["secp256k1", "P-224", "brainpoolP320r1", "sect283r1"])
      expect(keyWeakness(curve(name))).toBe("curve")
    expect(keyWeakness(curve("P-256", "explicit"))).toBe("curve")
  })

  it("refuses a key that it cannot read, and leaves one that it does not know to the verification", () => {
    const rsa = sequence(oid("1.2.840.113549.1.1.1"), nullValue())
    const three = sequence(integer(odd(2048)), integer(65_537), integer(1))
    expect(keyWeakness(sequence(rsa, bitString(three)))).toBe("unreadable")
    expect(keyWeakness(new Uint8Array())).toBe("unreadable")
    expect(keyWeakness(sequence(sequence(oid("2.999.1")), bitString(three)))).toBeUndefined()
  })

  it("is silent where the caller takes any", () => {
    expect(isTooWeak({ scheme: "rsa", digest: "sha1" }, strong, undefined)).toBe(true)
    expect(isTooWeak({ scheme: "rsa", digest: "sha1" }, strong, "acceptable-today")).toBe(true)
    expect(isTooWeak({ scheme: "rsa", digest: "sha1" }, strong, "any")).toBe(false)
  })
})

describe("verifySignature", () => {
  const signed = Buffer.from("What is signed.")

  it("does not even try an exponent that is as long as the modulus", () => {
    const { identifier: algorithm } = SIGNATURE_ALGORITHMS["rsa-sha256"]
    const publicKeySpki = rsaSpki(odd(3072) + 2n, odd(3072))
    const value = Buffer.alloc(384, 7)
    const started = process.cpuUsage()
    for (let round = 0; round < 200; round++)
      expect(verifySignature({ algorithm, publicKeySpki, signed, value })).toBe(false)
    // Nine milliseconds for each, were they tried.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(900)
  })

  it("refuses a curve that is spelt out, though its key made the value", () => {
    for (const paramEncoding of ["named", "explicit"] as const) {
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256", paramEncoding })
      const { identifier: algorithm } = SIGNATURE_ALGORITHMS["ecdsa-sha256"]
      const value = sign("sha256", signed, privateKey)
      const check = { algorithm, publicKeySpki: spki({ publicKey }), signed, value }
      expect(verifySignature(check)).toBe(paramEncoding === "named")
    }
  })
})
