// The messages of the Time-Stamp Protocol (RFC 3161, 2.4; RFC 5816): what is asked, and what comes back. The token inside
// an answer is read and judged by timestamp-token.ts.

import { type DigestName, digestAlgorithmName, digestIdentifier } from "../algorithm/digest.ts"
import { type Extension, readExtensions } from "../certificate/extension.ts"
import { readNamedBits } from "../certificate/extensions.ts"
import { readBer } from "../der/ber.ts"
import { DerError, type DerNode, expectTag, readDer, readInteger, readOid, TAG } from "../der/der.ts"
import { boolean, integer, octetString, oid, sequence } from "../der/der-writer.ts"
import { takeOptional } from "../der/optional.ts"
import { shownText } from "../der/shown-text.ts"

export type MessageImprint = {
  /** Undefined for an algorithm that we do not know. */
  readonly digestAlgorithm: DigestName | undefined
  /** The AlgorithmIdentifier, encoded. */
  readonly digestIdentifier: Uint8Array
  readonly digest: Uint8Array
}

export type TimestampOrder = {
  readonly digest: Uint8Array
  readonly digestAlgorithm: DigestName
  /** RFC 3161, 2.4.1: large, and most likely used once. An answer without it is not the answer to this request. */
  readonly nonce: bigint
  readonly policy?: string
  /** Whether the token shall bring the certificate of the authority; by default it shall. */
  readonly certReq?: boolean
}

const DIGEST_BYTES: Record<DigestName, number> = {
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  "sha3-224": 28,
  "sha3-256": 32,
  "sha3-384": 48,
  "sha3-512": 64,
}

export function timestampRequest(order: TimestampOrder): Uint8Array {
  const { digest, digestAlgorithm, nonce, policy, certReq = true } = order
  if (digest.length !== DIGEST_BYTES[digestAlgorithm])
    throw new RangeError(`a digest of ${digest.length} octets is not ${digestAlgorithm}`)
  if (nonce < 0n || nonce >= 1n << 256n) throw new RangeError("nonce out of range")
  return sequence(
    integer(1),
    sequence(digestIdentifier(digestAlgorithm), octetString(digest)),
    ...(policy === undefined ? [] : [oid(policy)]),
    integer(nonce),
    // FALSE is the default, and DER leaves a default out.
    ...(certReq ? [boolean(true)] : []),
  )
}

export type TimestampRequest = {
  readonly imprint: MessageImprint
  readonly policy?: string
  readonly nonce?: bigint
  readonly certReq: boolean
  readonly extensions: readonly Extension[]
}

// A request has a dozen values; an authority answers strangers.
const REQUEST_LIMITS = { maxDepth: 8, maxNodes: 200 }
const MAX_NONCE_BYTES = 64

export function readTimestampRequest(der: Uint8Array): TimestampRequest {
  const fields = [...expectTag(readDer(der, REQUEST_LIMITS), TAG.sequence, "TimeStampReq").children]
  const [version, imprint] = fields.splice(0, 2)
  if (readInteger(version, "version") !== 1n) throw new DerError("version is unknown")
  const policy = takeOptional(fields, TAG.oid)
  const nonce = takeOptional(fields, TAG.integer)
  const certReq = takeOptional(fields, TAG.boolean)
  // X.690, 11.5: FALSE is the default, and DER leaves a default out.
  if (certReq !== undefined && certReq.content[0] !== 0xff)
    throw new DerError("certReq is written as its default")
  const extensions = takeOptional(fields, 0xa0)
  if (fields.length > 0) throw new DerError("TimeStampReq has more parts than the standard")
  return {
    imprint: readMessageImprint(imprint),
    ...(policy && { policy: readOid(policy, "policy") }),
    ...(nonce && { nonce: readNonce(nonce) }),
    // FALSE is the default, which DER leaves out; written out it says the same, and clients do write it.
    certReq: certReq !== undefined,
    extensions: extensions ? readExtensions({ ...extensions, tag: TAG.sequence }) : [],
  }
}

