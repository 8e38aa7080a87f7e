// The process that judges the signatures of one PDF. Whom to trust it is told, or asks; it has no network of its own.

import type { Source } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import type { ValidationPolicy } from "@paraph/validation/policy"
import type { Legislation } from "@paraph/validation/report"
import type { TrustPurpose } from "@paraph/validation/trust"
import { namesIn } from "@paraph/validation/trust-store"
import type { TrustService } from "@paraph/validation/trusted-list"
import { type Validated, validatePdf } from "@paraph/validation/validate"
import { type AskOutside, answerOnce, type Done, type JudgeQuestion } from "./answer.ts"

export type ValidateAsked = {
  readonly type: "validate"
  readonly now: Date
  readonly policy: ValidationPolicy
  readonly anchors: readonly AnchorTold[]
  /** Whether what is missing may be asked for. */
  readonly online: boolean
}

/** A trust anchor of `@paraph/validation/trust`, with its certificate as DER. */
export type AnchorTold = {
  readonly certificate: Uint8Array
  readonly purposes?: readonly TrustPurpose[]
  readonly quality?: "AES"
  readonly legislation?: Legislation
  readonly except?: readonly string[]
}

/** With what it took of the processor. */
export type Judged = Validated & { readonly processorMs: number }

answerOnce<ValidateAsked>(validate)

async function validate(
  asked: ValidateAsked,
  document: Source,
  outside: AskOutside<JudgeQuestion>,
): Promise<Done> {
  const start = process.cpuUsage()
  const { now, policy, online } = asked
  const anchors = asked.anchors.map((anchor) => ({
    ...anchor,
    certificate: readCertificate(anchor.certificate),
  }))
  const validated = await validatePdf(document, {
    now,
    policy,
    anchors,
    servicesFor: async (certificates) => {
      const names = namesIn(certificates)
      if (names.length === 0) return []
      const told = await outside({ of: "services", names })
      return JSON.parse(Buffer.from(told).toString("utf8")) as readonly TrustService[]
    },
    ...(online && {
      revocation: {
        askOcsp: (url, request) => outside({ of: "ocsp", url, body: request }),
        fetchCrl: (url) => outside({ of: "crl", url }),
        fetchCertificate: (url) => outside({ of: "certificate", url }),
      },
    }),
  })
  const { user, system } = process.cpuUsage(start)
  const value: Judged = { ...validated, processorMs: (user + system) / 1_000 }
  return { value }
}
