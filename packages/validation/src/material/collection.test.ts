import { expect, it } from "vitest"
import { newRoot } from "../testing/keys.ts"
import { createCollection } from "./collection.ts"

const junk = (i: number) => Uint8Array.of(0x30, 4, 2, 2, i >> 8, i & 255)
const TOO_MANY = {
  code: "too-complex",
  message: "There are more than 10000 certificates, OCSP responses or CRLs.",
}

it("items that cannot be read do not hide the one behind them", async () => {
  const { certificate } = await newRoot({ name: "Root", keyUsage: ["keyCertSign"] })
  const collection = createCollection()
  for (let i = 0; i < 9_999; i++) collection.certificate(junk(i))
  collection.certificate(certificate.der)
  expect(collection.evidence().certificates).toHaveLength(1)
  const full = createCollection()
  for (let i = 0; i < 10_000; i++) full.certificate(junk(i))
  expect(() => full.certificate(certificate.der)).toThrow(expect.objectContaining(TOO_MANY))
})

it("an item beyond the limit is refused, and one that is known is not", () => {
  const collection = createCollection()
  const { certificate, ocspResponse, basicOcspResponse, crl } = collection
  for (const take of [certificate, ocspResponse, crl]) {
    for (let i = 0; i < 10_000; i++) take(junk(i))
    expect(() => take(junk(10_000))).toThrow(expect.objectContaining(TOO_MANY))
    expect(() => take(junk(1))).not.toThrow()
  }
  expect(() => basicOcspResponse(junk(10_000))).toThrow(expect.objectContaining(TOO_MANY))
})
