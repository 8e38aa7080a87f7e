import { createHash, sign } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { algorithmFor, SIGNATURE_ALGORITHMS } from "../algorithm/signature-algorithm.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { writeName } from "../certificate/certificate-writer.ts"
import { readDer, readOid } from "../der/der.ts"
import { nullValue, oid, sequence } from "../der/der-writer.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { ALGORITHMS, type Holder, newHolder, newRoot } from "../testing/small-pki.ts"
import { SIGNATURE_TIMESTAMP_TOKEN, signedAttributes, signedData, withUnsignedAttribute } from "./cms.ts"
import { readSignedData } from "./signed-data.ts"

const CONTENT = Buffer.from("What is signed.")
let judge: OpenSsl

beforeAll(async () => {
  judge = await openssl()
})
afterAll(() => judge.remove())

// OpenSSL 3.0 cannot verify Ed25519 with signed attributes: it asks the key for a digest.
describe.each(ALGORITHMS.filter((name) => name !== "ed25519"))("%s", (algorithm) => {
  let root: Holder
  let signer: Holder
  beforeAll(async () => {
    root = await newRoot(algorithm)
    signer = await newHolder(root, algorithm)
  })

  it("makes a CAdES signature that openssl accepts, and refuses over other bytes", async () => {
    const mark = await markOf(signer, [root.certificate])
    expect(await verifyCades(mark, root, CONTENT)).toEqual(SUCCESS)
    const other = await verifyCades(mark, root, Buffer.from("What is not signed."))
    expect(other.ok).toBe(false)
  })

  it("stays a signature that openssl accepts when an unsigned attribute joins it", async () => {
    const mark = withUnsignedAttribute(await markOf(signer, []), SIGNATURE_TIMESTAMP_TOKEN, nullValue())
    expect(await verifyCades(mark, root, CONTENT)).toEqual(SUCCESS)
  })

  it("refuses a value that the key did not make over these attributes", async () => {
    const attributes = attributesOf(signer)
    const signatureValue = await signer.signBytes(CONTENT)
    const input = { signedAttributes: attributes, signatureValue, certificate: signer.certificate, chain: [] }
    expect(() => signedData({ ...input, algorithm })).toThrow("does not verify")
  })

  it("refuses a content digest of another length than the algorithm's", () => {
    const { certificate } = signer
    const contentDigest = new Uint8Array(SIGNATURE_ALGORITHMS[algorithm].digest === "sha256" ? 48 : 32)
    expect(() => signedAttributes({ contentDigest, certificate, algorithm })).toThrow(RangeError)
  })
})

const SUCCESS = { ok: true, text: expect.stringContaining("CAdES Verification successful") }

describe("ed25519", () => {
  it("signs the attributes so that openssl accepts the value, and prints the whole", async () => {
    const signer = await newRoot("ed25519")
    const [info] = readSignedData(await markOf(signer, [])).signerInfos
    const key = await judge.key("ed.pem", signer)
    const value = await judge.file("value", info?.signature ?? CONTENT)
    const verify = async (signed: Uint8Array) => {
      const input = ["-rawin", "-in", await judge.file("signed", signed), "-sigfile", value]
      return (await judge.run("pkeyutl", "-verify", "-inkey", key, ...input)).text
    }
    expect(await verify(attributesOf(signer))).toContain("Verified Successfully")
    expect(await verify(CONTENT)).not.toContain("Verified Successfully")
    const mark = await judge.file("mark", await markOf(signer, []))
    const { text } = await judge.run("cms", "-cmsout", "-print", "-inform", "DER", "-in", mark)
    expect(text).toMatch(/signatureAlgorithm:\s+algorithm: ED25519/)
  })

  it("refuses a value that the key did not make over these attributes", async () => {
    const { certificate, algorithm, signBytes, ...signer } = await newRoot("ed25519")
    const attributes = attributesOf({ ...signer, certificate, algorithm, signBytes })
    const signatureValue = await signBytes(CONTENT)
    const input = { signedAttributes: attributes, signatureValue, certificate, chain: [], algorithm }
    expect(() => signedData(input)).toThrow("does not verify")
  })
})

