// What a certificate says of itself, as far as its qualification is decided by it (ETSI EN 319 412-5; RFC 5280). A claim: it
// counts as much as the service that issued it is allowed to.

import type { Certificate } from "@paraph/pki/certificate"
import {
  type KeyUsage,
  readCertificatePolicies,
  readExtendedKeyUsage,
  readKeyUsage,
} from "@paraph/pki/extensions"
import { attributesOf } from "@paraph/pki/name"
import { ifReadable } from "@paraph/pki/optional"
import { readStatements } from "@paraph/pki/qc-statements"
import type { CertificateUse, Law } from "../trusted-list/trusted-list.ts"

export type CertificateFacts = {
  readonly issuedAt: number
  /** QcCompliance, whatever the law. */
  readonly isCompliant: boolean
  readonly isInDevice: boolean
  readonly types: readonly CertificateUse[]
  /** QcCClegislation: undefined means the Union's. */
  readonly countries: readonly string[] | undefined
  readonly policies: readonly string[]
  readonly keyUsage: readonly KeyUsage[]
  readonly extendedKeyUsage: readonly string[]
  readonly hasSubjectAttribute: (type: string) => boolean
}

/** Undefined if it cannot be read: then it says nothing. */
export function readFacts(certificate: Certificate): CertificateFacts | undefined {
  const { extensions, subject, notBefore } = certificate
  return ifReadable(() => {
    const statements = readStatements(extensions)
    return {
      issuedAt: notBefore.getTime(),
      isCompliant: statements?.isQualified ?? false,
      isInDevice: statements?.isInDevice ?? false,
      types: statements?.types ?? [],
      countries: statements?.countries,
      policies: (readCertificatePolicies(extensions) ?? []).map(({ policy }) => policy),
      keyUsage: readKeyUsage(extensions) ?? [],
      extendedKeyUsage: readExtendedKeyUsage(extensions) ?? [],
      hasSubjectAttribute: (type) => attributesOf(subject, type).length > 0,
    }
  })
}

// EN 319 412-5, 4.2.4. Swiss certificates of before 2020 cannot have the statement, which is younger: there the Swiss list
// says by which law its service issues. "EU" beside another code is how one certificate claims both.
export function isCompliantWith(law: Law, { isCompliant, countries }: CertificateFacts): boolean {
  return isCompliant && (countries === undefined || countries.includes(law))
}
