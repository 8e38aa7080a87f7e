import { generateKeyPairSync, sign } from "node:crypto"
import { describe, expect, it } from "vitest"
import { DerError } from "../der/der.ts"
import { oid, sequence } from "../der/der-writer.ts"
import { readSignatureScheme, verifySignature } from "./verify-signature.ts"

describe("plain ECDSA (BSI TR-03111)", () => {
  const PLAIN_SHA256 = "0.4.0.127.0.7.1.1.4.1.3"
  const BRAINPOOL_256 = "1.3.36.3.3.2.8.1.1.7"
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "brainpoolP256r1" })
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  const signed = Buffer.from("what Ada signed")
  const plain = sign("sha256", signed, { key: privateKey, dsaEncoding: "ieee-p1363" })
  const der = sign("sha256", signed, privateKey)

  it.each([
    ["without parameters", sequence(oid(PLAIN_SHA256))],
    ["with the curve as parameter", sequence(oid(PLAIN_SHA256), oid(BRAINPOOL_256))],
  ])("is two numbers one after the other, %s", (_, algorithm) => {
    expect(verifySignature({ algorithm, publicKeySpki, signed, value: plain })).toBe(true)
    expect(verifySignature({ algorithm, publicKeySpki, signed, value: der })).toBe(false)
    expect(verifySignature({ algorithm, publicKeySpki, signed: Buffer.from("other"), value: plain })).toBe(
      false,
    )
  })

  it("is not the ECDSA of others, nor theirs this", () => {
    const ecdsa = sequence(oid("1.2.840.10045.4.3.2"))
    expect(verifySignature({ algorithm: ecdsa, publicKeySpki, signed, value: der })).toBe(true)
    expect(verifySignature({ algorithm: ecdsa, publicKeySpki, signed, value: plain })).toBe(false)
  })

  it("has no other parameters", () => {
    expect(() => readSignatureScheme(sequence(oid(PLAIN_SHA256), sequence()))).toThrow(DerError)
  })
})
