// The revocation statuses of every certificate that a document mentions, evaluated once each.

import type { Certificate } from "@paraph/pki/certificate"
import type { Crl } from "@paraph/pki/crl"
import { nameKey } from "@paraph/pki/name"
import type { BasicOcspResponse } from "@paraph/pki/ocsp-response"
import type { CertificatePath } from "@paraph/pki/path-validation"
import { statusesByCrl } from "./crl-status.ts"
import { statusesByOcsp } from "./ocsp-status.ts"
import { decisiveStatus, type RevocationStatus } from "./revocation-status.ts"

export type RevocationIndex = {
  readonly responsesBySerialNumber: ReadonlyMap<bigint, readonly BasicOcspResponse[]>
  readonly crlsByIssuer: ReadonlyMap<string, readonly Crl[]>
  readonly certificates: readonly Certificate[]
  /** A good status that was made later than this comes from the future, and counts for nothing. */
  readonly latest: Date
  readonly known: Map<Certificate, Map<Certificate | undefined, readonly RevocationStatus[]>>
}

export function indexRevocation(
  responses: readonly BasicOcspResponse[],
  crls: readonly Crl[],
  certificates: readonly Certificate[],
  latest: Date,
): RevocationIndex {
  const responsesBySerialNumber = new Map<bigint, BasicOcspResponse[]>()
  for (const response of responses)
    for (const number of new Set(response.responses.map(({ certId }) => certId.serialNumber))) {
      const known = responsesBySerialNumber.get(number)
      if (known === undefined) responsesBySerialNumber.set(number, [response])
      else known.push(response)
    }
  const crlsByIssuer = Map.groupBy(crls, ({ issuer }) => nameKey(issuer))
  return { responsesBySerialNumber, crlsByIssuer, certificates, latest, known: new Map() }
}

/**
 * Of the certificate at the position of a path; the newest first. An OCSP response may be made from older knowledge, so
 * thisUpdate counts and not producedAt (RFC 6960, 2.4).
 */
export function statusesOf(
  index: RevocationIndex,
  path: CertificatePath,
  position: number,
  waiting: readonly Certificate[] = [],
): readonly RevocationStatus[] {
  const certificate = path.certificates[position]
  if (certificate === undefined) return []
  const issuer = path.certificates[position - 1]
  const known = index.known.get(certificate)?.get(issuer)
  if (known !== undefined) return known
  const ocsp = {
    responses: index.responsesBySerialNumber.get(certificate.serialNumber) ?? [],
    certificates: index.certificates,
    isResponderGood: (responder: Certificate) => isResponderGood(index, path, position, responder, waiting),
  }
  const statuses = [...statusesByOcsp(ocsp, path, position), ...statusesByCrl(index, path, position)]
    .flatMap((one) => notFromTheFuture(one, index.latest))
    .toSorted((a, b) => b.thisUpdate.getTime() - a.thisUpdate.getTime() || rank(a) - rank(b))
  // Statuses of a responder that is still being checked are incomplete, and are not remembered.
  if (waiting.length === 0) {
    const byIssuer =
      index.known.get(certificate) ?? new Map<Certificate | undefined, readonly RevocationStatus[]>()
    byIssuer.set(issuer, statuses)
    index.known.set(certificate, byIssuer)
  }
  return statuses
}

// RFC 6960 does not state how deep responders may depend upon each other.
const MAX_DEPTH = 3

// RFC 6960, 4.2.2.2.1: a delegate without ocsp-nocheck must not be revoked either, and cannot vouch for itself.
function isResponderGood(
  index: RevocationIndex,
  path: CertificatePath,
  position: number,
  responder: Certificate,
  waiting: readonly Certificate[],
): boolean {
  const isWaiting = waiting.some(
    (one) => one === responder || Buffer.compare(one.publicKeySpki, responder.publicKeySpki) === 0,
  )
  const certificate = path.certificates[position]
  if (certificate === undefined || isWaiting || waiting.length >= MAX_DEPTH) return false
  const delegated = { ...path, certificates: [...path.certificates.slice(0, position), responder] }
  return decisiveStatus(statusesOf(index, delegated, position, [...waiting, certificate]))?.status === "good"
}

/** A good status from the future counts for nothing. A revocation that took place already counts, whenever it was stated. */
function notFromTheFuture(one: RevocationStatus, latest: Date): readonly RevocationStatus[] {
  const { status, since, madeAt, thisUpdate } = one
  if (madeAt <= latest && thisUpdate <= latest) return [one]
  const hasTakenPlace = status === "revoked" && (since === undefined || since <= latest)
  return hasTakenPlace ? [{ ...one, isSound: false }] : []
}

function rank({ status }: RevocationStatus): number {
  return status === "revoked" ? 0 : 1
}
