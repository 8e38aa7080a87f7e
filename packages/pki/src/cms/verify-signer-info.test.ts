import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { digestIdentifier } from "../algorithm/digest.ts"
import { SIGNATURE_ALGORITHMS } from "../algorithm/signature-algorithm.ts"
import { readDer } from "../der/der.ts"
import {
  explicit,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  setOf,
  writeTagged,
} from "../der/der-writer.ts"
import { ALGORITHMS, type Holder, newHolder, newRoot } from "../testing/small-pki.ts"
import { rsaKey, withSha1 } from "../testing/weak.ts"
import { signedAttributes, signedData } from "./cms.ts"
import { readSignedData, type SignerInfo } from "./signed-data.ts"
import { type SignerCheck, verifySignerInfo } from "./verify-signer-info.ts"

const CONTENT = Buffer.from("What is signed.")
const ID_DATA = "1.2.840.113549.1.7.1"
const sha = (digest: string, bytes: Uint8Array) => createHash(digest).update(bytes).digest()
const attribute = (type: string, ...values: readonly Uint8Array[]) => sequence(oid(type), setOf(...values))

let signer: Holder
beforeAll(async () => {
  signer = await newHolder(await newRoot(), "ecdsa-sha256")
})

describe("verifySignerInfo", () => {
  it.each(ALGORITHMS)(
    "accepts what we sign with %s, and says which digests it rests on",
    async (algorithm) => {
      const holder = await newRoot(algorithm)
      const { certificate } = holder
      const { digest } = SIGNATURE_ALGORITHMS[algorithm]
      const attributes = signedAttributes({ contentDigest: sha(digest, CONTENT), certificate, algorithm })
      const signatureValue = await holder.signBytes(attributes)
      const mark = signedData({
        signedAttributes: attributes,
        signatureValue,
        certificate,
        chain: [],
        algorithm,
      })
      const info = only(mark)
      expect(verifySignerInfo(info, { certificate, content: CONTENT })).toEqual({
        valid: true,
        digest,
        signatureDigest: algorithm === "ed25519" ? "none" : digest,
        signingCertificateDigest: "sha256",
      })
      const other = verifySignerInfo(info, { certificate, content: Buffer.from("Another.") })
      expect(other).toEqual({ valid: false, reason: "message-digest" })
    },
  )

  it("accepts the first version of the signing certificate, whose hash is SHA-1, and says so", async () => {
    const v1 = attribute(SIGNING_CERTIFICATE, ess(octetString(sha("sha1", signer.certificate.der))))
    expect(await verdict({ ess: [v1] })).toMatchObject({ valid: true, signingCertificateDigest: "sha1" })
    const v2 = attribute(SIGNING_CERTIFICATE_V2, ess(octetString(sha("sha256", signer.certificate.der))))
    expect(await verdict({ ess: [v1, v2] })).toMatchObject({
      valid: true,
      signingCertificateDigest: "sha256",
    })
  })

  it("accepts a signing certificate with a hash algorithm, an issuer and a serial number", async () => {
    const { der, issuer, serialNumber } = signer.certificate
    const issuerSerial = sequence(sequence(explicit(4, issuer)), integer(serialNumber))
    const hash = octetString(sha("sha512", der))
    const v2 = attribute(SIGNING_CERTIFICATE_V2, ess(digestIdentifier("sha512"), hash, issuerSerial))
    expect(await verdict({ ess: [v2] })).toMatchObject({ valid: true, signingCertificateDigest: "sha512" })
    const wrong = sequence(sequence(explicit(4, issuer)), integer(serialNumber + 1n))
    const named = attribute(SIGNING_CERTIFICATE_V2, ess(digestIdentifier("sha512"), hash, wrong))
    expect(await verdict({ ess: [named] })).toEqual({ valid: false, reason: "signing-certificate" })
  })

  it("accepts a signature without signing certificate only when told", async () => {
    expect(await verdict({ ess: [] })).toEqual({ valid: false, reason: "signing-certificate" })
    const told = await verdict({ ess: [], check: { needsSigningCertificate: false } })
    expect(told).toEqual({ valid: true, digest: "sha256", signatureDigest: "sha256" })
  })

  it("refuses a signing certificate of another hash, also beside a right one", async () => {
    const right = attribute(SIGNING_CERTIFICATE_V2, ess(octetString(sha("sha256", signer.certificate.der))))
    const wrong = attribute(SIGNING_CERTIFICATE, ess(octetString(sha("sha1", CONTENT))))
    const told = { needsSigningCertificate: false }
    for (const check of [{}, told]) {
      const given = await verdict({ ess: [right, wrong], check })
      expect(given).toEqual({ valid: false, reason: "signing-certificate" })
    }
  })

  it("refuses a SHA-1 in the place of the SHA-256 that version 2 means", async () => {
    const v2 = attribute(SIGNING_CERTIFICATE_V2, ess(octetString(sha("sha1", signer.certificate.der))))
    expect(await verdict({ ess: [v2] })).toEqual({ valid: false, reason: "signing-certificate" })
  })

  it("refuses a signing certificate by a hash that it does not know", async () => {
    const v2 = attribute(SIGNING_CERTIFICATE_V2, ess(sequence(oid("2.999.1")), octetString(CONTENT)))
    expect(await verdict({ ess: [v2] })).toEqual({ valid: false, reason: "signing-certificate" })
  })

  it("refuses an attribute that is larger than any of its kind", async () => {
    const huge = sequence(...Array.from({ length: 25_000 }, nullValue))
    const refused = await verdict({ ess: [attribute(SIGNING_CERTIFICATE_V2, huge)] })
    expect(refused).toEqual({ valid: false, reason: "signed-attributes" })
  })

  it("refuses algorithms that were exchanged after signing", async () => {
    const { identifier } = SIGNATURE_ALGORITHMS["ecdsa-sha256"]
    const protect = (digest: Uint8Array, signature: Uint8Array) =>
      attribute("1.2.840.113549.1.9.52", sequence(digest, writeTagged(0xa1, readDer(signature).content)))
    const right = protect(digestIdentifier("sha256"), identifier)
    expect(await verdict({ others: [right] })).toMatchObject({ valid: true })
    const withNull = sequence(oid("2.16.840.1.101.3.4.2.1"), nullValue())
    expect(await verdict({ others: [protect(withNull, identifier)] })).toMatchObject({ valid: true })
    const p384 = SIGNATURE_ALGORITHMS["ecdsa-sha384"].identifier
    for (const wrong of [
      protect(digestIdentifier("sha384"), identifier),
      protect(digestIdentifier("sha256"), p384),
      attribute("1.2.840.113549.1.9.52", sequence(digestIdentifier("sha256"))),
    ])
      expect(await verdict({ others: [wrong] })).toEqual({ valid: false, reason: "algorithm-protection" })
  })

  it("refuses a content type that is not the one of the content", async () => {
    const contentType = [attribute(CONTENT_TYPE, oid("1.2.840.113549.1.9.16.1.4"))]
    expect(await verdict({ contentType })).toEqual({ valid: false, reason: "content-type" })
  })

  it.each([
    ["TSTInfo", "1.2.840.113549.1.9.16.1.4"],
    ["digestedData", "1.2.840.113549.1.7.5"],
  ])("refuses a content of type %s, unless the caller asks for it", async (_, type) => {
    const parts = { type, contentType: [attribute(CONTENT_TYPE, oid(type))] }
    expect(await verdict(parts)).toEqual({ valid: false, reason: "content-type" })
    expect(await verdict({ ...parts, check: { contentType: type } })).toMatchObject({ valid: true })
    expect(await verdict({ check: { contentType: type } })).toEqual({ valid: false, reason: "content-type" })
  })

  it("refuses attributes that are missing, twice there, of two values or of another type", async () => {
    const digest = octetString(sha("sha256", CONTENT))
    const twice = [
      attribute(MESSAGE_DIGEST, digest),
      attribute(MESSAGE_DIGEST, octetString(sha("sha256", digest))),
    ]
    const told = { valid: false, reason: "signed-attributes" }
    expect(await verdict({ contentType: [] })).toEqual(told)
    expect(await verdict({ contentType: [attribute(CONTENT_TYPE, nullValue())] })).toEqual(told)
    expect(await verdict({ messageDigest: [] })).toEqual(told)
    expect(await verdict({ messageDigest: twice })).toEqual(told)
    expect(await verdict({ messageDigest: [attribute(MESSAGE_DIGEST, digest, nullValue())] })).toEqual(told)
    expect(await verdict({ messageDigest: [attribute(MESSAGE_DIGEST, nullValue())] })).toEqual(told)
    expect(await verdict({ ess: [attribute(SIGNING_CERTIFICATE_V2, nullValue())] })).toEqual(told)
  })

  it("refuses a signature over the content itself, without attributes", async () => {
    const info = await crafted({})
    const { signedAttributes: _, ...bare } = info
    const signature = await signer.signBytes(CONTENT)
    const check = { certificate: signer.certificate, content: CONTENT }
    const refused = verifySignerInfo({ ...bare, signedAttributeList: [], signature }, check)
    expect(refused).toEqual({ valid: false, reason: "signed-attributes" })
  })

  it("refuses another certificate, even of the same key", async () => {
    const info = await crafted({})
    const foreign = await newHolder(await newRoot(), "ecdsa-sha256")
    for (const certificate of [foreign.certificate, { ...signer.certificate, serialNumber: 1n }])
      expect(verifySignerInfo(info, { certificate, content: CONTENT })).toEqual({
        valid: false,
        reason: "certificate",
      })
  })

  it("refuses a signature of another key under the name of the certificate", async () => {
    const foreign = await newRoot()
    const certificate = { ...signer.certificate, publicKeySpki: foreign.publicKeySpki }
    const refused = verifySignerInfo(await crafted({}), { certificate, content: CONTENT })
    expect(refused).toEqual({ valid: false, reason: "signature" })
  })

  it("refuses a weak signature, digest or key, unless the caller takes any", async () => {
    const { certificate } = signer
    const info = await crafted({})
    const { signedAttributes: tbs = new Uint8Array() } = info
    const sha1 = digestIdentifier("sha1")
    const { signedAttributes: digested = tbs, ...attributes } = await crafted({
      messageDigest: [attribute(MESSAGE_DIGEST, octetString(sha("sha1", CONTENT)))],
    })
    const key = rsaKey(1024)
    const { identifier } = SIGNATURE_ALGORITHMS["rsa-sha256"]
    const weakSigner = { ...certificate, publicKeySpki: key.publicKeySpki }
    const cases = [
      [{ ...info, ...withSha1({ tbs }, signer) }, certificate],
      [{ ...attributes, signedAttributes: digested, digestAlgorithm: sha1 }, certificate],
      [{ ...info, signatureAlgorithm: identifier, signature: await key.signBytes(tbs) }, weakSigner],
    ] as const
    for (const [weak, by] of cases) {
      const check = { certificate: by, content: CONTENT }
      expect(verifySignerInfo(weak, check)).toEqual({ valid: false, reason: "algorithm-too-weak" })
      expect(verifySignerInfo(weak, { ...check, algorithms: "any" })).toMatchObject({ valid: true })
    }
  })

  it("names an algorithm that it does not know", async () => {
    const info = await crafted({})
    const check = { certificate: signer.certificate, content: CONTENT }
    const unknown = sequence(oid("2.999.1"))
    const odd = sequence(oid("2.999.1"), nullValue(), nullValue())
    for (const algorithm of [unknown, odd]) {
      const digest = verifySignerInfo({ ...info, digestAlgorithm: algorithm }, check)
      expect(digest).toEqual({ valid: false, reason: "digest-algorithm" })
      const signature = verifySignerInfo({ ...info, signatureAlgorithm: algorithm }, check)
      expect(signature).toEqual({ valid: false, reason: "signature-algorithm" })
    }
  })
})

