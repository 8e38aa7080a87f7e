// Who may sign a CRL, and did (RFC 5280, 6.3.3 (f) and (g)): the issuer of the certificate, or somebody whose own path
// leads to the same anchor and of whom nothing is revoked. The pool of certificates is hostile, so the work is bounded.

import { readPublicKey, verificationCost } from "../algorithm/public-key.ts"
import { readSignatureScheme, verifySignature } from "../algorithm/verify-signature.ts"
import { type AlgorithmPolicy, isTooWeak } from "../algorithm/weakness.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { readCrlDistributionPoints } from "../certificate/distribution-point.ts"
import { readAuthorityKeyIdentifier, readKeyUsage } from "../certificate/extensions.ts"
import { sameName } from "../certificate/name.ts"
import { DerError } from "../der/der.ts"
import { buildPaths } from "../path/path-building.ts"
import { type CertificatePath, keyAt, validatePath } from "../path/path-validation.ts"
import type { Crl } from "./crl.ts"

export type CrlSearch = {
  readonly path: CertificatePath
  readonly position: number
  readonly crls: readonly Crl[]
  readonly at: Date
  readonly toleranceMs?: number
  readonly intermediates?: readonly Certificate[]
  readonly algorithms?: AlgorithmPolicy
  readonly times?: "checked" | "unchecked"
  /** The certificates whose status waits for this answer. */
  readonly asking: readonly Certificate[]
  /** `isSpent` tells that something was not looked at for lack of work left. */
  readonly work: { left: number; isSpent: boolean }
}

/** As many as signatures on P-256 would be; a list costs five more for every megabyte, the search for a path twenty. */
export const MAX_WORK = 1000
const SEARCH_COST = 20
// A search that fails has cost as much as one may; issuers of CRLs stand next to the authority.
const SEARCH_LIMITS = { maxSteps: 100, maxSignatures: 100 }
/** RFC 5280 does not say how deep CRL issuers may depend upon each other. */
const MAX_DEPTH = 4
const MAX_PATHS = 10

export function isSignedByIssuer(
  crl: Crl,
  search: CrlSearch,
  isGood: (path: CertificatePath, position: number) => boolean,
): boolean {
  const { path, position, intermediates = [] } = search
  const issuer = path.certificates[position - 1]
  if (sameName(crl.issuer, issuer?.subject ?? path.anchor.subject)) {
    const mayHaveSigned = issuer === undefined || maySign(issuer)
    if (mayHaveSigned && isSignedBy(crl, keyAt(path, position - 1), search)) return true
  }
  if (search.asking.length > MAX_DEPTH) return false
  const candidates = [...path.certificates, ...intermediates].filter(
    (one) => sameName(one.subject, crl.issuer) && maySign(one),
  )
  return hintedFirst(crl, candidates).some(
    (one) => isSignedBy(crl, one.publicKeySpki, search) && isTrusted(one, search, isGood),
  )
}

// RFC 5280, 5.2.1: the list says which key it is signed with. That is a hint, so the others come too.
function hintedFirst({ extensions }: Crl, candidates: readonly Certificate[]): readonly Certificate[] {
  const hint = readAuthorityKeyIdentifier(extensions)?.keyIdentifier
  if (hint === undefined) return candidates
  const isHinted = ({ subjectKeyIdentifier: own }: Certificate) => !!own && Buffer.from(own).equals(hint)
  return [...candidates.filter(isHinted), ...candidates.filter((one) => !isHinted(one))]
}

/** Whether the list, as the key signed it, would prove nothing today. */
export function isSignedWeakly(
  { signatureAlgorithm }: Crl,
  publicKeySpki: Uint8Array,
  { algorithms }: CrlSearch,
): boolean {
  const scheme = readSignatureScheme(signatureAlgorithm)
  return scheme !== undefined && isTooWeak(scheme, publicKeySpki, algorithms)
}

function isSignedBy(crl: Crl, publicKeySpki: Uint8Array, search: CrlSearch): boolean {
  if (isSignedWeakly(crl, publicKeySpki, search)) return false
  const cost = verificationCost(readPublicKey(publicKeySpki)) + Math.floor((crl.tbs.length * 5) / 2 ** 20)
  if (!spend(search, cost)) return false
  const { signatureAlgorithm: algorithm, tbs: signed, signature: value } = crl
  return verifySignature({ algorithm, publicKeySpki, signed, value })
}

function spend({ work }: CrlSearch, cost: number): boolean {
  if (work.left < cost) {
    work.isSpent = true
    return false
  }
  work.left -= cost
  return true
}

// RFC 5280, 4.2.1.3: whoever has a key usage needs cRLSign.
function maySign({ extensions }: Certificate): boolean {
  try {
    return readKeyUsage(extensions)?.includes("cRLSign") !== false
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

function isTrusted(
  issuer: Certificate,
  search: CrlSearch,
  isGood: (path: CertificatePath, position: number) => boolean,
): boolean {
  const { intermediates = [], path: main, asking } = search
  const at = search.times === "unchecked" ? "any-time" : search.at
  const waiting = asking.at(-1)
  // The authority may have its CRL issuer answer for itself, too, if the certificate says so; no other circle counts.
  if (waiting !== undefined && isSame(issuer, waiting)) return namesItself(issuer)
  if (asking.some((one) => isSame(one, issuer))) return false
  // What stands above in the path that we were asked about is the caller's to ask about.
  const above = main.certificates.slice(0, search.position)
  const policy = search.algorithms === undefined ? {} : { algorithms: search.algorithms }
  const pool = { intermediates: [...main.certificates, ...intermediates], anchors: [main.anchor], ...policy }
  if (!spend(search, SEARCH_COST)) return false
  let tried = 0
  for (const path of buildPaths(issuer, { ...pool, limits: SEARCH_LIMITS })) {
    if (tried++ >= MAX_PATHS || !spend(search, 1)) return false
    if (!validatePath(path, { at, ...policy }).valid) continue
    const isSound = (certificate: Certificate, position: number) =>
      above.some((one) => isSame(one, certificate)) || isGood(path, position)
    if (path.certificates.every(isSound)) return true
  }
  return false
}

function isSame(one: Certificate, other: Certificate): boolean {
  return one === other || Buffer.from(one.der).equals(other.der)
}

function namesItself({ extensions, subject }: Certificate): boolean {
  return (readCrlDistributionPoints(extensions) ?? []).some(({ cRLIssuer = [] }) =>
    cRLIssuer.some((name) => name.form === "directoryName" && sameName(name.name, subject)),
  )
}
