import { X509Certificate } from "node:crypto"
import { rootCertificates } from "node:tls"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DerError, readDer, TAG } from "../der/der.ts"
import {
  bitString,
  explicit,
  integer,
  oid,
  sequence,
  setOf,
  utf8String,
  writeTagged,
} from "../der/der-writer.ts"
import { validatePath } from "../path/path-validation.ts"
import { newHolder, newRoot } from "../testing/small-pki.ts"
import { readCertificate } from "./certificate.ts"
import {
  distributionAddresses,
  readCrlDistributionPoints,
  readIssuingDistributionPoint,
} from "./distribution-point.ts"
import * as readers from "./extensions.ts"

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

  it.each([
    ["that begins a new line", "Ada\r\nAll is well", "Ada\ufffd\ufffdAll is well"],
    ["that turns the direction", "Ada\u202efdp.exe", "Ada\ufffdfdp.exe"],
    ["with other controls", "A\u2028B\u0000C\u009bD", "A\ufffdB\ufffdC\ufffdD"],
    ["that is too long", "x".repeat(5000), "x".repeat(1024)],
    ["that needs a joiner, as it is", "\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"],
  ])("shows a name %s", async (_, commonName, shown) => {
    const subject = sequence(setOf(sequence(oid("2.5.4.3"), utf8String(commonName))))
    const { certificate } = await newHolder(await newRoot(), "ecdsa-sha256", { subject })
    expect(certificate.subjectName).toBe(shown)
  })

  it("shows half a surrogate pair as what it is", async () => {
    const half = writeTagged(TAG.bmpString, Uint8Array.of(0xd8, 0, 0, 0x41))
    const subject = sequence(setOf(sequence(oid("2.5.4.3"), half)))
    const { certificate } = await newHolder(await newRoot(), "ecdsa-sha256", { subject })
    expect(certificate.subjectName).toBe("\ufffdA")
  })

  it("refuses bytes after the certificate", () => {
    const [root] = roots
    if (root === undefined) throw new Error("Node ships no root")
    expect(() => readCertificate(Buffer.concat([root.raw, Buffer.of(0)]))).toThrow(DerError)
  })

  it("keeps what was signed, so that the issuer's key verifies it", () => {
    for (const root of roots) {
      const certificate = readCertificate(new Uint8Array(root.raw))
      const path = { anchor: certificate, certificates: [certificate] }
      const verdict = validatePath(path, { at: root.validFromDate, algorithms: "any" })
      // Roots of version 1, of RSA with SHA-1 and all others: what signs itself can be checked.
      expect(verdict).toMatchObject({ valid: true })
    }
  })

  describe("a certificate taken apart", async () => {
    const { certificate } = await newRoot()
    const [tbs, algorithm, signature] = readDer(certificate.der).children
    const fields = tbs?.children.map(({ bytes }) => bytes) ?? []
    const join = (inner: readonly Uint8Array[], ...outer: readonly Uint8Array[]) =>
      sequence(sequence(...inner), ...outer)
    const whole = (inner: readonly Uint8Array[]) =>
      join(inner, algorithm?.bytes ?? integer(0), signature?.bytes ?? integer(0))
    const [version, ...afterVersion] = fields
    const beforeExtensions = fields.slice(0, -1)
    const [extensions] = fields.slice(-1)
    if (version === undefined || extensions === undefined) throw new Error("no certificate")

    it("is the same again when put together", () => {
      expect(readCertificate(whole(fields))).toEqual(certificate)
    })

    it.each([
      ["another algorithm outside", join(fields, sequence(oid("1.2.3")), bitString(Uint8Array.of(1)))],
      ["version 1 written out", whole([explicit(0, integer(0)), ...afterVersion])],
      ["version 4", whole([explicit(0, integer(3)), ...afterVersion])],
      ["extensions in version 2", whole([explicit(0, integer(1)), ...afterVersion])],
      ["extensions in version 1", whole(afterVersion)],
      ["extensions twice", whole([...fields, extensions])],
      [
        "a unique identifier behind the extensions",
        whole([...fields, writeTagged(0x81, Uint8Array.of(0, 1))]),
      ],
      ["a field that nobody knows", whole([...beforeExtensions, writeTagged(0xa4, integer(1)), extensions])],
      ["no extensions in the list of them", whole([...beforeExtensions, explicit(3, sequence())])],
      [
        "a name that is none",
        whole(fields.map((field, index) => (index === 3 ? sequence(integer(1)) : field))),
      ],
    ])("is refused with %s", (_, der) => {
      expect(() => readCertificate(der)).toThrow(DerError)
    })

    it("is read with unique identifiers, and with a signature that nothing could have made", () => {
      const withIds = [...beforeExtensions, writeTagged(0x81, Uint8Array.of(0, 1)), extensions]
      expect(readCertificate(whole(withIds)).extensions).toEqual(certificate.extensions)
      const odd = join(fields, algorithm?.bytes ?? integer(0), bitString(Uint8Array.of(0x80), 7))
      expect(readCertificate(odd).signature).toHaveLength(0)
    })
  })

  it("ends, with all readers of extensions and the validation, in a value or a DerError, whatever the bytes", async () => {
    const root = await newRoot()
    const { certificate } = await newHolder(root, "ecdsa-sha256", {
      basicConstraints: { ca: true, pathLength: 1 },
      certificatePolicies: ["1.2.3"],
      crlDistributionPoints: ["http://crl.example"],
      authorityInfoAccess: { ocsp: ["http://ocsp.example"] },
      authorityKeyIdentifier: Uint8Array.of(1, 2, 3),
    })
    const all = Object.entries(readers).flatMap(([name, reader]) =>
      /^(read|has)/.test(name) && name !== "readNamedBits" ? [reader] : [],
    )
    const change = fc.record({ at: fc.nat(certificate.der.length - 1), to: fc.nat(255) })
    let read = 0
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const bytes = new Uint8Array(certificate.der)
        for (const { at, to } of changes) bytes[at] = to
        valueOrDerError(() => {
          const changed = readCertificate(bytes)
          read += 1
          for (const reader of all)
            valueOrDerError(() => (reader as (of: unknown) => unknown)(changed.extensions))
          valueOrDerError(() => distributionAddresses(readCrlDistributionPoints(changed.extensions) ?? []))
          valueOrDerError(() => readIssuingDistributionPoint(changed.extensions))
          const path = { anchor: root.certificate, certificates: [changed] }
          expect(validatePath(path, { at: new Date("2026-06-01T00:00:00Z") }).valid).toBe(
            Buffer.from(bytes).equals(certificate.der),
          )
        })
      }),
      { numRuns: 2000 },
    )
    expect(read).toBeGreaterThan(200)
  })
})

function valueOrDerError(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof DerError)) throw error
  }
}
