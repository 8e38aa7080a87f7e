// The status of a signature, of a time-stamp or of one building block (TS 119 102-2, 4.3.4): the indication, and the data that
// EN 319 102-1, tables 5 and 6 want beside it.

import type { BlockReport, ChainReport, Reason, Verdict } from "../report.ts"
import { sayReason } from "../words/say.ts"
import {
  APPLIED,
  certificateId,
  isWritable,
  mainIndication,
  OURS,
  reference,
  subIndicationName,
  time,
} from "./names.ts"
import { element, type Xml } from "./xml.ts"

export function status(
  name: string,
  { indication, subIndication, reasons }: Verdict | BlockReport,
  chain?: ChainReport,
): Xml {
  return element(
    name,
    {},
    element("MainIndication", {}, mainIndication(indication)),
    subIndication && element("SubIndication", {}, subIndicationName(subIndication)),
    reportData(subIndication, reasons, chain),
  )
}

function reportData(
  subIndication: Verdict["subIndication"],
  reasons: readonly Reason[],
  chain: ChainReport | undefined,
): Xml | undefined {
  const parts = [
    chain && certificateChain(chain),
    revocationStatus(subIndication, reasons, chain),
    reasons.length === 0
      ? undefined
      : element("AdditionalValidationReportData", {}, reasons.map(reportedReason)),
  ]
  return parts.every((part) => part === undefined)
    ? undefined
    : element("AssociatedValidationReportData", {}, parts)
}

function certificateChain({ fingerprints, isAnchored }: ChainReport): Xml | undefined {
  const [signer, ...above] = fingerprints.map(certificateId)
  if (signer === undefined) return undefined
  const anchor = isAnchored ? above.pop() : undefined
  return element(
    "CertificateChain",
    {},
    reference("SigningCertificate", signer),
    above.map((id) => reference("IntermediateCertificate", id)),
    anchor && reference("TrustAnchor", anchor),
  )
}

// Only of the signer's own certificate is it known here which one was revoked.
function revocationStatus(
  subIndication: Verdict["subIndication"],
  reasons: readonly Reason[],
  chain: ChainReport | undefined,
): Xml | undefined {
  const [signer] = chain?.fingerprints ?? []
  const why = reasons.find(({ code }) => code === "revoked")?.values
  const isSigner = subIndication === "REVOKED" || subIndication === "REVOKED_NO_POE"
  if (!isSigner || signer === undefined || why?.since === undefined || !isWritable(why.since))
    return undefined
  return element(
    "RevocationStatusInformation",
    {},
    reference("ValidationObjectId", certificateId(signer)),
    time("RevocationTime", why.since),
    why.reason && element("RevocationReason", {}, `urn:etsi:019102:revocationReason:${why.reason}`),
  )
}

function reportedReason(reason: Reason): Xml {
  return element(
    "ReportData",
    {},
    element("Type", {}, `${OURS}:reason:${reason.weight}:${reason.code}`),
    element("Value", { "xsi:type": "xs:string" }, sayReason(reason, "en")),
  )
}

/** What one building block said, as a constraint that was applied. */
export function constraint(report: BlockReport): Xml {
  return element(
    "ValidationConstraint",
    {},
    element("ValidationConstraintIdentifier", {}, `${OURS}:block:${report.block}`),
    element("ConstraintStatus", {}, element("Status", {}, APPLIED)),
    status("ValidationStatus", report),
  )
}