describe("signedData", () => {
  it.each([["ecdsa-sha256"], ["ecdsa-sha384"]] as const)(
    "takes r and s of %s side by side, as PKCS#11 gives them, many times over",
    async (algorithm) => {
      const signer = await newRoot(algorithm)
      const attributes = attributesOf(signer)
      const { digest } = SIGNATURE_ALGORITHMS[algorithm]
      // A hundred values: some have an r or s that begins with a zero octet or a high bit.
      for (let i = 0; i < 100; i++) {
        const key = { key: signer.privateKey, dsaEncoding: "ieee-p1363" } as const
        const signatureValue = sign(digest, attributes, key)
        const { certificate } = signer
        const input = { signedAttributes: attributes, signatureValue, certificate, chain: [], algorithm }
        expect(() => signedData(input)).not.toThrow()
      }
    },
  )

  it("puts each certificate in once, the signer's and the chain's", async () => {
    const root = await newRoot()
    const signer = await newHolder(root, "ecdsa-sha256")
    const mark = await markOf(signer, [signer.certificate, root.certificate, root.certificate])
    expect(readSignedData(mark).certificates).toHaveLength(2)
  })
})

describe("signedAttributes", () => {
  it("holds content type, digest, signing certificate and algorithms, and no signing time", async () => {
    const types = readDer(attributesOf(await newRoot())).children.map((one) =>
      readOid(one.children[0], "type"),
    )
    expect(types.toSorted()).toEqual([
      "1.2.840.113549.1.9.16.2.47",
      "1.2.840.113549.1.9.3",
      "1.2.840.113549.1.9.4",
      "1.2.840.113549.1.9.52",
    ])
  })
})

describe("withUnsignedAttribute", () => {
  const OTHER = "1.2.840.113549.1.9.16.2.24"

  it("changes nothing but the unsigned attributes, however often", async () => {
    const root = await newRoot()
    const mark = await markOf(root, [])
    const value = sequence(oid("2.999.1"))
    const twice = withUnsignedAttribute(
      withUnsignedAttribute(mark, SIGNATURE_TIMESTAMP_TOKEN, value),
      OTHER,
      nullValue(),
    )
    const before = readSignedData(mark)
    const after = readSignedData(twice)
    const attributes = after.signerInfos[0]?.unsignedAttributes.toSorted((a, b) => (a.type < b.type ? -1 : 1))
    expect(attributes).toEqual([
      { type: SIGNATURE_TIMESTAMP_TOKEN, values: [value] },
      { type: OTHER, values: [nullValue()] },
    ])
    const bare = after.signerInfos.map((signer) => ({ ...signer, unsignedAttributes: [] }))
    expect({ ...after, der: mark, signerInfos: bare }).toEqual(before)
  })

  it("leaves attributes that stand out of order as they stand", async () => {
    const attribute = (type: string) => sequence(oid(type), sequence(nullValue()).with(0, 0x31))
    const mark = await markOf(await newRoot(), [])
    const [type, wrapped] = readDer(mark).children
    const parts = wrapped?.children[0]?.children.map(({ bytes }) => bytes) ?? []
    const signer = readDer(readDer(parts.at(-1) ?? mark).content).content
    const unsigned = Buffer.concat([attribute("2.999.9"), attribute("2.999.1")])
    const grown = sequence(Buffer.concat([signer, tagged(0xa1, unsigned)]))
    const body = sequence(...parts.slice(0, -1), tagged(0x31, grown))
    const foreign = sequence(type?.bytes ?? nullValue(), tagged(0xa0, body))
    const [info] = readSignedData(withUnsignedAttribute(foreign, "2.999.5", nullValue())).signerInfos
    expect(info?.unsignedAttributes.map((one) => one.type)).toEqual(["2.999.5", "2.999.9", "2.999.1"])
  })

  it("refuses a SignedData of two signers, of none, and a value that is not DER", async () => {
    const mark = await markOf(await newRoot(), [])
    const [type, wrapped] = readDer(mark).children
    const parts = wrapped?.children[0]?.children.map(({ bytes }) => bytes) ?? []
    const signer = readDer(parts.at(-1) ?? mark).content
    const withSigners = (...signers: readonly Uint8Array[]) => {
      const body = sequence(...parts.slice(0, -1), tagged(0x31, Buffer.concat(signers)))
      return sequence(type?.bytes ?? nullValue(), tagged(0xa0, body))
    }
    const add = (der: Uint8Array) => withUnsignedAttribute(der, OTHER, nullValue())
    expect(add(withSigners(signer))).toEqual(add(mark))
    expect(() => add(withSigners(signer, signer))).toThrow("exactly one signer")
    expect(() => add(withSigners())).toThrow("exactly one signer")
    expect(() => withUnsignedAttribute(mark, OTHER, Uint8Array.of(0x30, 0x80, 0, 0))).toThrow("indefinite")
  })
})

