import { judgeTimestampAnswer, type TimestampAuthority, TimestampRefused } from "@paraph/pades/timestamp"
import { readCertificate } from "@paraph/pki/certificate"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { collectValidationData } from "@paraph/pki/validation-data"
import { ValidationDataFailed } from "@paraph/pki/validation-data-failed"
import { OutboundFailed } from "../outbound/failed.ts"

/** Whom an answer must come from to be passed on. */
export type TimestampTrust = {
  readonly now: () => Date
  /** DER. Where trust begins. */
  readonly anchors: readonly Uint8Array[]
  readonly revocation: RevocationPorts
}

/**
 * One authority made of several, asked in their order until one gives an answer that can be relied upon for years: one that
 * is down, that answers something else, or whose own certificate is revoked or cannot be traced is passed over. Where none is
 * left, the last failure is told.
 */
export function firstReliable(
  authorities: readonly TimestampAuthority[],
  trust: TimestampTrust,
): TimestampAuthority {
  return async (request) => {
    let failure: Error = new OutboundFailed("unsupported-url", "No time-stamping authority is configured.")
    for (const authority of authorities) {
      try {
        const answer = await authority(request)
        await mustBeReliable(request, answer, trust)
        return answer
      } catch (error) {
        if (!isTheirs(error)) throw error
        failure = error
      }
    }
    throw failure
  }
}

const isTheirs = (error: unknown): error is Error =>
  [OutboundFailed, TimestampRefused, ValidationDataFailed].some((kind) => error instanceof kind)

/** A stamp of an authority that is revoked already could never be renewed. */
async function mustBeReliable(
  request: Uint8Array,
  answer: Uint8Array,
  { now: clock, anchors: roots, revocation: ports }: TimestampTrust,
): Promise<void> {
  const now = clock()
  const { certificate, certificates, genTime } = judgeTimestampAnswer(request, answer, {
    now,
    anchors: roots,
  })
  const at = new Date(Math.max(genTime.getTime(), now.getTime()))
  const anchors = roots.map((der) => readCertificate(der))
  const known = { certificates: certificates.map(({ der }) => der), ocspResponses: [], crls: [] }
  await collectValidationData([{ certificate, at }], { now, anchors, known, ports })
}
