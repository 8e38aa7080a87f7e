// What the answers and lists at hand say of one certificate, each taken for what it was when it was made. Whether it is
// recent enough, and whether its algorithms still count, is for the blocks to say (EN 319 102-1, 5.2.5 and 5.2.6).

import type { Certificate } from "@paraph/pki/certificate"
import { checkOcsp } from "@paraph/pki/check-ocsp"
import type { Crl } from "@paraph/pki/crl"
import { EXTENSION } from "@paraph/pki/extensions"
import { nameKey } from "@paraph/pki/name"
import type { BasicOcspResponse } from "@paraph/pki/ocsp-response"
import { type CertificatePath, keyAt } from "@paraph/pki/path-validation"
import { checkByCrl } from "@paraph/pki/revocation-by-crl"
import type { RevocationReason } from "@paraph/pki/revocation-reason"
import { anchorOf } from "../anchor.ts"
import { type AlgorithmUse, algorithmUse } from "../policy/reliability.ts"

export type Word = {
  /** What proofs of existence are about. */
  readonly source: BasicOcspResponse | Crl
  readonly status: "good" | "revoked"
  /** Of a revocation. */
  readonly since?: Date
  readonly reason?: RevocationReason
  /** When it was made: producedAt of an answer, thisUpdate of a list. */
  readonly madeAt: Date
  readonly thisUpdate: Date
  readonly nextUpdate?: Date
  /** Who signed it; undefined where the anchor did. */
  readonly signedBy: Certificate | undefined
  readonly use: AlgorithmUse
}

export type WordSource = {
  readonly answersBySerialNumber: ReadonlyMap<bigint, readonly BasicOcspResponse[]>
  readonly listsByIssuer: ReadonlyMap<string, readonly Crl[]>
  readonly certificates: readonly Certificate[]
  readonly known: Map<Certificate, Map<Certificate | undefined, readonly Word[]>>
}

// Of those about one certificate only so many are judged, the newest first: each costs a verification.
const MAX_JUDGED = 64

export function wordSource(
  answers: readonly BasicOcspResponse[],
  lists: readonly Crl[],
  certificates: readonly Certificate[],
): WordSource {
  const answersBySerialNumber = new Map<bigint, BasicOcspResponse[]>()
  for (const answer of answers)
    for (const number of new Set(answer.responses.map(({ certId }) => certId.serialNumber))) {
      const known = answersBySerialNumber.get(number)
      if (known === undefined) answersBySerialNumber.set(number, [answer])
      else known.push(answer)
    }
  const listsByIssuer = Map.groupBy(lists, ({ issuer }) => nameKey(issuer))
  return { answersBySerialNumber, listsByIssuer, certificates, known: new Map() }
}

/** Of the certificate at the position of a path; the newest first. */
export function wordsAbout(
  source: WordSource,
  path: CertificatePath,
  position: number,
  waiting: readonly Certificate[] = [],
): readonly Word[] {
  const certificate = path.certificates[position]
  if (certificate === undefined) return []
  const issuer = path.certificates[position - 1]
  const known = source.known.get(certificate)?.get(issuer)
  if (known !== undefined) return known
  const words = [...byAnswers(source, path, position, waiting), ...byLists(source, path, position)].toSorted(
    (a, b) => b.madeAt.getTime() - a.madeAt.getTime(),
  )
  // What was found while somebody waited may lack what only they could have said.
  if (waiting.length === 0) {
    const byIssuer = source.known.get(certificate) ?? new Map<Certificate | undefined, readonly Word[]>()
    byIssuer.set(issuer, words)
    source.known.set(certificate, byIssuer)
  }
  return words
}

/**
 * The one that decides, of words with the newest first. Revoked is for ever (RFC 5280, 5.3.1), so a later "good" is of
 * somebody who has not heard of it yet; only a hold can end.
 */
export function decisiveWord(words: readonly Word[]): Word | undefined {
  return words.find(({ status, reason }) => status === "revoked" && reason !== "certificateHold") ?? words[0]
}

// RFC 6960 does not say how deep responders may depend upon each other.
const MAX_DEPTH = 3

