import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeName } from "../certificate/certificate-writer.ts"
import { EXTENSION, readAuthorityKeyIdentifier } from "../certificate/extensions.ts"
import { writeDirectoryName } from "../certificate/general-name.ts"
import { sameName } from "../certificate/name.ts"
import { DerError, readDer, readInteger, scanValue } from "../der/der.ts"
import { bitString, integer, octetString, oid, sequence, time, writeTagged } from "../der/der-writer.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { ALGORITHMS, type Holder, newRoot } from "../testing/small-pki.ts"
import { type Crl, findEntry, MAX_CRL_BYTES, readBaseCrlNumber, readCrl, readCrlNumber } from "./crl.ts"
import { type CrlOrder, issueCrl } from "./crl-writer.ts"
import { REVOCATION_REASONS, type RevocationReason } from "./revocation-reason.ts"

const THIS = new Date("2026-05-01T00:00:00Z")
const NEXT = new Date("2026-06-01T00:00:00Z")
const root = await newRoot()

let judge: OpenSsl
beforeAll(async () => {
  judge = await openssl()
})
afterAll(() => judge.remove())

function issue(order: Partial<CrlOrder>, { certificate, ...key }: Holder = root): Promise<Uint8Array> {
  return issueCrl({
    issuer: certificate.subject,
    thisUpdate: THIS,
    nextUpdate: NEXT,
    crlNumber: 7n,
    authorityKeyIdentifier: certificate.subjectKeyIdentifier ?? new Uint8Array(),
    entries: [],
    algorithm: key.algorithm,
    issuerPublicKeySpki: key.publicKeySpki,
    signBytes: key.signBytes,
    ...order,
  })
}

const anyone = () => true
const certificateIssuer = (name: Uint8Array) => ({
  id: EXTENSION.certificateIssuer,
  critical: true,
  value: sequence(writeDirectoryName(name)),
})

describe("a CRL that we wrote", () => {
  it("is read as it was ordered", async () => {
    const reasons = Object.keys(REVOCATION_REASONS) as RevocationReason[]
    const entries = reasons.map((reason, index) => ({
      serialNumber: BigInt(index + 1) << 100n,
      revokedAt: new Date(THIS.getTime() - index * 1000),
      reason,
    }))
    const crl = readCrl(await issue({ entries }))
    expect(crl).toMatchObject({ version: 2, thisUpdate: THIS, nextUpdate: NEXT, entryCount: reasons.length })
    expect(crl.criticalEntryExtensions).toEqual([])
    expect(readCrlNumber(crl.extensions)).toBe(7n)
    expect(readBaseCrlNumber(crl.extensions)).toBeUndefined()
    const { keyIdentifier } = readAuthorityKeyIdentifier(crl.extensions) ?? {}
    expect(keyIdentifier).toEqual(root.certificate.subjectKeyIdentifier)
    for (const entry of entries) expect(findEntry(crl, entry.serialNumber, anyone)).toEqual(entry)
    expect(findEntry(crl, 1n, anyone)).toBeUndefined()
  })

  it("lists a certificate also where an extension of its entry cannot be read", async () => {
    const value = Uint8Array.of(5, 0)
    const odd = [EXTENSION.reasonCode, EXTENSION.invalidityDate].map((id) => ({ id, critical: false, value }))
    const entries = [{ serialNumber: 5n, revokedAt: THIS, otherExtensions: odd }]
    const crl = readCrl(await issue({ entries }))
    expect(findEntry(crl, 5n, anyone)).toEqual({ serialNumber: 5n, revokedAt: THIS, reason: "unspecified" })
  })

  it.each(ALGORITHMS)("with %s is right for openssl, entries and all", async (algorithm) => {
    const holder = await newRoot(algorithm)
    const entries = [{ serialNumber: 0xabcdefn, revokedAt: THIS, reason: "keyCompromise" as const }]
    const file = await judge.file(`${algorithm}.crl`, await issue({ entries }, holder))
    const ca = await judge.certificate(`${algorithm}.pem`, holder.certificate.der)
    const { text } = await judge.run("crl", "-inform", "DER", "-in", file, "-CAfile", ca, "-text", "-noout")
    expect(text).toContain("verify OK")
    expect(text).toMatch(/Serial Number: ABCDEF\s+Revocation Date: May {2}1 00:00:00 2026 GMT/)
    expect(text).toContain("Key Compromise")
    expect(text).toContain("X509v3 CRL Number: \n                7")
  })

  it("that revokes nothing has no list", async () => {
    const file = await judge.file("empty.crl", await issue({}))
    expect((await judge.run("crl", "-inform", "DER", "-in", file, "-text", "-noout")).text).toContain(
      "No Revoked Certificates",
    )
    expect(readCrl(await issue({})).entryCount).toBe(0)
  })
})

