// The report of a document, from what was judged.

import { createHash } from "node:crypto"
import type { PdfSignature } from "@paraph/pades/signatures"
import type { Certificate } from "@paraph/pki/certificate"
import type { DigestName } from "@paraph/pki/digest"
import { readNameProof } from "@paraph/pki/name-proof"
import { nameText } from "@paraph/pki/name-text"
import type { SignerInfo } from "@paraph/pki/signed-data"
import { anchorOf, upwards } from "./anchor.ts"
import type { JudgedChain } from "./block/chain.ts"
import type { Context } from "./context.ts"
import { fingerprint } from "./fingerprint.ts"
import { total } from "./indication.ts"
import { isLongTerm, levelOf } from "./level.ts"
import { claimedTime } from "./material/claimed-time.ts"
import { noted, type Outcome } from "./outcome.ts"
import type { JudgedMark } from "./process/signature.ts"
import { isOver, type JudgedStamp } from "./process/timestamp.ts"
import type { Qualification } from "./qualification/qualify.ts"
import type {
  CertificateReport,
  CertificateValue,
  ChainReport,
  Change,
  Coverage,
  DigestReport,
  Reason,
  SignatureReport,
  TimestampReport,
  Verdict,
} from "./report.ts"

export function signatureReport(
  context: Context,
  judged: JudgedMark,
  stamps: readonly JudgedStamp[],
  changes: readonly Change[],
  { quality, legislation, reasons: whyQualified }: Qualification,
): SignatureReport {
  const { mark, certificate, existedAt, blocks } = judged
  const { pdf, cms } = mark
  const level = levelOf(context, judged, stamps)
  const claimed = claimedTime(mark)
  const isProved = existedAt < context.now
  const time = isProved ? existedAt : claimed
  const { name, contactInfo, location, reason } = pdf.claims
  return {
    ...verdictOf(judged.outcome, [...changedAfterwards(judged, stamps), ...whyQualified]),
    field: pdf.fieldName,
    level,
    ...(certificate && { signer: certificate.subjectName, certificate: certificateReport(certificate) }),
    ...(time && { time: time.toISOString() }),
    timeProof: isProved ? "time-stamp" : claimed === undefined ? "none" : "claim",
    ...(claimed && { claimedTime: claimed.toISOString() }),
    quality,
    legislation,
    longTermValidation: isLongTerm(context, judged, stamps, level),
    optionalInfos: {
      ...(name !== undefined && { name }),
      ...(contactInfo !== undefined && { contact: contactInfo }),
      ...(location !== undefined && { location }),
      ...(reason !== undefined && { reason }),
    },
    coverage: COVERAGES[pdf.coverage],
    undefinedChanges: changes.some((change) => change.undefined),
    visualDifferences: changes.some(({ kind }) => kind === "visual"),
    changes,
    timestamps: stamps
      .filter(({ mark: own, stamp }) => own === mark || isOver(stamp, mark))
      .map(timestampReport),
    blocks,
    ...(cms?.content && { digest: digestReport(cms.content.algorithm, cms.content.digest) }),
    ...(pdf.subFilter !== undefined && { subFilter: pdf.subFilter }),
    ...(pdf.byteRange !== undefined && { byteRange: pdf.byteRange }),
    ...(cms?.signer && signedValue(cms.signer, cms.content?.algorithm)),
    ...(certificate && { chain: chainReport(certificate, judged.chain) }),
  }
}

/** The standard goes on without a time-stamp that does not hold (5.6.3.4); whoever relies on the document should know of it. */
function changedAfterwards({ mark }: JudgedMark, stamps: readonly JudgedStamp[]): readonly Reason[] {
  const isBroken = stamps.some(
    ({ stamp, outcome }) => outcome.subIndication === "HASH_FAILURE" && isOver(stamp, mark),
  )
  return isBroken ? [noted("changed-after-timestamp")] : []
}

function digestReport(algorithm: string, digest: Uint8Array): DigestReport {
  return { algorithm, value: Buffer.from(digest).toString("base64") }
}

function signedValue(
  { signedAttributes, signature }: SignerInfo,
  algorithm: DigestName | undefined,
): Pick<SignatureReport, "dtbsr" | "value"> {
  const value = Buffer.from(signature).toString("base64")
  if (signedAttributes === undefined || algorithm === undefined) return { value }
  return { value, dtbsr: digestReport(algorithm, createHash(algorithm).update(signedAttributes).digest()) }
}

function chainReport(certificate: Certificate, chain: JudgedChain | undefined): ChainReport {
  const all = certificatesOf(certificate, chain)
  return {
    fingerprints: all.map(fingerprint),
    isAnchored: chain?.path !== undefined && anchorOf(chain.path) !== undefined,
  }
}

/** From the signer's upwards, the anchor included where it is a certificate. */
function certificatesOf(certificate: Certificate, chain: JudgedChain | undefined): readonly Certificate[] {
  const path = chain?.path
  return path === undefined ? [certificate] : upwards(path)
}

/** All that the chains of these name, each once. */
export function certificateValues(
  judged: readonly Pick<JudgedMark, "certificate" | "chain">[],
): readonly CertificateValue[] {
  const all = judged.flatMap(({ certificate, chain }) =>
    certificate ? certificatesOf(certificate, chain) : [],
  )
  const values = new Map(all.map((one) => [fingerprint(one), Buffer.from(one.der).toString("base64")]))
  return [...values].map(([name, der]) => ({ fingerprint: name, der }))
}

const COVERAGES: Readonly<Record<PdfSignature["coverage"], Coverage>> = {
  "whole-file": "ENTIRE_FILE",
  "whole-revision": "ENTIRE_REVISION",
  "contiguous-from-start": "PARTIAL",
  unclear: "PARTIAL",
}

export function timestampReport({ stamp, outcome, genTime, certificate }: JudgedStamp): TimestampReport {
  return {
    ...verdictOf(outcome),
    type: stamp.type,
    ...(genTime && { time: genTime.toISOString() }),
    ...(certificate && { authority: certificate.subjectName, certificate: certificateReport(certificate) }),
    ...(stamp.pdf && { field: stamp.pdf.fieldName }),
    ...(stamp.token && {
      digest: digestReport("sha256", createHash("sha256").update(stamp.token.signedData.der).digest()),
    }),
  }
}

function verdictOf({ indication, subIndication, reasons }: Outcome, more: readonly Reason[] = []): Verdict {
  return {
    indication: total(indication),
    ...(subIndication && { subIndication }),
    reasons: [...reasons, ...more],
  }
}

function certificateReport(certificate: Certificate): CertificateReport {
  const { subject, issuer, serialNumber, notBefore, notAfter, extensions } = certificate
  const proof = readNameProof(extensions)
  return {
    subject: nameText(subject),
    issuer: nameText(issuer),
    serialNumber: serialNumber.toString(16).toUpperCase(),
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    fingerprint: fingerprint(certificate),
    ...(proof !== null && { nameEstablished: { ...proof, at: proof.at.toISOString() } }),
  }
}
