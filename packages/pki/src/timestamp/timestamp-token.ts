// A time-stamp token (RFC 3161, 2.4.2; RFC 5816): read, and checked against what was stamped. The verdict is about the
// bytes; whether the authority can be trusted is path validation's to say, with the certificates that come along.

import type { DigestName } from "../algorithm/digest.ts"
import { type AlgorithmPolicy, isWeakDigest } from "../algorithm/weakness.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { type Extension, readExtensions } from "../certificate/extension.ts"
import { EXTENSION, readExtendedKeyUsage, readKeyUsage } from "../certificate/extensions.ts"
import { type GeneralName, readGeneralName } from "../certificate/general-name.ts"
import { readableCertificates } from "../certificate/readable-certificates.ts"
import { readSignedData, type SignedData } from "../cms/signed-data.ts"
import { findSigner, type SignerFault, verifySignerInfo } from "../cms/verify-signer-info.ts"
import type { BerOptions } from "../der/ber.ts"
import {
  DerError,
  type DerNode,
  expectTag,
  readDer,
  readInteger,
  readOid,
  readTime,
  TAG,
} from "../der/der.ts"
import { inside, takeOptional, underImplicit } from "../der/optional.ts"
import { type MessageImprint, readMessageImprint, readNonce } from "./timestamp.ts"

export type Accuracy = { readonly seconds: number; readonly millis: number; readonly micros: number }

export type TimestampToken = {
  readonly signedData: SignedData
  readonly policy: string
  readonly imprint: MessageImprint
  readonly serialNumber: bigint
  /** To the millisecond; what is finer is cut off, which makes it earlier by less than one. */
  readonly genTime: Date
  readonly accuracy?: Accuracy
  /** Whether every two tokens of this authority can be ordered by genTime alone. */
  readonly ordering: boolean
  readonly nonce?: bigint
  /** What the authority calls itself; a hint, the certificate is what counts. */
  readonly tsa?: GeneralName
  readonly extensions: readonly Extension[]
}

export const ID_CT_TST_INFO = "1.2.840.113549.1.9.16.1.4"

export function readTimestampToken(bytes: Uint8Array, options: BerOptions = {}): TimestampToken {
  const signedData = readSignedData(bytes, options)
  if (signedData.contentType !== ID_CT_TST_INFO || signedData.content === undefined)
    throw new DerError("content is not TSTInfo")
  return { signedData, ...readTstInfo(readDer(signedData.content)) }
}

function readTstInfo(node: DerNode): Omit<TimestampToken, "signedData"> {
  const fields = [...expectTag(node, TAG.sequence, "TSTInfo").children]
  const [version, policy, imprint, serialNumber, genTime] = fields.splice(0, 5)
  if (readInteger(version, "version") !== 1n) throw new DerError("version is unknown")
  const accuracy = takeOptional(fields, TAG.sequence)
  const ordering = takeOptional(fields, TAG.boolean)
  const nonce = takeOptional(fields, TAG.integer)
  const tsa = takeOptional(fields, 0xa0)
  const extensions = takeOptional(fields, 0xa1)
  if (fields.length > 0) throw new DerError("TSTInfo has more parts than the standard")
  return {
    policy: readOid(policy, "policy"),
    imprint: readMessageImprint(imprint),
    serialNumber: readInteger(serialNumber, "serial number"),
    genTime: readGenTime(genTime),
    ...(accuracy && { accuracy: readAccuracy(accuracy) }),
    // FALSE is the default, which DER leaves out; one authority in thirty writes it, and it says the same.
    ordering: ordering?.content[0] === 0xff,
    ...(nonce && { nonce: readNonce(nonce) }),
    ...(tsa && { tsa: readGeneralName(inside(tsa, "tsa")) }),
    extensions: extensions ? readExtensions({ ...extensions, tag: TAG.sequence }) : [],
  }
}

// RFC 3161, 2.4.2: in Zulu with seconds, and, unlike the times of X.509, with fractions of any length, but
// without zeros at their end: one time has one encoding.
function readGenTime(node: DerNode | undefined): Date {
  const found = expectTag(node, TAG.generalizedTime, "genTime")
  const text = Buffer.from(found.content).toString("latin1")
  const [, whole, fraction = ""] = /^(\d{14})(?:\.(\d{0,17}[1-9]))?Z$/.exec(text) ?? []
  if (whole === undefined) throw new DerError("genTime is not a time")
  const seconds = readTime({ ...found, content: Buffer.from(`${whole}Z`, "latin1") }, "genTime")
  return new Date(seconds.getTime() + Number(fraction.slice(0, 3).padEnd(3, "0")))
}