const CONTENT_TYPE = "1.2.840.113549.1.9.3"
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4"
const SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12"
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47"

function ess(...fields: readonly Uint8Array[]): Uint8Array {
  return sequence(sequence(sequence(...fields)))
}

type Parts = {
  /** The eContentType, by default id-data. */
  readonly type?: string
  readonly contentType?: readonly Uint8Array[]
  readonly messageDigest?: readonly Uint8Array[]
  readonly ess?: readonly Uint8Array[]
  readonly others?: readonly Uint8Array[]
}

async function verdict({ check, ...parts }: Parts & { readonly check?: Partial<SignerCheck> }) {
  const { certificate } = signer
  return verifySignerInfo(await crafted(parts), { certificate, content: CONTENT, ...check })
}

/** A SignerInfo with the signature in order and the attributes as the test wants them. */
async function crafted(parts: Parts): Promise<SignerInfo> {
  const { certificate, algorithm } = signer
  const attributes = setOf(
    ...(parts.contentType ?? [attribute(CONTENT_TYPE, oid(ID_DATA))]),
    ...(parts.messageDigest ?? [attribute(MESSAGE_DIGEST, octetString(sha("sha256", CONTENT)))]),
    ...(parts.ess ?? [attribute(SIGNING_CERTIFICATE_V2, ess(octetString(sha("sha256", certificate.der))))]),
    ...(parts.others ?? []),
  )
  const signatureValue = await signer.signBytes(attributes)
  const encapsulated =
    parts.type === undefined ? {} : { encapsulated: { contentType: parts.type, content: CONTENT } }
  return only(
    signedData({
      signedAttributes: attributes,
      signatureValue,
      certificate,
      chain: [],
      algorithm,
      ...encapsulated,
    }),
  )
}

function only(mark: Uint8Array): SignerInfo {
  const [info] = readSignedData(mark).signerInfos
  if (info === undefined) throw new Error("no signer")
  return info
}
