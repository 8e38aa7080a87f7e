import { readFileSync } from "node:fs"
import { Refusal } from "@paraph/core/refusal"
import type { SigningParts } from "@paraph/core/signature-request/make-mark"
import type { Lack } from "@paraph/core/signature-request/model"
import { firstReliable } from "@paraph/gateways/first-reliable"
import type { AskOutside } from "@paraph/gateways/pdf"
import { PdfUnmet } from "@paraph/gateways/pdf-failed"
import { revocationPorts } from "@paraph/gateways/revocation"
import { askAuthority } from "@paraph/gateways/timestamp"
import type { Prepared } from "@paraph/pades/prepared"
import { certificatesInPem } from "@paraph/pki/pem"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import type { Config } from "./config.ts"
import type { Parts } from "./parts.ts"

export type LevelParts = Pick<SigningParts, "stampValue"> & {
  /** With more anchors than the operator's file has: those of our own authority, and of a seal that was installed. */
  readonly raiseMarks: (
    ...asked: [...Parameters<SigningParts["raiseMarks"]>, besides?: readonly Uint8Array[]]
  ) => ReturnType<SigningParts["raiseMarks"]>
}

/**
 * What makes a signature last (EN 319 142-1, 6): a time-stamp over its value, and what a validator will need beside it. Only
 * in a sandbox that names no time-stamping authority does a signature stay at B-B.
 */
export async function buildLevelParts(
  config: Pick<Config, "TIMESTAMP_URLS" | "TRUST_ANCHORS_FILE">,
  { outbound, raisePdf, now }: Pick<Parts, "outbound" | "raisePdf" | "now">,
  /** Who answers for certificates of our own; everybody else is asked over the network. */
  answering: (others: RevocationPorts) => RevocationPorts = (others) => others,
): Promise<LevelParts> {
  if (config.TIMESTAMP_URLS.length === 0) return UNRAISED
  const { timestampSignature } = await import("@paraph/pades/finish")
  const anchors = readAnchors(config.TRUST_ANCHORS_FILE)
  const revocation = answering(revocationPorts(outbound))
  const authorities = config.TIMESTAMP_URLS.map((url) => askAuthority(outbound, url))
  const timestamp = firstReliable(authorities, { now, anchors, revocation })
  const outside: AskOutside = (question) => {
    if (question.of === "timestamp") return timestamp(question.body)
    if (question.of === "ocsp") return revocation.askOcsp(question.url, question.body)
    if (question.of === "crl") return revocation.fetchCrl(question.url)
    return revocation.fetchCertificate?.(question.url) ?? Promise.reject(new Error("Nobody is asked."))
  }
  return {
    stampValue: ({ engine }, value) =>
      timestampSignature(engine as Prepared, value, timestamp, { now: now(), anchors }).catch(ofStamp),
    raiseMarks: (held, tail, { to, fields }, besides = []) => {
      const asked = { to, tail, now: now(), anchors: [...anchors, ...besides], certificates: [], fields }
      return raisePdf(held, asked, outside).catch(ofRaising)
    },
  }
}

/** Whatever an authority does wrong, the signature waits for one that does it right. */
const lacking = (lacks: Lack, detail: string, cause: unknown): never => {
  throw new Refusal("part-down", detail, { cause, lacks })
}

const ofStamp = (cause: unknown): never =>
  lacking("timestamp", "No time-stamping authority gave a time-stamp that can be relied upon.", cause)

const ofRaising = (cause: unknown): never => {
  if (!(cause instanceof PdfUnmet) || cause.want === "signature") throw cause
  if (cause.want === "timestamp") return ofStamp(cause)
  return lacking("revocation", "Nobody says that the certificates are not revoked.", cause)
}

const UNRAISED: LevelParts = {
  stampValue: async () => null,
  raiseMarks: async () => ({ tail: new Uint8Array(), archiveEndsAt: null }),
}

function readAnchors(file: string): readonly Uint8Array[] {
  const anchors = certificatesInPem(readFileSync(file, "utf8"))
  if (anchors.length === 0) throw new Error(`There is no certificate in ${file}.`)
  return anchors
}
