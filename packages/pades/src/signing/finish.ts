// Finishes a prepared signature: the CMS is built around the value and written into the hole. Nothing else moves, and
// the same prepared signature with the same value and time-stamp gives the same bytes.

import { createHash } from "node:crypto"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { SIGNATURE_TIMESTAMP_TOKEN, signedData, withUnsignedAttribute } from "@paraph/pki/cms"
import { encodeSignature } from "@paraph/pki/signature-algorithm"
import { fillHole } from "./objects/signature-dictionary.ts"
import type { Prepared } from "./prepared.ts"
import {
  checkToken,
  type Imprint,
  obtainTimestamp,
  type TimestampAuthority,
  TimestampRefused,
  type TimestampRules,
} from "./timestamp.ts"

/**
 * The tail to append to the base: B-B, or B-T with a time-stamp over the value. Throws when the value is not of the
 * certificate's key over `signedAttributes`, or the time-stamp not over the value.
 */
export function finish(
  prepared: Prepared,
  signatureValue: Uint8Array,
  options: { readonly timestamp?: Uint8Array } = {},
): Uint8Array {
  const { timestamp } = options
  if (prepared.timestampRequired === true && timestamp === undefined)
    throw new TypeError("The signature field asks for a time-stamp.")
  const mark = signedData({
    signedAttributes: fromBase64(prepared.signedAttributes),
    signatureValue,
    certificate: certificateOf(prepared),
    chain: prepared.chain.map((one) => readCertificate(fromBase64(one))),
    algorithm: prepared.algorithm,
  })
  const tail = fromBase64(prepared.tail)
  const hole = { start: prepared.hole.start - prepared.baseLength, length: prepared.hole.length }
  checkHole(tail, hole.start, hole.length)
  if (timestamp === undefined) fillHole(tail, hole, mark)
  else {
    checkToken(timestamp, signatureImprint(prepared, signatureValue))
    fillHole(tail, hole, withUnsignedAttribute(mark, SIGNATURE_TIMESTAMP_TOKEN, timestamp))
  }
  return tail
}

/** A time-stamp over the value, checked, for `finish`. A step of its own, so that it can be stored and is bought once. */
export async function timestampSignature(
  prepared: Prepared,
  signatureValue: Uint8Array,
  authority: TimestampAuthority,
  rules: TimestampRules,
): Promise<Uint8Array> {
  const imprint = signatureImprint(prepared, signatureValue)
  const { token, stamp } = await obtainTimestamp(authority, imprint, rules)
  const { notBefore, notAfter } = certificateOf(prepared)
  // By such a time nobody would find the certificate valid, however often they look: it is not to be kept.
  if (stamp.genTime < notBefore || stamp.genTime > notAfter)
    throw new TimestampRefused(
      "time",
      `The time-stamp is of ${stamp.genTime.toISOString()}, when the signer's certificate was not valid.`,
    )
  return token
}

// EN 319 122-1, 5.3: over the octets of the signature field as CMS has them, which for ECDSA may not be as they came.
function signatureImprint(prepared: Prepared, signatureValue: Uint8Array): Imprint {
  const value = encodeSignature(
    prepared.algorithm,
    certificateOf(prepared).publicKeySpki,
    fromBase64(prepared.signedAttributes),
    signatureValue,
  )
  return { digest: createHash("sha256").update(value).digest(), digestAlgorithm: "sha256" }
}

function certificateOf({ certificate }: Prepared): Certificate {
  return readCertificate(fromBase64(certificate))
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
