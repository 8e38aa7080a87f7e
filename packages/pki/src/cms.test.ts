import { execFile } from "node:child_process"
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Certificate, readCertificate } from "./certificate.ts"
import { issueCertificate, writeName } from "./certificate-writer.ts"
import { signedAttributes, signedData } from "./cms.ts"
import { readDer, readOid } from "./der.ts"
import { algorithmFor } from "./signature-algorithm.ts"

const run = promisify(execFile)
const CONTENT = Buffer.from("What is signed.")
let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-cms-"))
  await writeFile(join(folder, "content"), CONTENT)
})
afterAll(() => rm(folder, { recursive: true }))

const KEYS = [
  ["ecdsa-sha256", () => generateKeyPairSync("ec", { namedCurve: "P-256" })],
  ["rsa-sha256", () => generateKeyPairSync("rsa", { modulusLength: 2048 })],
] as const

describe.each(KEYS)("%s", (algorithm, makeKeys) => {
  const { privateKey, publicKey } = makeKeys()

  it("makes a CAdES signature that openssl accepts", async () => {
    const certificate = await selfSigned(publicKey, privateKey)
    expect(algorithmFor(certificate)).toBe(algorithm)
    const attributes = attributesOf(certificate)
    const signatureValue = sign("sha256", attributes, privateKey)
    const mark = signedData({
      signedAttributes: attributes,
      signatureValue,
      certificate,
      chain: [],
      algorithm,
    })
    await expect(opensslVerify(mark, certificate)).resolves.toContain("successful")
  })

  it("refuses a value that the key did not make over these attributes", async () => {
    const certificate = await selfSigned(publicKey, privateKey)
    const attributes = attributesOf(certificate)
    const signatureValue = sign("sha256", CONTENT, privateKey)
    const input = { signedAttributes: attributes, signatureValue, certificate, chain: [], algorithm }
    expect(() => signedData(input)).toThrow("does not verify")
  })
})

describe("signedData", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })

  it("takes r and s side by side, as PKCS#11 gives them, many times over", async () => {
    const certificate = await selfSigned(publicKey, privateKey)
    const attributes = attributesOf(certificate)
    // A hundred values: some have an r or s that begins with a zero octet or a high bit.
    for (let i = 0; i < 100; i++) {
      const signatureValue = sign("sha256", attributes, { key: privateKey, dsaEncoding: "ieee-p1363" })
      const input = {
        signedAttributes: attributes,
        signatureValue,
        certificate,
        chain: [],
        algorithm: "ecdsa-sha256",
      } as const
      expect(() => signedData(input)).not.toThrow()
    }
  })

  it("puts each certificate in once, the signer's and the chain's", async () => {
    const certificate = await selfSigned(publicKey, privateKey)
    const attributes = attributesOf(certificate)
    const signatureValue = sign("sha256", attributes, privateKey)
    const chain = [certificate, await selfSigned(publicKey, privateKey)]
    const mark = signedData({
      signedAttributes: attributes,
      signatureValue,
      certificate,
      chain,
      algorithm: "ecdsa-sha256",
    })
    const certificates = readDer(mark).children[1]?.children[0]?.children.find(({ tag }) => tag === 0xa0)
    expect(certificates?.children).toHaveLength(2)
  })
})

describe("signedAttributes", () => {
  it("holds content type, digest and signing certificate, and no signing time", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const certificate = await selfSigned(publicKey, privateKey)
    const types = readDer(attributesOf(certificate)).children.map((one) => readOid(one.children[0], "type"))
    expect(types.toSorted()).toEqual([
      "1.2.840.113549.1.9.16.2.47",
      "1.2.840.113549.1.9.3",
      "1.2.840.113549.1.9.4",
    ])
  })
})

describe("issueCertificate", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })

  it("writes extensions that openssl reads back", async () => {
    const certificate = await selfSigned(publicKey, privateKey)
    const text = await openssl(certificate.der, "x509", "-inform", "DER", "-noout", "-text")
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
    expect(text).toMatch(/Key Usage: critical\s+Digital Signature, Non Repudiation, Certificate Sign/)
    expect(text).toMatch(/Extended Key Usage: ?\s+E-mail Protection/)
    expect(text).toContain("Subject: C = CH, O = M\\C3\\BCller & S\\C3\\B6hne, CN = Ada")
    expect(text).toMatch(/Not After : Jan {2}1 00:00:00 2051 GMT/)
  })

  it("refuses what the issuer's key did not sign, and a serial number out of range", async () => {
    const foreign = generateKeyPairSync("ec", { namedCurve: "P-256" })
    await expect(selfSigned(publicKey, foreign.privateKey)).rejects.toThrow("does not verify")
    await expect(selfSigned(publicKey, privateKey, 0n)).rejects.toThrow(RangeError)
    await expect(selfSigned(publicKey, privateKey, 1n << 160n)).rejects.toThrow(RangeError)
  })
})

describe("algorithmFor", () => {
  it("refuses a key that we have no row for", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const certificate = await selfSigned(publicKey, privateKey)
    expect(() => algorithmFor({ ...certificate, keyKind: "EC P-384" })).toThrow("EC P-384")
  })
})

function attributesOf(certificate: Certificate): Uint8Array {
  return signedAttributes({ contentDigest: createHash("sha256").update(CONTENT).digest(), certificate })
}

async function selfSigned(
  publicKey: KeyObject,
  privateKey: KeyObject,
  serialNumber = 77n,
): Promise<Certificate> {
  const name = writeName({ commonName: "Ada", organization: "Müller & Söhne", country: "CH" })
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  const der = await issueCertificate({
    subject: name,
    issuer: name,
    serialNumber: serialNumber === 77n ? BigInt(Math.ceil(Math.random() * 1e9)) : serialNumber,
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2051-01-01T00:00:00Z"),
    publicKeySpki,
    basicConstraints: { ca: true, pathLength: 0 },
    keyUsage: ["digitalSignature", "contentCommitment", "keyCertSign"],
    extendedKeyUsage: ["1.3.6.1.5.5.7.3.4"],
    algorithm: publicKey.asymmetricKeyType === "rsa" ? "rsa-sha256" : "ecdsa-sha256",
    issuerPublicKeySpki: publicKeySpki,
    signBytes: async (bytes) => sign("sha256", bytes, privateKey),
  })
  return readCertificate(der)
}

async function openssl(input: Uint8Array, ...args: readonly string[]): Promise<string> {
  const path = join(folder, "input")
  await writeFile(path, input)
  return (await run("openssl", [...args, "-in", path])).stdout
}

async function opensslVerify(mark: Uint8Array, root: Certificate): Promise<string> {
  const rootPath = join(folder, "root.pem")
  await writeFile(rootPath, await openssl(root.der, "x509", "-inform", "DER", "-outform", "PEM"))
  const markPath = join(folder, "mark")
  await writeFile(markPath, mark)
  const options = [
    "-binary",
    "-inform",
    "DER",
    "-purpose",
    "any",
    "-CAfile",
    rootPath,
    "-out",
    join(folder, "out"),
  ]
  const content = ["-content", join(folder, "content"), "-in", markPath]
  return (await run("openssl", ["cms", "-verify", "-cades", ...options, ...content])).stderr
}
