import { describe, expect, it } from "vitest"
import {
  bitString,
  boolean,
  explicit,
  nullValue,
  octetString,
  oid,
  sequence,
  writeTagged,
} from "../der/der-writer.ts"
import { newHolder, newRoot } from "../testing/small-pki.ts"
import { OCSP_EXTENSION, writeCertId } from "./ocsp.ts"
import { readBasicOcspResponse } from "./ocsp-response.ts"

const TIME = writeTagged(0x18, Buffer.from("20261115100000Z", "latin1"))
const revokedWith = (...reason: readonly Uint8Array[]) =>
  writeTagged(0xa1, TIME, writeTagged(0xa0, ...reason))
const root = await newRoot()
const ada = await newHolder(root, "ecdsa-sha256")

describe("readBasicOcspResponse", () => {
  it.each([
    ["a good with content", writeTagged(0x80, Uint8Array.of(0)), "null with content"],
    ["a status that does not exist", writeTagged(0x83), "certStatus is unknown"],
    ["a reason without content", revokedWith(writeTagged(0x0a)), "integer without content"],
    ["two reasons", revokedWith(writeTagged(0x0a, Uint8Array.of(1)), nullValue()), "not one value"],
  ])("refuses %s", (_, certStatus, message) => {
    expect(() => readBasicOcspResponse(responseWith(certStatus))).toThrow(message)
  })

  it("reads a revocation whose reason has no meaning as revoked without a reason", () => {
    const unknown = revokedWith(writeTagged(0x0a, Uint8Array.of(7)))
    const [single] = readBasicOcspResponse(responseWith(unknown)).responses
    expect(single?.certStatus).toMatchObject({ status: "revoked", reason: "unspecified" })
  })

  it("passes over an archive cutoff that is not a time, unless it is critical", () => {
    const id = oid(OCSP_EXTENSION.archiveCutoff)
    const value = octetString(octetString(Uint8Array.of(1)))
    const revoked = revokedWith(writeTagged(0x0a, Uint8Array.of(1)))
    const odd = responseWith(revoked, explicit(1, sequence(sequence(id, value))))
    const [single] = readBasicOcspResponse(odd).responses
    expect(single?.certStatus).toMatchObject({ status: "revoked", reason: "keyCompromise" })
    expect(single?.archiveCutoff).toBeUndefined()
    const critical = responseWith(revoked, explicit(1, sequence(sequence(id, boolean(true), value))))
    expect(() => readBasicOcspResponse(critical)).toThrow("archiveCutoff")
  })
})

function responseWith(certStatus: Uint8Array, ...more: readonly Uint8Array[]): Uint8Array {
  const single = sequence(writeCertId(ada.certificate, root.certificate, "sha1"), certStatus, TIME, ...more)
  const responderId = writeTagged(0xa2, octetString(new Uint8Array(20)))
  const tbs = sequence(responderId, TIME, sequence(single))
  return sequence(tbs, sequence(oid("2.999.1")), bitString(new Uint8Array()))
}
