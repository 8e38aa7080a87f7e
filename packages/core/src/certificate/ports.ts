import type { Kind } from "../signature-request/model.ts"

/** For whom a certificate is asked: a signer, for one signature, or a company, for its seal. */
export type CertificateOrder = {
  /** The signature or seal that it is for: the same order twice answers the same certificate. */
  readonly id: string
  readonly kind: Kind
  readonly subject: CertificateSubject
  readonly keyLabel: string
  readonly publicKeySpki: Uint8Array
  readonly notAfter: Date
  /** Who established the name of the subject; null where it was only stated. */
  readonly nameProof: NameStatement | null
}

/** What the certificate states of it. A member of the business is not named there. */
export type NameStatement = {
  readonly by: "identification" | "member"
  readonly provider: string | null
  readonly at: Date
}

/** EN 319 412-2, 4.2.4 (a natural person) and 412-3, 4.2.1 (a company). */
export type CertificateSubject = {
  readonly commonName: string
  readonly givenName: string | null
  readonly surname: string | null
  readonly organization: string | null
  readonly country: string | null
  /** Tells people of the same name apart. */
  readonly serialNumber: string | null
}

/** DER, and the issuers from the nearest on. */
export type IssuedCertificate = {
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
}

export type IssueCertificate = (order: CertificateOrder, now: Date) => Promise<IssuedCertificate>
