import { describe, expect, it } from "vitest"
import { bitString, nullValue, octetString, oid, sequence, writeTagged } from "../der/der-writer.ts"
import { newHolder, newRoot } from "../testing/small-pki.ts"
import { writeCertId } from "./ocsp.ts"
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
    [
      "a reason that does not exist",
      revokedWith(writeTagged(0x0a, Uint8Array.of(7))),
      "CRLReason is unknown",
    ],
    ["two reasons", revokedWith(writeTagged(0x0a, Uint8Array.of(1)), nullValue()), "not one value"],
  ])("refuses %s", (_, certStatus, message) => {
    const single = sequence(writeCertId(ada.certificate, root.certificate, "sha1"), certStatus, TIME)
    const responderId = writeTagged(0xa2, octetString(new Uint8Array(20)))
    const tbs = sequence(responderId, TIME, sequence(single))
    const basic = sequence(tbs, sequence(oid("2.999.1")), bitString(new Uint8Array()))
    expect(() => readBasicOcspResponse(basic)).toThrow(message)
  })
})
