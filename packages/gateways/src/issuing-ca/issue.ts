// Record, then act: serial and order are on record before the issuer's key is used, and whoever comes again finds them.

import { readCertificate } from "@paraph/pki/certificate"
import { type CertificateOrder, issueCertificate, keyIdentifier } from "@paraph/pki/certificate-writer"
import { signAnswer } from "./answers.ts"
import { IssuingFailed } from "./failed.ts"
import type { Authority, DueAnswer, Issued, Kind } from "./records.ts"
import { type Active, type AuthorityWorld, activate, placesOf, serialNumberOf } from "./world.ts"

export type Draft = Pick<
  CertificateOrder,
  | "subject"
  | "publicKeySpki"
  | "keyUsage"
  | "basicConstraints"
  | "extendedKeyUsage"
  | "certificatePolicies"
  | "nameProof"
  | "ocspNoCheck"
> & {
  readonly kind: Kind
  readonly orderId: string
  readonly orderHash: Uint8Array
  readonly notAfter: Date
}

export type Issuance = { readonly certificate: Uint8Array; readonly issuer: Authority }

const FIVE_MINUTES_MS = 300_000
const SERIAL_BYTES = 16

/**
 * Two who ask at once sign the same bytes, and the first certificate on record is the one that both answer. An order that was recorded
 * under an earlier issuer is finished by that one.
 */
export async function issueOnRecord(
  world: AuthorityWorld,
  rows: readonly Authority[],
  first: Active,
  draft: Draft,
  now: Date,
): Promise<Issuance> {
  const issued = await world.records.recordOrder(newOrder(world, first, draft, now), now)
  if (Buffer.compare(issued.orderHash, draft.orderHash) !== 0)
    throw new IssuingFailed("another-order", "This was ordered before, for another name or key.")
  const issuer = issued.issuerId === first.row.id ? first : issuerOf(world, rows, issued)
  if (issued.certificate !== null) return { certificate: issued.certificate, issuer: issuer.row }
  if (issuer.certificate.notAfter < now)
    throw new IssuingFailed("no-authority", "The authority of this order has ended.")
  const signed = await signCertificate(world, issuer, issued, draft)
  const answer = await firstAnswer({ world, rows, now }, issuer, issued, draft)
  return {
    certificate: await world.records.completeOrder(issued, signed, answer),
    issuer: issuer.row,
  }
}

function newOrder(world: AuthorityWorld, { row, certificate }: Active, draft: Draft, now: Date) {
  const begun = Math.max(now.getTime() - FIVE_MINUTES_MS, certificate.notBefore.getTime())
  const ended = Math.min(draft.notAfter.getTime(), certificate.notAfter.getTime())
  if (ended <= now.getTime()) throw new IssuingFailed("no-authority", "The authority has ended.")
  return {
    issuerId: row.id,
    serial: world.randomBytes(SERIAL_BYTES),
    kind: draft.kind,
    orderId: draft.orderId,
    orderHash: draft.orderHash,
    // Clocks of two machines differ; but nothing is older than its issuer.
    notBefore: new Date(begun),
    notAfter: new Date(ended),
  }
}

function issuerOf(world: AuthorityWorld, rows: readonly Authority[], { issuerId }: Issued): Active {
  const row = rows.find(({ id }) => id === issuerId)
  const active = row && activate(world, row)
  if (!active) throw new IssuingFailed("no-authority", "The authority of this order is not there.")
  return active
}

async function signCertificate(world: AuthorityWorld, issuer: Active, issued: Issued, draft: Draft) {
  const { certificate, algorithm, signBytes, row } = issuer
  const { kind: _kind, orderId: _id, orderHash: _hash, notAfter: _end, ...profile } = draft
  const places = placesOf(world, row)
  const hasAnswers = row.role === "issuing"
  const der = await issueCertificate({
    ...profile,
    issuer: certificate.subject,
    serialNumber: serialNumberOf(issued.serial),
    notBefore: issued.notBefore,
    notAfter: issued.notAfter,
    authorityInfoAccess: {
      ...(hasAnswers && !draft.ocspNoCheck && { ocsp: [places.ocsp] }),
      caIssuers: [places.certificate],
    },
    // RFC 6960, 4.2.2.2.1: nobody asks about one who speaks of others; it is short-lived instead.
    ...(!draft.ocspNoCheck && { crlDistributionPoints: [places.list] }),
    authorityKeyIdentifier: certificate.subjectKeyIdentifier ?? keyIdentifier(certificate.publicKeySpki),
    algorithm,
    issuerPublicKeySpki: certificate.publicKeySpki,
    signBytes,
  })
  // It is kept for good: one that nobody could read must not get that far.
  return readCertificate(der).der
}

/** At once, so that whoever is handed the certificate can ask about it. Of those under a root the list speaks alone. */
async function firstAnswer(
  speaking: Parameters<typeof signAnswer>[0],
  issuer: Active,
  issued: Issued,
  { ocspNoCheck }: Draft,
): Promise<DueAnswer> {
  if (issuer.row.role !== "issuing" || ocspNoCheck === true) return { answer: null, dueAt: null }
  return signAnswer(speaking, issuer, issued)
}