describe("findEntry", () => {
  it("takes the earliest of several permanent revocations, or else the earliest hold", async () => {
    const at = (hours: number) => new Date(THIS.getTime() - hours * 3_600_000)
    const found = async (...entries: readonly (readonly [hours: number, reason: RevocationReason])[]) => {
      const order = entries.map(([hours, reason]) => ({ serialNumber: 5n, revokedAt: at(hours), reason }))
      const entry = findEntry(readCrl(await issue({ entries: order })), 5n, anyone)
      return [entry && (THIS.getTime() - entry.revokedAt.getTime()) / 3_600_000, entry?.reason]
    }
    expect(await found([1, "superseded"], [9, "keyCompromise"])).toEqual([9, "keyCompromise"])
    expect(await found([9, "superseded"], [1, "keyCompromise"])).toEqual([9, "superseded"])
    expect(await found([9, "certificateHold"], [1, "unspecified"])).toEqual([1, "unspecified"])
    expect(await found([1, "certificateHold"], [9, "certificateHold"])).toEqual([9, "certificateHold"])
    expect(await found([9, "removeFromCRL"], [1, "certificateHold"])).toEqual([1, "certificateHold"])
  })

  it("finds negative, long and neighbouring serial numbers, and none that is only part of another", async () => {
    const serials = [-1n, -128n, 0n, 127n, 128n, 255n, 256n, (1n << 159n) - 1n, 0x020105n]
    const crl = readCrl(
      await issue({ entries: serials.map((serialNumber) => ({ serialNumber, revokedAt: THIS })) }),
    )
    for (const serial of serials) expect(findEntry(crl, serial, anyone)?.serialNumber).toBe(serial)
    for (const serial of [1n, -2n, 2n, 5n, 129n, 257n, 1n << 158n])
      expect(findEntry(crl, serial, anyone)).toBeUndefined()
  })

  it("agrees with a plain list, for any serial numbers", async () => {
    const serial = fc.bigInt({ min: -300n, max: 70_000n })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(serial, { maxLength: 30 }), fc.array(serial), async (listed, asked) => {
        const entries = listed.map((serialNumber) => ({ serialNumber, revokedAt: THIS }))
        const crl = readCrl(await issue({ entries }))
        for (const one of [...listed, ...asked])
          expect(findEntry(crl, one, anyone) !== undefined).toBe(listed.includes(one))
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    [2n, 0x0201],
    [0x0202n, 0x0202],
  ])("finds the serial number %i behind a length that looks like it", async (serialNumber, length) => {
    const found: number[] = []
    for (let padding = length - 80; padding < length - 20; padding++) {
      const otherExtensions = [{ id: "2.999.7", critical: false, value: new Uint8Array(padding) }]
      const crl = readCrl(await issue({ entries: [{ serialNumber, revokedAt: THIS, otherExtensions }] }))
      expect(findEntry(crl, serialNumber, anyone)?.serialNumber).toBe(serialNumber)
      found.push(scanValue(crl.entries, 0, crl.entries.length).end - 4)
    }
    expect(found).toContain(length)
  })

  it("agrees with a walk from entry to entry, for entries of any length", () => {
    // Small numbers, and lengths of 0x02xx, so that headers, serial numbers and paddings are easily taken for each other.
    const serial = fc.oneof(fc.bigInt({ min: 0n, max: 4n }), fc.constantFrom(0x0201n, 0x0102n, 0x020102n))
    const size = fc.oneof(fc.nat(8), fc.integer({ min: 0x0201 - 60, max: 0x0203 }))
    const entry = fc.record({ serial, size, filler: fc.constantFrom(0, 1, 2) })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.array(serial, { maxLength: 4 }), (listed, asked) => {
        const entries = listed.map(({ serial: number, size: length, filler }) =>
          sequence(
            integer(number),
            time(THIS),
            sequence(sequence(oid("2.999.7"), octetString(new Uint8Array(length).fill(filler)))),
          ),
        )
        const crl = readCrl(unsigned(...entries))
        for (const one of [...listed.map(({ serial: number }) => number), ...asked])
          expect(findEntry(crl, one, anyone)?.serialNumber).toBe(walk(crl, one))
      }),
      { numRuns: 3000 },
    )
  })

  function unsigned(...entries: readonly Uint8Array[]): Uint8Array {
    const { signatureAlgorithm, subject } = root.certificate
    const list = entries.length > 0 ? [sequence(...entries)] : []
    const tbs = sequence(integer(1), signatureAlgorithm, subject, time(THIS), time(NEXT), ...list)
    return sequence(tbs, signatureAlgorithm, bitString(Uint8Array.of(1)))
  }

  function walk({ entries }: Crl, serialNumber: bigint): bigint | undefined {
    const serials = readDer(sequence(entries)).children.map(({ children }) => readInteger(children[0], ""))
    return serials.find((one) => one === serialNumber)
  }

  it("takes the issuer of an entry from the entry, else from the one before, else from the list", async () => {
    const [a, b] = [writeName({ commonName: "A" }), writeName({ commonName: "B" })]
    const revokedAt = THIS
    const entries = [
      { serialNumber: 1n, revokedAt },
      { serialNumber: 1n, revokedAt, otherExtensions: [certificateIssuer(a)] },
      { serialNumber: 2n, revokedAt, reason: "superseded" as const },
      { serialNumber: 1n, revokedAt, otherExtensions: [certificateIssuer(b)] },
    ]
    const crl = readCrl(await issue({ entries }))
    expect(crl.criticalEntryExtensions).toEqual([EXTENSION.certificateIssuer])
    const has = (serial: bigint, issuer: Uint8Array) =>
      findEntry(crl, serial, (name) => sameName(name, issuer)) !== undefined
    const own = root.certificate.subject
    expect([has(1n, own), has(1n, a), has(1n, b)]).toEqual([true, true, true])
    expect([has(2n, own), has(2n, a), has(2n, b)]).toEqual([false, true, false])
  })

  it("reads 100,000 entries, 2.7 MB, and finds the last, faster than anybody would notice", async () => {
    const serialOf = (index: number) => (1n << 62n) + BigInt(index) * 7919n
    const entries = Array.from({ length: 100_000 }, (_, index) => ({
      serialNumber: serialOf(index),
      revokedAt: THIS,
    }))
    const der = await issue({ entries })
    expect(der.length).toBeGreaterThan(2_700_000)
    const started = process.cpuUsage()
    const crl = readCrl(der)
    expect(findEntry(crl, serialOf(99_999), anyone)).toBeDefined()
    expect(findEntry(crl, 5n, anyone)).toBeUndefined()
    // Some 20 ms on a quiet machine; a node for each entry would take seconds.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
    expect(crl.entryCount).toBe(100_000)
  }, 30_000)
})

