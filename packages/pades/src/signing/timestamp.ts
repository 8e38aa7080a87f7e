// A time-stamp is asked for and checked before anybody relies on it: one over other bytes, the answer to another request
// or one with a wrong signature is an error here, not a surprise for a validator years later.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { DerError } from "@paraph/pki/der"
import type { DigestName } from "@paraph/pki/digest"
import { type NewNonce, randomNonce } from "@paraph/pki/nonce"
import { findPath } from "@paraph/pki/path"
import { readableCertificates } from "@paraph/pki/readable-certificates"
import { readTimestampRequest, readTimestampResponse, timestampRequest } from "@paraph/pki/timestamp"
import {
  checkTimestamp,
  readTimestampToken,
  type TimestampFault,
  type TimestampVerdict,
} from "@paraph/pki/timestamp-token"
import { findSigner } from "@paraph/pki/verify-signer-info"

/** Sends a TimeStampReq (RFC 3161) and gives what came back. Where it goes and how long that may take is not our matter. */
export type TimestampAuthority = (request: Uint8Array) => Promise<Uint8Array>

/** `time`: the authority's clock is not ours. `untrusted`: its certificate leads to none of the anchors. */
export type TimestampRefusedCode = "malformed" | "rejected" | "time" | "untrusted" | TimestampFault

export class TimestampRefused extends Error {
  readonly code: TimestampRefusedCode
  constructor(code: TimestampRefusedCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "TimestampRefused"
    this.code = code
  }
}

export type Imprint = { readonly digest: Uint8Array; readonly digestAlgorithm: DigestName }

export type TimestampRules = {
  readonly now: Date
  /** DER. Where trust begins. */
  readonly anchors: readonly Uint8Array[]
  /** DER. Certificates that the token may lack. */
  readonly certificates?: readonly Uint8Array[]
  /** By default random; an argument so that a sandbox can repeat itself. */
  readonly newNonce?: NewNonce
}

/** To one that was asked for with a nonce. */
type AnswerRules = TimestampRules & { readonly nonce?: bigint }

// RFC 3161, 2.2: whoever asks verifies that the time is right. Clocks differ by seconds, not by minutes.
const TOLERANCE_MS = 5 * 60_000

/** The token, DER, and what was found when it was checked. */
export async function obtainTimestamp(
  authority: TimestampAuthority,
  imprint: Imprint,
  rules: TimestampRules,
): Promise<{ readonly token: Uint8Array; readonly stamp: ValidTimestamp }> {
  const { newNonce = randomNonce } = rules
  const nonce = BigInt(`0x${Buffer.from(newNonce(imprint.digest)).toString("hex")}`)
  const answer = await authority(timestampRequest({ ...imprint, nonce }))
  return judged(answer, imprint, { ...rules, nonce })
}

/** What an authority answered to that very request; throws where nobody should rely on it. */
export function judgeTimestampAnswer(
  request: Uint8Array,
  answer: Uint8Array,
  rules: TimestampRules,
): ValidTimestamp {
  const { imprint, nonce } = readTimestampRequest(request)
  const { digest, digestAlgorithm } = imprint
  if (digestAlgorithm === undefined) throw new TypeError("The request asks by an unknown digest.")
  return judged(answer, { digest, digestAlgorithm }, { ...rules, ...(nonce !== undefined && { nonce }) })
    .stamp
}

function judged(answer: Uint8Array, imprint: Imprint, rules: AnswerRules) {
  const response = readable(() => readTimestampResponse(answer))
  if (!("token" in response)) {
    const why = [...response.failInfo, ...response.statusString].join(", ")
    throw new TimestampRefused("rejected", `The time-stamping authority answered ${response.status}: ${why}.`)
  }
  const stamp = checkToken(response.token, imprint, rules)
  if (Math.abs(stamp.genTime.getTime() - rules.now.getTime()) > TOLERANCE_MS)
    throw new TimestampRefused("time", `The time-stamp is of ${stamp.genTime.toISOString()}.`)
  const anchors = rules.anchors.map((der) => readCertificate(der))
  if (!isTrusted(stamp, { ...rules, anchors }))
    throw new TimestampRefused(
      "untrusted",
      `The time-stamp is of ${stamp.certificate.subjectName}, whom nobody trusts.`,
    )
  return { token: response.token, stamp }
}

export type ValidTimestamp = Extract<TimestampVerdict, { valid: true }>

/** Throws where the token is not over this imprint or not rightly signed. */
export function checkToken(
  token: Uint8Array,
  imprint: Imprint,
  { nonce, certificates = [] }: Partial<AnswerRules> = {},
): ValidTimestamp {
  const read = readable(() => readTimestampToken(token))
  const [signer] = read.signedData.signerInfos
  const certificate = signer && findSigner(read.signedData, signer, readableCertificates(certificates))
  const verdict = checkTimestamp(read, {
    ...imprint,
    ...(nonce !== undefined && { nonce }),
    ...(certificate !== undefined && { certificate }),
  })
  if (verdict.valid) return verdict
  throw new TimestampRefused(verdict.reason, `The time-stamp is not right: ${verdict.reason}.`)
}

/** Whether the authority's certificate led to an anchor when it stamped. */
export function isTrusted(
  { certificate, certificates, genTime }: ValidTimestamp,
  trust: { readonly anchors: readonly Certificate[]; readonly certificates?: readonly Uint8Array[] },
): boolean {
  const intermediates = [...certificates, ...readableCertificates(trust.certificates ?? [])]
  return findPath(certificate, { intermediates, anchors: trust.anchors, at: genTime }).valid
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw new TimestampRefused("malformed", `The time-stamp cannot be read: ${error.message}.`, {
      cause: error,
    })
  }
}