function readAccuracy(node: DerNode): Accuracy {
  const fields = [...node.children]
  const seconds = takeOptional(fields, TAG.integer)
  const millis = takeOptional(fields, 0x80)
  const micros = takeOptional(fields, 0x81)
  if (fields.length > 0) throw new DerError("accuracy of odd parts")
  return {
    seconds: bounded(seconds, 1_000_000_000n),
    millis: bounded(millis, 999n),
    micros: bounded(micros, 999n),
  }
}

function bounded(node: DerNode | undefined, max: bigint): number {
  if (node === undefined) return 0
  const value = readInteger(underImplicit(node, TAG.integer), "accuracy")
  if (value < 0n || value > max) throw new DerError("accuracy is out of range")
  return Number(value)
}

export type TimestampFault =
  /** The token is over other bytes, or over a digest that we do not know. */
  | "imprint"
  | "nonce"
  | "policy"
  /** RFC 3161, 2.4.2: an extension that must be understood and is not. */
  | "extension"
  /** Not exactly one. */
  | "signers"
  /** RFC 3161, 2.3: critical, and id-kp-timeStamping alone. */
  | "extended-key-usage"
  | "key-usage"
  | SignerFault

export type TimestampVerdict =
  | {
      readonly valid: true
      readonly genTime: Date
      /** The authority's, not yet trusted. */
      readonly certificate: Certificate
      /** All that came in the token and can be read, to build a path from. */
      readonly certificates: readonly Certificate[]
      readonly digest: DigestName
      readonly signatureDigest: DigestName | "none"
    }
  | { readonly valid: false; readonly reason: TimestampFault }

export type TimestampCheck = {
  readonly digest: Uint8Array
  readonly digestAlgorithm: DigestName
  /** Of the request; a token that answers it repeats both. */
  readonly nonce?: bigint
  readonly policy?: string
  /** The authority's, for a token that does not bring it. */
  readonly certificate?: Certificate
  readonly algorithms?: AlgorithmPolicy
}

export function checkTimestamp(token: TimestampToken, check: TimestampCheck): TimestampVerdict {
  const reason = checkTstInfo(token, check)
  if (reason !== undefined) return { valid: false, reason }
  const { signedData } = token
  const [signer, ...others] = signedData.signerInfos
  if (signer === undefined || others.length > 0) return { valid: false, reason: "signers" }
  const certificate = findSigner(signedData, signer, check.certificate ? [check.certificate] : [])
  if (certificate === undefined) return { valid: false, reason: "certificate" }
  const purpose = checkPurpose(certificate)
  if (purpose !== undefined) return { valid: false, reason: purpose }

  const content = signedData.content ?? new Uint8Array()
  const policy = check.algorithms === undefined ? {} : { algorithms: check.algorithms }
  const verdict = verifySignerInfo(signer, {
    certificate,
    content,
    contentType: ID_CT_TST_INFO,
    needsSigningCertificate: true,
    ...policy,
  })
  if (!verdict.valid) return verdict
  const { digest, signatureDigest } = verdict
  const certificates = readableCertificates(signedData.certificates)
  return { valid: true, genTime: token.genTime, certificate, certificates, digest, signatureDigest }
}

function checkTstInfo(token: TimestampToken, check: TimestampCheck): TimestampFault | undefined {
  const { imprint } = token
  if (imprint.digestAlgorithm !== check.digestAlgorithm || !equal(imprint.digest, check.digest))
    return "imprint"
  // Whoever can make two documents of one digest has both stamped at once.
  if (check.algorithms !== "any" && isWeakDigest(imprint.digestAlgorithm)) return "algorithm-too-weak"
  if (check.nonce !== undefined && token.nonce !== check.nonce) return "nonce"
  if (check.policy !== undefined && token.policy !== check.policy) return "policy"
  return token.extensions.some(({ critical }) => critical) ? "extension" : undefined
}

const TIME_STAMPING = "1.3.6.1.5.5.7.3.8"

function checkPurpose({ extensions }: Certificate): TimestampFault | undefined {
  try {
    const purposes = readExtendedKeyUsage(extensions) ?? []
    const critical = extensions.some((one) => one.id === EXTENSION.extendedKeyUsage && one.critical)
    if (!critical || purposes.length !== 1 || purposes[0] !== TIME_STAMPING) return "extended-key-usage"
    const usages = readKeyUsage(extensions)
    const signs = usages?.some((usage) => usage === "digitalSignature" || usage === "contentCommitment")
    return signs === false ? "key-usage" : undefined
  } catch (error) {
    if (error instanceof DerError) return "extended-key-usage"
    throw error
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
