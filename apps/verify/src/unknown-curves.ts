// A signature on a curve that the page does not know was looked at by nobody: it is not a wrong one. What was found is told anew.

import type { DocumentReport, SignatureReport, TimestampReport, Verdict } from "@paraph/validation/report"
import { type Verified, type VerifiedDocument, worst } from "@paraph/verifying/verified"

/** Whether the key of a certificate, in DER, is one that the page cannot use. */
export type IsUnknown = (certificate: Uint8Array) => boolean

/** Only what was signed with such a key: a signature that is wrong stays wrong, whatever else is in the files. */
export function withoutUnknown(verified: Verified, isUnknown: IsUnknown): Verified {
  const documents = verified.documents.map((document) => softened(document, isUnknown))
  const { stories, others } = verified
  const standings = [...documents, ...stories].map(({ standing }) => standing)
  return {
    ...verified,
    documents,
    standing: worst([...standings, ...others.map(() => "unsure" as const), "unsure"]),
  }
}

function softened(document: VerifiedDocument, isUnknown: IsUnknown): VerifiedDocument {
  const { report, standing } = document
  if (report === null || standing !== "fails") return document
  const unknown = new Set(
    (report.certificates ?? [])
      .filter(({ der }) => isUnknown(Buffer.from(der, "base64")))
      .map(({ fingerprint }) => fingerprint),
  )
  const undecided = <T extends Judged>(verdict: T): T =>
    unknown.has(verdict.certificate?.fingerprint ?? "") ? unjudged(verdict) : verdict
  const signatures = report.signatures.map(
    (one): SignatureReport => ({
      ...undecided(one),
      timestamps: one.timestamps.map(undecided),
    }),
  )
  const isWrong = signatures.some(({ indication }) => indication === "TOTAL-FAILED")
  const told: DocumentReport = { ...report, signatures, timestamps: report.timestamps.map(undecided) }
  if (isWrong) return { ...document, report: told }
  const { subIndication: _, ...rest } = told
  return {
    ...document,
    standing: "unsure",
    report: { ...rest, indication: "INDETERMINATE", subIndication: WHY },
  }
}

type Judged = Verdict & Pick<SignatureReport | TimestampReport, "certificate">

const WHY = "CRYPTO_CONSTRAINTS_FAILURE_NO_POE"

/** Whether the value is the key's is what nobody could say; every other fault stays one. */
function unjudged<T extends Verdict>(verdict: T): T {
  if (verdict.subIndication !== "SIG_CRYPTO_FAILURE") return verdict
  const reasons = [{ code: "algorithm-unknown", weight: "fail" }] as const
  return { ...verdict, indication: "INDETERMINATE", subIndication: WHY, reasons }
}