function byAnswers(
  source: WordSource,
  path: CertificatePath,
  position: number,
  waiting: readonly Certificate[],
): readonly Word[] {
  const certificate = path.certificates[position]
  const issuer = path.certificates[position - 1] ?? anchorOf(path)
  if (certificate === undefined || issuer === undefined) return []
  const answers = newest(
    source.answersBySerialNumber.get(certificate.serialNumber) ?? [],
    (one) => one.producedAt,
  )
  return answers.flatMap((answer): readonly Word[] => {
    const verdict = checkOcsp(
      { status: "successful", basic: answer },
      {
        certificate,
        issuer,
        at: answer.producedAt,
        certificates: source.certificates,
        algorithms: "any",
        maxAgeMs: Infinity,
      },
    )
    if (verdict.status === "refused" || verdict.status === "unknown") return []
    const { thisUpdate, archiveCutoff, responderCertificate: responder, responderNeedsCheck } = verdict
    if (!isAbout(certificate, thisUpdate, archiveCutoff)) return []
    // RFC 6960, 4.2.2.2.1: a delegate without ocsp-nocheck must not be revoked either, and cannot be its own witness.
    if (responderNeedsCheck) {
      const isWaiting = waiting.some(
        (one) => one === responder || isSame(one.publicKeySpki, responder.publicKeySpki),
      )
      if (isWaiting || waiting.length >= MAX_DEPTH) return []
      const delegated = { ...path, certificates: [...path.certificates.slice(0, position), responder] }
      const decisive = decisiveWord(wordsAbout(source, delegated, position, [...waiting, certificate]))
      if (decisive?.status !== "good") return []
    }
    const isIssuer = isSame(responder.der, issuer.der)
    return [
      {
        source: answer,
        status: verdict.status,
        ...(verdict.status === "revoked" && { since: verdict.revokedAt }),
        ...(verdict.status === "revoked" && verdict.reason && { reason: verdict.reason }),
        madeAt: answer.producedAt,
        thisUpdate,
        ...(verdict.nextUpdate && { nextUpdate: verdict.nextUpdate }),
        signedBy:
          isIssuer && position === 0 ? undefined : isIssuer ? path.certificates[position - 1] : responder,
        use: algorithmUse(answer.signatureAlgorithm, responder.publicKeySpki),
      },
    ]
  })
}

// Made before the certificate was, it cannot know of it; made after the certificate had ended, it may have forgotten it,
// unless it says that it remembers.
function isAbout({ notBefore, notAfter }: Certificate, thisUpdate: Date, remembersSince?: Date): boolean {
  const since = remembersSince !== undefined && remembersSince < thisUpdate ? remembersSince : thisUpdate
  return notBefore <= thisUpdate && notAfter >= since
}

function byLists(source: WordSource, path: CertificatePath, position: number): readonly Word[] {
  const certificate = path.certificates[position]
  if (certificate === undefined) return []
  const own = source.listsByIssuer.get(nameKey(certificate.issuer)) ?? []
  const others = [...source.listsByIssuer.values()].flat().filter((list) => !own.includes(list))
  // That a list remembers certificates which have ended, it says in an extension, and is judged by whoever reads the list.
  const lists = newest(
    [...own, ...others].filter(({ thisUpdate }) => certificate.notBefore <= thisUpdate),
    (list) => list.thisUpdate,
  )
  return lists.flatMap((list): readonly Word[] => {
    // A list alone is judged as of its own time; one that continues another, or has only some reasons, with the rest.
    const needsOthers = list.extensions.some(
      ({ id }) => id === EXTENSION.deltaCRLIndicator || id === EXTENSION.issuingDistributionPoint,
    )
    const status = checkByCrl({
      path,
      position,
      crls: needsOthers ? lists : [list],
      at: list.thisUpdate,
      intermediates: source.certificates,
      algorithms: "any",
    })
    if (status.status === "undetermined") return []
    const signer = signerOf(list, path, position, source)
    return [
      {
        source: list,
        status: status.status,
        ...(status.status === "revoked" && { since: status.revokedAt }),
        ...(status.status === "revoked" && status.reason && { reason: status.reason }),
        madeAt: list.thisUpdate,
        thisUpdate: list.thisUpdate,
        ...(list.nextUpdate && { nextUpdate: list.nextUpdate }),
        signedBy: signer.certificate,
        use: algorithmUse(list.signatureAlgorithm, signer.publicKeySpki),
      },
    ]
  })
}

function signerOf(
  { issuer }: Crl,
  path: CertificatePath,
  position: number,
  { certificates }: WordSource,
): { readonly certificate: Certificate | undefined; readonly publicKeySpki: Uint8Array } {
  const above = path.certificates[position - 1]
  if (nameKey(issuer) === nameKey(above?.subject ?? path.anchor.subject))
    return { certificate: above, publicKeySpki: keyAt(path, position - 1) }
  const other = certificates.find(({ subject }) => nameKey(subject) === nameKey(issuer))
  return { certificate: other, publicKeySpki: other?.publicKeySpki ?? keyAt(path, position - 1) }
}

function newest<T>(items: readonly T[], at: (item: T) => Date): readonly T[] {
  return items.toSorted((a, b) => at(b).getTime() - at(a).getTime()).slice(0, MAX_JUDGED)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
