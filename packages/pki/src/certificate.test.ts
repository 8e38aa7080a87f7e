import { X509Certificate } from "node:crypto"
import { rootCertificates } from "node:tls"
import { describe, expect, it } from "vitest"
import { readCertificate } from "./certificate.ts"
import { DerError } from "./der.ts"

const roots = rootCertificates.map((pem) => new X509Certificate(pem))

describe("readCertificate", () => {
  it("reads every root that Node ships as Node reads it", () => {
    expect(roots.length).toBeGreaterThan(100)
    for (const root of roots) {
      const read = readCertificate(new Uint8Array(root.raw))
      expect(read.serialNumber).toBe(BigInt(`0x${root.serialNumber}`))
      expect(read.notBefore).toEqual(root.validFromDate)
      expect(read.notAfter).toEqual(root.validToDate)
      expect(Buffer.from(read.publicKeySpki)).toEqual(root.publicKey.export({ type: "spki", format: "der" }))
      expect(read.issuer).toEqual(read.subject)
      expect(read.keyKind === "RSA").toBe(root.publicKey.asymmetricKeyType === "rsa")
      expect(root.subject).toContain(read.subjectName.slice(0, 5))
    }
  })

  it("knows the curves, and calls another one other", () => {
    const kinds = { prime256v1: "EC P-256", secp384r1: "EC P-384", secp521r1: "other" } as const
    for (const root of roots) {
      const curve = root.publicKey.asymmetricKeyDetails?.namedCurve
      if (curve === undefined) continue
      expect(readCertificate(new Uint8Array(root.raw)).keyKind).toBe(kinds[curve as keyof typeof kinds])
    }
  })

  it("refuses bytes after the certificate", () => {
    const [root] = roots
    if (root === undefined) throw new Error("Node ships no root")
    expect(() => readCertificate(Buffer.concat([root.raw, Buffer.of(0)]))).toThrow(DerError)
  })
})
