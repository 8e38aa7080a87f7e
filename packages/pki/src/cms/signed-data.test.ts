import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DerError } from "../der/der.ts"
import { explicit, integer, nullValue, oid, sequence, setOf, writeTagged } from "../der/der-writer.ts"
import { surviveMutations } from "../testing/mutations.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { type Holder, newHolder, newRoot } from "../testing/small-pki.ts"
import { readSignedData, type SignedData } from "./signed-data.ts"
import { findSigner, verifySignerInfo } from "./verify-signer-info.ts"

const CONTENT = Buffer.from("What is signed.")
let peer: OpenSsl
let root: Holder
let signer: Holder

beforeAll(async () => {
  peer = await openssl()
  root = await newRoot()
  signer = await newHolder(root, "ecdsa-sha256")
})
afterAll(() => peer.remove())

describe("readSignedData", () => {
  it("reads a detached signature of openssl, and verifies it", async () => {
    const read = readSignedData(await signedByOpenssl("-cades"))
    expect(read).toMatchObject({ encoding: "DER", version: 1, contentType: "1.2.840.113549.1.7.1" })
    expect(read.content).toBeUndefined()
    expect(read.certificates).toEqual([signer.certificate.der])
    expect(read.signerInfos[0]?.sid).toEqual({
      issuer: signer.certificate.issuer,
      serialNumber: signer.certificate.serialNumber,
    })
    expect(verdictOf(read)).toEqual(VALID)
  })

  it("reads the content and the BER that openssl writes when it streams", async () => {
    const read = readSignedData(await signedByOpenssl("-cades", "-nodetach", "-stream"))
    expect(read.encoding).toBe("BER")
    expect(Buffer.from(read.content ?? [])).toEqual(CONTENT)
    expect(verdictOf(read)).toEqual(VALID)
  })

  it("finds the signer by the key identifier too", async () => {
    const read = readSignedData(await signedByOpenssl("-cades", "-keyid"))
    expect(read.version).toBe(3)
    const { subjectKeyIdentifier } = signer.certificate
    expect(read.signerInfos[0]?.sid).toEqual({ subjectKeyIdentifier })
    expect(verdictOf(read)).toEqual(VALID)
  })

  it("finds the signer among certificates that the caller has", async () => {
    const read = readSignedData(await signedByOpenssl("-cades", "-nocerts"))
    const [info] = read.signerInfos
    if (info === undefined) throw new Error("no signer")
    expect(findSigner(read, info)).toBeUndefined()
    expect(findSigner(read, info, [root.certificate, signer.certificate])).toBe(signer.certificate)
  })

  it("reads the zeros behind a mark in a PDF only when told", async () => {
    const padded = Buffer.concat([await signedByOpenssl("-cades"), Buffer.alloc(99)])
    expect(readSignedData(padded, { zeroPadded: true }).certificates).toHaveLength(1)
    expect(() => readSignedData(padded)).toThrow("bytes after the value")
  })

  it("keeps CRLs and OCSP answers, and passes over certificates that are not X.509", () => {
    const ocsp = sequence(nullValue())
    const other = writeTagged(0xa1, oid("1.3.6.1.5.5.7.16.2"), ocsp)
    const foreign = writeTagged(0xa1, oid("2.999.1"), ocsp)
    const crl = sequence(integer(7))
    const read = readSignedData(
      bare(
        writeTagged(0xa0, sequence(integer(5)), writeTagged(0xa2, integer(5))),
        writeTagged(0xa1, crl, other, foreign),
      ),
    )
    expect(read.certificates).toEqual([sequence(integer(5))])
    expect(read.crls).toEqual([crl])
    expect(read.ocspResponses).toEqual([ocsp])
  })

  it("refuses another content, another version, and more of anything than a signature has", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => sequence(integer(at)))
    expect(() => readSignedData(sequence(oid("1.2.840.113549.1.7.1"), explicit(0, nullValue())))).toThrow(
      "not SignedData",
    )
    expect(() => readSignedData(bare(writeTagged(0xa0, ...many(257))))).toThrow("too many certificates")
    expect(readSignedData(bare(writeTagged(0xa0, ...many(256)))).certificates).toHaveLength(256)
    expect(() => readSignedData(bare(integer(1)))).toThrow(DerError)
    const body = sequence(integer(9), setOf(), sequence(oid("1.2.840.113549.1.7.1")), setOf())
    expect(() => readSignedData(wrap(body))).toThrow("version is unknown")
    const signers = sequence(integer(1), setOf(), sequence(oid("1.2.840.113549.1.7.1")), setOf(...many(65)))
    expect(() => readSignedData(wrap(signers))).toThrow("too many signers")
  })

  it("gives a value or a DerError, and never a valid verdict over another content, for mutated bytes", async () => {
    const mark = await signedByOpenssl("-cades", "-nodetach")
    const read = surviveMutations(mark, (mutated) => {
      const found = readSignedData(mutated)
      for (const info of found.signerInfos) {
        const certificate = findSigner(found, info, [signer.certificate])
        if (certificate === undefined || found.content === undefined) continue
        const verdict = verifySignerInfo(info, { certificate, content: found.content })
        if (verdict.valid) expect(Buffer.from(found.content)).toEqual(CONTENT)
      }
    })
    expect(read).toBeGreaterThan(100)
  })
})

const VALID = {
  valid: true,
  digest: "sha256",
  signatureDigest: "sha256",
  signingCertificateDigest: expect.stringMatching(/^sha(1|256)$/),
}

function verdictOf(read: SignedData): unknown {
  const [info] = read.signerInfos
  const certificate = info && findSigner(read, info)
  if (info === undefined || certificate === undefined) throw new Error("no signer")
  const contentDigest = createHash("sha256").update(CONTENT).digest()
  expect(verifySignerInfo(info, { certificate, content: CONTENT })).toEqual(
    verifySignerInfo(info, { certificate, contentDigest }),
  )
  return verifySignerInfo(info, { certificate, contentDigest })
}

async function signedByOpenssl(...options: readonly string[]): Promise<Uint8Array> {
  const input = ["-binary", "-md", "sha256", "-in", await peer.file("content", CONTENT)]
  const certificate = await peer.certificate("signer.pem", signer.certificate.der)
  const identity = ["-signer", certificate, "-inkey", await peer.key("key.pem", signer)]
  const output = ["-outform", "DER", "-out", peer.path("mark")]
  const { ok, text } = await peer.run("cms", "-sign", ...input, ...identity, ...output, ...options)
  if (!ok) throw new Error(text)
  return peer.read("mark")
}

function bare(...optional: readonly Uint8Array[]): Uint8Array {
  return wrap(sequence(integer(1), setOf(), sequence(oid("1.2.840.113549.1.7.1")), ...optional, setOf()))
}

function wrap(body: Uint8Array): Uint8Array {
  return sequence(oid("1.2.840.113549.1.7.2"), explicit(0, body))
}