describe("readCrl", () => {
  const tbs = (...parts: readonly Uint8Array[]) => sequence(...parts)
  const whole = (inner: Uint8Array, algorithm = identifier) =>
    sequence(inner, algorithm, bitString(Uint8Array.of(1)))
  const identifier = readDer(root.certificate.signatureAlgorithm).bytes
  const { subject } = root.certificate

  it("reads version 1, which has no extensions and may have no next update", () => {
    const crl = readCrl(whole(tbs(identifier, subject, time(THIS))))
    expect(crl).toMatchObject({ version: 1, extensions: [], entryCount: 0 })
    expect(crl).not.toHaveProperty("nextUpdate")
  })

  it("refuses what is no CRL", async () => {
    const entry = (...parts: readonly Uint8Array[]) => sequence(sequence(...parts))
    const extensions = writeTagged(0xa0, sequence())
    const refused = [
      new Uint8Array(),
      sequence(),
      root.certificate.der,
      whole(tbs(integer(2), identifier, subject, time(THIS))),
      whole(tbs(identifier, subject)),
      whole(tbs(identifier, subject, time(THIS), extensions)),
      whole(tbs(integer(1), identifier, subject, time(THIS), extensions)),
      whole(tbs(integer(1), identifier, subject, time(THIS)), sequence(integer(1))),
      whole(tbs(integer(1), identifier, subject, time(THIS), entry(integer(1)))),
      whole(tbs(integer(1), identifier, subject, time(THIS), entry(time(THIS), integer(1)))),
      whole(tbs(integer(1), identifier, subject, time(THIS), entry(Uint8Array.of(2, 2, 0, 5), time(THIS)))),
      whole(
        tbs(
          integer(1),
          identifier,
          subject,
          time(THIS),
          entry(integer(1), time(THIS), sequence(), sequence()),
        ),
      ),
      new Uint8Array(MAX_CRL_BYTES + 1),
    ]
    for (const der of refused) expect(() => readCrl(der)).toThrow(DerError)
  })

  it("ends in a CRL or a DerError, whatever the bytes", async () => {
    const entries = [
      { serialNumber: 5n, revokedAt: THIS, reason: "superseded" as const },
      { serialNumber: 6n, revokedAt: THIS, otherExtensions: [certificateIssuer(subject)] },
    ]
    const sound = await issue({ entries })
    const change = fc.record({ at: fc.nat(sound.length - 1), to: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.nat(sound.length), (changes, cut) => {
        const bytes = new Uint8Array(cut % 5 === 0 ? sound.subarray(0, cut) : sound)
        for (const { at, to } of changes) if (at < bytes.length) bytes[at] = to
        try {
          const crl = readCrl(bytes)
          for (const serial of [5n, 6n]) findEntry(crl, serial, anyone)
        } catch (error) {
          expect(error).toBeInstanceOf(DerError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
