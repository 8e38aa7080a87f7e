// Signature acceptance validation (EN 319 102-1, 5.2.8): what the policy wants of the signature's own attributes.

import type { Certificate } from "@paraph/pki/certificate"
import type { Context } from "../context.ts"
import { claimedTime } from "../material/claimed-time.ts"
import type { Mark } from "../material/material.ts"
import { byLevel, firstFault, indeterminate, type Outcome, PASSED } from "../outcome.ts"
import { isValidAt, shown } from "./certificate.ts"

export function acceptMark(
  { policy: { signature } }: Context,
  mark: Mark,
  certificate: Certificate | undefined,
  namesCertificate: boolean,
): Outcome {
  const at = claimedTime(mark)
  // ISO 32000-2, 12.8.3.3: the older signatures of PDF need not name their certificate.
  const needsName = mark.pdf.subFilter === "ETSI.CAdES.detached"
  return firstFault(
    () =>
      byLevel(signature.signingTime, at !== undefined, (say) =>
        indeterminate("SIG_CONSTRAINTS_FAILURE", say("no-signing-time")),
      ),
    () =>
      byLevel(
        signature.signingTimeInCertificateValidity,
        at === undefined || certificate === undefined || isValidAt(certificate, at),
        (say) =>
          indeterminate(
            "SIG_CONSTRAINTS_FAILURE",
            say("signing-time-outside-certificate", {
              certificate: shown(certificate),
              time: at?.toISOString() ?? "",
            }),
          ),
      ),
    () =>
      byLevel(
        needsName ? signature.signingCertificateAttribute : "note",
        namesCertificate || certificate === undefined,
        (say) => indeterminate("SIG_CONSTRAINTS_FAILURE", say("certificate-not-named")),
      ),
    () => PASSED,
  )
}
