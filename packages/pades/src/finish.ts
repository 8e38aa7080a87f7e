// Finishes a prepared signature: the CMS is built around the value and written into the hole. Nothing else moves, and
// the same prepared signature with the same value gives the same bytes.

import { readCertificate } from "@paraph/pki/certificate"
import { signedData } from "@paraph/pki/cms"
import type { Prepared } from "./prepared.ts"

/** The tail to append to the base. Throws when the value is not of the certificate's key over `signedAttributes`. */
export function finish(prepared: Prepared, signatureValue: Uint8Array): Uint8Array {
  const mark = signedData({
    signedAttributes: fromBase64(prepared.signedAttributes),
    signatureValue,
    certificate: readCertificate(fromBase64(prepared.certificate)),
    chain: prepared.chain.map((one) => readCertificate(fromBase64(one))),
    algorithm: prepared.algorithm,
  })
  const tail = fromBase64(prepared.tail)
  const start = prepared.hole.start - prepared.baseLength
  const room = prepared.hole.length / 2 - 1
  if (mark.length > room)
    throw new RangeError(`The mark has ${mark.length} bytes, the hole room for ${room}.`)
  checkHole(tail, start, prepared.hole.length)
  tail.set(Buffer.from(Buffer.from(mark).toString("hex"), "latin1"), start + 1)
  return tail
}

// The prepared signature was stored and comes back; a hole elsewhere would write the mark over signed bytes.
function checkHole(tail: Uint8Array, start: number, length: number): void {
  const hole = Buffer.from(tail.buffer, tail.byteOffset, tail.length).toString(
    "latin1",
    start,
    start + length,
  )
  if (start < 0 || hole.length !== length || !/^<0*>$/.test(hole))
    throw new RangeError("The prepared signature has no hole where it says.")
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"))
}
