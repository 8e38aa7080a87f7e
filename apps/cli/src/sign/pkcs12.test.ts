import { execFileSync } from "node:child_process"
import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { readPkcs12 } from "./pkcs12.ts"
import { derive } from "./pkcs12-decrypt.ts"
import { Pkcs12Refused } from "./pkcs12-refused.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-p12-"))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
writeFileSync(at("key"), privateKey.export({ type: "pkcs8", format: "pem" }))
const openssl = (...words: string[]) => execFileSync("openssl", words, { stdio: "pipe" })
openssl("req", "-x509", "-new", "-subj", "/CN=Ada", "-key", at("key"), "-out", at("pem"), "-days", "2")

function p12(passphrase: string, ...more: string[]): Buffer {
  const words = [
    "-export",
    "-inkey",
    at("key"),
    "-in",
    at("pem"),
    "-out",
    at("p12"),
    "-passout",
    `pass:${passphrase}`,
  ]
  openssl("pkcs12", ...words, ...more)
  return readFileSync(at("p12"))
}

describe("a PKCS#12 file", () => {
  it("gives its key and its certificate, in each encryption that is still made", () => {
    for (const more of [
      [],
      ["-keypbe", "AES-128-CBC", "-certpbe", "AES-192-CBC", "-macalg", "sha512"],
      ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"],
      ["-keypbe", "NONE", "-certpbe", "NONE"],
      ["-nomac"],
    ]) {
      const { key, certificates } = readPkcs12(p12("grüezi", ...more), "grüezi")
      const spki = (from: ReturnType<typeof createPublicKey>) => from.export({ format: "der", type: "spki" })
      expect(spki(createPublicKey(key)).equals(spki(createPublicKey(privateKey)))).toBe(true)
      expect(certificates.map((der) => new X509Certificate(der).subject)).toEqual(["CN=Ada"])
    }
  })

  it("says that the passphrase is wrong, with a MAC and without", () => {
    for (const more of [[], ["-nomac"]])
      expect(() => readPkcs12(p12("right", ...more), "wrong")).toThrow("The passphrase does not open it.")
  })

  it("says what it has not: a key", () => {
    expect(() => readPkcs12(p12("x", "-nokeys"), "x")).toThrow("There is no private key in it.")
  })

  it("refuses by its own name whatever is not right, and takes no time for it", () => {
    const whole = p12("x", "-noiter", "-nomaciter")
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const bytes = Buffer.from(whole)
        bytes[place] = (bytes[place] ?? 0) ^ change
        try {
          readPkcs12(bytes, "x")
        } catch (error) {
          expect(error).toBeInstanceOf(Pkcs12Refused)
        }
      }),
      { numRuns: 2_000 },
    )
    for (let length = 0; length < whole.length; length += 7)
      expect(() => readPkcs12(whole.subarray(0, length), "x")).toThrow(Pkcs12Refused)
  })

  it("derives what others derive", () => {
    const given = {
      hash: "sha1",
      passphrase: "smeg",
      iterations: 1,
      salt: Buffer.from("0a58cf64530d823f", "hex"),
    }
    const hex = (purpose: 1 | 2, length: number) => derive({ ...given, purpose, length }).toString("hex")
    expect(hex(1, 24)).toBe("8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3")
    expect(hex(2, 8)).toBe("79993dfe048d3b76")
  })
})