describe("issueCertificate", () => {
  it("writes extensions that openssl reads back", async () => {
    const subject = writeName({ commonName: "Ada", organization: "Müller & Söhne", country: "CH" })
    const { certificate } = await newHolder(await newRoot(), "ecdsa-sha256", {
      subject,
      basicConstraints: { ca: true, pathLength: 0 },
      keyUsage: ["digitalSignature", "contentCommitment", "keyCertSign"],
      extendedKeyUsage: ["1.3.6.1.5.5.7.3.4"],
    })
    const path = await judge.certificate("certificate.pem", certificate.der)
    const { text } = await judge.run("x509", "-noout", "-text", "-in", path)
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
    expect(text).toMatch(/Key Usage: critical\s+Digital Signature, Non Repudiation, Certificate Sign/)
    expect(text).toMatch(/Extended Key Usage: ?\s+E-mail Protection/)
    expect(text).toContain("Subject: C = CH, O = M\\C3\\BCller & S\\C3\\B6hne, CN = Ada")
    expect(text).toMatch(/Not After : Jan {2}1 00:00:00 2051 GMT/)
  })

  it("refuses what the issuer's key did not sign, and a serial number out of range", async () => {
    const root = await newRoot()
    const foreign = await newRoot()
    const order = { issuerPublicKeySpki: foreign.publicKeySpki }
    await expect(newHolder(root, "ecdsa-sha256", order)).rejects.toThrow("does not verify")
    for (const serialNumber of [0n, 1n << 160n])
      await expect(newHolder(root, "ecdsa-sha256", { serialNumber })).rejects.toThrow(RangeError)
  })
})

describe("algorithmFor", () => {
  it("refuses a key that we have no row for", async () => {
    const { certificate } = await newRoot()
    const other: Certificate = { ...certificate, keyKind: "other" }
    expect(() => algorithmFor(other)).toThrow("kind other")
  })
})

function attributesOf({ certificate, algorithm }: Holder): Uint8Array {
  const contentDigest = createHash(SIGNATURE_ALGORITHMS[algorithm].digest).update(CONTENT).digest()
  return signedAttributes({ contentDigest, certificate, algorithm })
}

async function markOf(signer: Holder, chain: readonly Certificate[]): Promise<Uint8Array> {
  const attributes = attributesOf(signer)
  const { certificate, algorithm } = signer
  const signatureValue = await signer.signBytes(attributes)
  return signedData({ signedAttributes: attributes, signatureValue, certificate, chain, algorithm })
}

function tagged(tag: number, content: Uint8Array): Uint8Array {
  const set = Buffer.from(sequence(content))
  set[0] = tag
  return set
}

async function verifyCades(mark: Uint8Array, root: Holder, content: Uint8Array) {
  const { run, file, certificate, path } = judge
  const options = ["-binary", "-inform", "DER", "-purpose", "any", "-out", path("out")]
  const anchor = ["-CAfile", await certificate("root.pem", root.certificate.der)]
  const input = ["-in", await file("mark", mark), "-content", await file("content", content)]
  return run("cms", "-verify", "-cades", ...options, ...anchor, ...input)
}
