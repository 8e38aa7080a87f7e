import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { ALGORITHMS, newHolder, newKey, newRoot } from "../testing/small-pki.ts"
import { writeCertificateRequest } from "./certificate-request.ts"
import { NAME_BOUNDS, writeKeyUsage, writeName } from "./certificate-writer.ts"
import { attributesOf } from "./name.ts"

const NAME = {
  country: "CH",
  organization: "Müller & Söhne, Zürich",
  organizationIdentifier: "NTRCH-CHE123456789",
  surname: "Dvořák-Şahin",
  givenName: "François Łukasz Ion-Mărțișor Groß",
  serialNumber: "7f3a-90",
  commonName: "François Dvořák-Şahin",
}

let judge: OpenSsl
beforeAll(async () => {
  judge = await openssl()
})
afterAll(() => judge.remove())

const shown = ["-noout", "-subject", "-nameopt", "utf8,sep_multiline,sname,-esc_msb"]

describe("writeName", () => {
  it("writes every part of a name, in any letters, as openssl reads it", async () => {
    const holder = await newHolder(await newRoot(), "ecdsa-sha256", { subject: writeName(NAME) })
    const file = await judge.certificate("named.pem", holder.certificate.der)
    const { text } = await judge.run("x509", "-in", file, ...shown)
    const lines = text
      .trim()
      .split("\n")
      .map((line) => line.trim())
    expect(lines).toEqual([
      "subject=",
      "C=CH",
      `O=${NAME.organization}`,
      `organizationIdentifier=${NAME.organizationIdentifier}`,
      `SN=${NAME.surname}`,
      `GN=${NAME.givenName}`,
      `serialNumber=${NAME.serialNumber}`,
      `CN=${NAME.commonName}`,
    ])
    expect(attributesOf(holder.certificate.subject, "2.5.4.4")).toEqual([NAME.surname])
  })

  it("counts characters and not octets, and refuses one too many, and none", () => {
    const letters = (count: number) => "ř".repeat(count)
    expect(() => writeName({ commonName: letters(NAME_BOUNDS.commonName) })).not.toThrow()
    expect(() => writeName({ commonName: "𝔸".repeat(64) })).not.toThrow()
    expect(() => writeName({ commonName: letters(65) })).toThrow(RangeError)
    expect(() => writeName({ commonName: "Ada", organization: letters(65) })).toThrow(RangeError)
    expect(() => writeName({ commonName: "Ada", country: "CHE" })).toThrow(RangeError)
    expect(() => writeName({ commonName: "Ada", surname: "" })).toThrow(RangeError)
    expect(() => writeName({ commonName: "Ada", surname: letters(400) })).not.toThrow()
  })
})

describe("writeCertificateRequest", () => {
  it.each(ALGORITHMS)("asks with a key of %s what openssl verifies and signs", async (algorithm) => {
    const key = newKey(algorithm)
    const usage = { id: "2.5.29.15", critical: true, value: writeKeyUsage(["contentCommitment"]) }
    const order = { ...key, subject: writeName(NAME), extensions: [usage] }
    const file = await judge.file(`${algorithm}.csr`, await writeCertificateRequest(order))
    const seen = await judge.run("req", "-inform", "DER", "-in", file, "-verify", "-text", ...shown)
    expect(seen).toMatchObject({ ok: true })
    expect(seen.text).toContain("verify OK")
    expect(seen.text).toContain("Non Repudiation")
    expect(seen.text).toContain(`GN=${NAME.givenName}`)
  })

  it("may wish for nothing", async () => {
    const order = { ...newKey("ecdsa-sha256"), subject: writeName({ commonName: "Ada" }) }
    const file = await judge.file("plain.csr", await writeCertificateRequest(order))
    expect((await judge.run("req", "-inform", "DER", "-in", file, "-verify", "-noout")).ok).toBe(true)
  })

  it("refuses a key that is not the one it is about", async () => {
    const key = newKey("ecdsa-sha256")
    const order = { ...key, ...{ signBytes: newKey("ecdsa-sha256").signBytes } }
    await expect(writeCertificateRequest({ ...order, subject: writeName(NAME) })).rejects.toThrow()
  })
})
