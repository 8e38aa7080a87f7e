// What a time-stamping authority answers (RFC 3161, 2.4.2; RFC 5816; EN 319 422). The key stays behind `signBytes`.

import { createHash } from "node:crypto"
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "../algorithm/signature-algorithm.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { signedAttributes, signedData } from "../cms/cms.ts"
import { TAG } from "../der/der.ts"
import { bitString, integer, octetString, oid, sequence, utf8String, writeTagged } from "../der/der-writer.ts"
import { FAILURES, type TimestampFailure, type TimestampRequest } from "./timestamp.ts"

const ID_CT_TST_INFO = "1.2.840.113549.1.9.16.1.4"

export type TimestampIssue = {
  readonly request: TimestampRequest
  /** The authority's; the request may have asked for it, see `refusedTimestamp`. */
  readonly policy: string
  /** RFC 3161, 2.4.2: unique for this authority, even over a crash. */
  readonly serialNumber: bigint
  readonly genTime: Date
  /** How far genTime may be from the true time. EN 319 422, 5.2.2 wants it said, and one second at most. */
  readonly accuracyMs?: number
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  readonly algorithm: SignatureAlgorithm
  readonly signBytes: (toBeSigned: Uint8Array) => Promise<Uint8Array>
}

/** Why this request gets no token, if it gets none. */
export function refusedTimestamp(
  request: TimestampRequest,
  authority: { readonly policy: string },
): TimestampFailure | undefined {
  const { digestAlgorithm } = request.imprint
  // EN 319 422 refers to TS 119 312, which no longer has SHA-1; whoever still sends it would get worthless evidence.
  if (digestAlgorithm === undefined || digestAlgorithm === "sha1") return "badAlg"
  if (request.policy !== undefined && request.policy !== authority.policy) return "unacceptedPolicy"
  // RFC 3161, 2.4.1: an authority that does not know an extension, critical or not, says so.
  return request.extensions.length > 0 ? "unacceptedExtension" : undefined
}

/** A TimeStampResp that grants. Throws when `signBytes` does not sign with the key of the certificate. */
export async function writeTimestampResponse(issue: TimestampIssue): Promise<Uint8Array> {
  const token = await writeTimestampToken(issue)
  return sequence(sequence(integer(0)), token)
}

export async function writeTimestampToken(issue: TimestampIssue): Promise<Uint8Array> {
  const { certificate, chain, algorithm } = issue
  const content = writeTstInfo(issue)
  const contentDigest = createHash(SIGNATURE_ALGORITHMS[algorithm].digest).update(content).digest()
  const attributes = signedAttributes({ contentDigest, certificate, algorithm, contentType: ID_CT_TST_INFO })
  return signedData({
    signedAttributes: attributes,
    signatureValue: await issue.signBytes(attributes),
    certificate,
    chain,
    algorithm,
    encapsulated: { contentType: ID_CT_TST_INFO, content },
    withoutCertificates: !issue.request.certReq,
  })
}

function writeTstInfo(issue: TimestampIssue): Uint8Array {
  const { imprint, nonce } = issue.request
  return sequence(
    integer(1),
    oid(issue.policy),
    // The bytes of the request: RFC 3161, 2.4.2 wants the same value, and some clients compare encodings.
    sequence(imprint.digestIdentifier, octetString(imprint.digest)),
    integer(issue.serialNumber),
    writeGenTime(issue.genTime),
    writeAccuracy(issue.accuracyMs ?? 1000),
    ...(nonce === undefined ? [] : [integer(nonce)]),
  )
}

// RFC 3161, 2.4.2: fractions without zeros at their end.
function writeGenTime(at: Date): Uint8Array {
  const [whole = "", fraction = ""] = at
    .toISOString()
    .replace(/[-:TZ]/g, "")
    .split(".")
  const rest = fraction.replace(/0+$/, "")
  const text = `${whole}${rest === "" ? "" : `.${rest}`}Z`
  return writeTagged(TAG.generalizedTime, Buffer.from(text, "latin1"))
}

function writeAccuracy(accuracyMs: number): Uint8Array {
  if (!Number.isInteger(accuracyMs) || accuracyMs < 1)
    throw new RangeError("accuracy is not whole milliseconds")
  const seconds = Math.floor(accuracyMs / 1000)
  const millis = accuracyMs % 1000
  return sequence(
    ...(seconds === 0 ? [] : [integer(seconds)]),
    ...(millis === 0 ? [] : [writeTagged(0x80, integer(millis).subarray(2))]),
  )
}

/** A TimeStampResp that rejects, with its reason for machines and, if wanted, for people. */
export function writeTimestampRejection(failure: TimestampFailure, statusString?: string): Uint8Array {
  const bit = FAILURES[failure]
  const octets = new Uint8Array((bit >> 3) + 1)
  octets[bit >> 3] = 0x80 >> (bit & 7)
  return sequence(
    sequence(
      integer(2),
      ...(statusString === undefined ? [] : [sequence(utf8String(statusString))]),
      bitString(octets, 7 - (bit & 7)),
    ),
  )
}
