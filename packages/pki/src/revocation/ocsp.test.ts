import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DerError } from "../der/der.ts"
import { explicit, integer, octetString, oid, sequence } from "../der/der-writer.ts"
import { surviveMutations } from "../testing/mutations.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { type Holder, newHolder, newRoot } from "../testing/small-pki.ts"
import { namesIssuer, OCSP_EXTENSION, ocspRequest, readNonce, readOcspRequest, writeCertId } from "./ocsp.ts"

const nonce = new Uint8Array(randomBytes(32))
let judge: OpenSsl
let root: Holder
let ada: Holder

beforeAll(async () => {
  judge = await openssl()
  root = await newRoot()
  ada = await newHolder(root, "ecdsa-sha256")
})
afterAll(() => judge.remove())

describe("ocspRequest", () => {
  it.each(["sha1", "sha256"] as const)(
    "writes a request by %s that openssl reads",
    async (digestAlgorithm) => {
      const question = { certificate: ada.certificate, issuer: root.certificate, nonce, digestAlgorithm }
      const request = await judge.file("request", ocspRequest(question))
      const { text } = await judge.run("ocsp", "-reqin", request, "-req_text")
      expect(text).toContain(`Hash Algorithm: ${digestAlgorithm}`)
      // openssl writes whole octets.
      const serial = ada.certificate.serialNumber.toString(16).toUpperCase()
      expect(text).toContain(`Serial Number: ${serial.length % 2 === 0 ? serial : `0${serial}`}`)
      const printed = text.replace(/[^0-9A-F]/g, "")
      expect(printed).toContain(Buffer.from(nonce.subarray(0, 8)).toString("hex").toUpperCase())
    },
  )

  it("writes the bytes that openssl writes", async () => {
    const certificate = await judge.certificate("ada.pem", ada.certificate.der)
    const issuer = ["-issuer", await judge.certificate("root.pem", root.certificate.der)]
    for (const digestAlgorithm of ["sha1", "sha256"] as const) {
      const digest = digestAlgorithm === "sha1" ? [] : ["-sha256"]
      await judge.run(
        "ocsp",
        ...issuer,
        ...digest,
        "-cert",
        certificate,
        "-no_nonce",
        "-reqout",
        judge.path("request"),
      )
      const ours = ocspRequest({ certificate: ada.certificate, issuer: root.certificate, digestAlgorithm })
      expect(ours).toEqual(await judge.read("request"))
    }
  })

  it("refuses a nonce that is empty or longer than 32 octets", () => {
    const question = { certificate: ada.certificate, issuer: root.certificate }
    for (const length of [0, 33])
      expect(() => ocspRequest({ ...question, nonce: new Uint8Array(length) })).toThrow(RangeError)
  })
})

describe("readOcspRequest", () => {
  it("reads what openssl asks about several certificates, with its nonce", async () => {
    const bea = await newHolder(root, "ecdsa-sha256")
    const cert = async ({ certificate }: Holder, name: string) => judge.certificate(name, certificate.der)
    const issuer = ["-issuer", await cert(root, "root.pem")]
    const both = ["-cert", await cert(ada, "ada.pem"), "-cert", await cert(bea, "bea.pem")]
    await judge.run("ocsp", ...issuer, ...both, "-nonce", "-reqout", judge.path("request"))
    const request = readOcspRequest(await judge.read("request"))
    expect(request.nonce).toHaveLength(16)
    expect(request.certIds.map(({ serialNumber }) => serialNumber)).toEqual([
      ada.certificate.serialNumber,
      bea.certificate.serialNumber,
    ])
    const namesake = await newRoot()
    for (const certId of request.certIds) {
      expect(namesIssuer(certId, namesake.certificate)).toBe(false)
      expect(namesIssuer(certId, root.certificate)).toBe(true)
      expect(namesIssuer(certId, ada.certificate)).toBe(false)
      expect(writeCertId({ ...ada.certificate, ...certId }, root.certificate, "sha1")).toEqual(certId.bytes)
    }
  })

  it("does not know the issuer by a digest that it does not know", () => {
    const [certId] = readOcspRequest(
      ocspRequest({ certificate: ada.certificate, issuer: root.certificate }),
    ).certIds
    if (certId === undefined) throw new Error("no question")
    expect(namesIssuer({ ...certId, digestAlgorithm: undefined }, root.certificate)).toBe(false)
  })

  it("refuses no question, too many, and a version that does not exist", () => {
    const certId = writeCertId(ada.certificate, root.certificate, "sha1")
    const list = (count: number) => sequence(...Array.from({ length: count }, () => sequence(certId)))
    expect(readOcspRequest(sequence(sequence(list(32)))).certIds).toHaveLength(32)
    expect(() => readOcspRequest(sequence(sequence(list(33))))).toThrow("too many")
    expect(() => readOcspRequest(sequence(sequence(list(0))))).toThrow("no question")
    const version = explicit(0, integer(1))
    expect(() => readOcspRequest(sequence(sequence(version, list(1))))).toThrow("version is unknown")
    expect(() => readOcspRequest(sequence(sequence(list(1)), oid("2.999.1")))).toThrow(DerError)
  })

  it("gives a value or a DerError for mutated bytes", () => {
    const der = ocspRequest({ certificate: ada.certificate, issuer: root.certificate, nonce })
    expect(surviveMutations(der, readOcspRequest)).toBeGreaterThan(100)
  })
})

describe("readNonce", () => {
  const extension = (value: Uint8Array) => [{ id: OCSP_EXTENSION.nonce, critical: false, value }]

  it("reads the octets, wrapped as RFC 8954 has them or bare as responders before it", () => {
    expect(readNonce(extension(octetString(nonce)))).toEqual(nonce)
    expect(readNonce(extension(Uint8Array.of(4, 1)))).toEqual(Uint8Array.of(4, 1))
    expect(readNonce(extension(octetString(new Uint8Array(128))))).toHaveLength(128)
    expect(readNonce([])).toBeUndefined()
  })

  it("refuses one of no octets or of more than 128", () => {
    expect(() => readNonce(extension(octetString(new Uint8Array(129))))).toThrow("too long")
    expect(() => readNonce(extension(octetString(new Uint8Array())))).toThrow("too short")
  })
})
