// Who may sign a CRL, and did (RFC 5280, 6.3.3 (f) and (g)): the issuer of the certificate, or somebody whose own path
// leads to the same anchor and of whom nothing is revoked. The pool of certificates is hostile, so the work is bounded.

import { verifySignature } from "../algorithm/verify-signature.ts"
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
  readonly intermediates?: readonly Certificate[]
  /** The certificates whose status waits for this answer. */
  readonly asking: readonly Certificate[]
  readonly work: { left: number }
}

/** A signature over a list, or a path for its issuer, costs one, and five for every megabyte of the list. */
export const MAX_WORK = 400
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

function isSignedBy(crl: Crl, publicKeySpki: Uint8Array, { work }: CrlSearch): boolean {
  const cost = 1 + Math.floor((crl.tbs.length * 5) / 2 ** 20)
  if (work.left < cost) return false
  work.left -= cost
  const { signatureAlgorithm: algorithm, tbs: signed, signature: value } = crl
  return verifySignature({ algorithm, publicKeySpki, signed, value })
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
  const { intermediates = [], path: main, at, asking, work } = search
  const waiting = asking.at(-1)
  // The authority may have its CRL issuer answer for itself, too, if the certificate says so; no other circle counts.
  if (waiting !== undefined && isSame(issuer, waiting)) return namesItself(issuer)
  if (asking.some((one) => isSame(one, issuer))) return false
  // What stands above in the path that we were asked about is the caller's to ask about.
  const above = main.certificates.slice(0, search.position)
  const pool = { intermediates: [...main.certificates, ...intermediates], anchors: [main.anchor] }
  let tried = 0
  for (const path of buildPaths(issuer, pool)) {
    if (tried++ >= MAX_PATHS || work.left <= 0) return false
    work.left -= 1
    if (!validatePath(path, { at }).valid) continue
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