export function readMessageImprint(node: DerNode | undefined): MessageImprint {
  const [algorithm, hashed, ...more] = expectTag(node, TAG.sequence, "messageImprint").children
  if (more.length > 0) throw new DerError("messageImprint has more than two parts")
  const { bytes } = expectTag(algorithm, TAG.sequence, "hashAlgorithm")
  const digestAlgorithm = digestAlgorithmName(bytes)
  const { content } = expectTag(hashed, TAG.octetString, "hashedMessage")
  if (digestAlgorithm !== undefined && content.length !== DIGEST_BYTES[digestAlgorithm])
    throw new DerError("hashedMessage is not as long as its algorithm says")
  return { digestAlgorithm, digestIdentifier: bytes, digest: content }
}

export function readNonce(node: DerNode): bigint {
  if (node.content.length > MAX_NONCE_BYTES) throw new DerError("nonce is too large")
  return readInteger(node, "nonce")
}

// RFC 3161, 2.4.2: the position of a status is its number.
const STATUSES = [
  "granted",
  "grantedWithMods",
  "rejection",
  "waiting",
  "revocationWarning",
  "revocationNotification",
] as const

/** RFC 3161, 2.4.2: the bit of each reason. */
export const FAILURES = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  addInfoNotAvailable: 17,
  systemFailure: 25,
} as const

export type TimestampFailure = keyof typeof FAILURES

export type TimestampResponse =
  | {
      readonly status: "granted" | "grantedWithMods"
      readonly statusString: readonly string[]
      /** The ContentInfo, in DER even if it came in BER: fit to be embedded. */
      readonly token: Uint8Array
    }
  | {
      readonly status: Exclude<(typeof STATUSES)[number], "granted" | "grantedWithMods">
      readonly statusString: readonly string[]
      readonly failInfo: readonly TimestampFailure[]
    }

export function readTimestampResponse(bytes: Uint8Array): TimestampResponse {
  const { node } = readBer(bytes)
  const [info, token, ...more] = expectTag(node, TAG.sequence, "TimeStampResp").children
  if (more.length > 0) throw new DerError("TimeStampResp has more than two parts")
  const fields = [...expectTag(info, TAG.sequence, "PKIStatusInfo").children]
  const number = readInteger(fields.shift(), "status")
  const status = number < 0n ? undefined : STATUSES[Number(number)]
  if (status === undefined) throw new DerError("status is unknown")
  const statusString = readFreeText(takeOptional(fields, TAG.sequence))
  const failInfo = readFailInfo(takeOptional(fields, TAG.bitString))
  if (fields.length > 0) throw new DerError("PKIStatusInfo has more parts than the standard")

  // RFC 3161, 2.4.2: with these two the token must be there, and with all others it must not.
  const granted = status === "granted" || status === "grantedWithMods"
  if (granted !== (token !== undefined)) throw new DerError("status and token contradict each other")
  if (!granted) return { status, statusString, failInfo }
  return { status, statusString, token: expectTag(token, TAG.sequence, "timeStampToken").bytes }
}

const MAX_TEXTS = 16
const MAX_TEXT_BYTES = 1024

// To show and to log, never to decide by: cut rather than refused.
function readFreeText(node: DerNode | undefined): readonly string[] {
  const texts = node?.children.slice(0, MAX_TEXTS) ?? []
  return texts.map((text) =>
    shownText(Buffer.from(text.content.subarray(0, MAX_TEXT_BYTES)).toString("utf8")),
  )
}

function readFailInfo(node: DerNode | undefined): readonly TimestampFailure[] {
  if (node === undefined) return []
  const names: (TimestampFailure | undefined)[] = []
  for (const [name, bit] of Object.entries(FAILURES)) names[bit] = name as TimestampFailure
  // Array.from turns the holes between the bits into values that can be told apart from names.
  return readNamedBits(node.content, Array.from(names)).filter((name) => name !== undefined)
}
