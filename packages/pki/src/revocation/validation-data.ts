// What a validator will need years later, offline (EN 319 142-1, 5.4; EN 319 102-1, 5.5): the certificates of every path
// and, for each of them but the anchor, somebody's word that it was not revoked. Nothing is collected that was not
// checked: a wrong answer is an error now, not a surprise for whoever opens the document then.

import type { Certificate } from "../certificate/certificate.ts"
import {
  hasOcspNoCheck,
  readAuthorityInfoAccess,
  readBasicConstraints,
  readExtendedKeyUsage,
} from "../certificate/extensions.ts"
import { readableCertificates } from "../certificate/readable-certificates.ts"
import { DerError } from "../der/der.ts"
import { findPath } from "../path/path.ts"
import type { CertificatePath } from "../path/path-validation.ts"
import {
  type Evidence,
  type EvidenceSearch,
  findEvidence,
  type RevocationPorts,
} from "./revocation-evidence.ts"

export type ValidationTarget = {
  readonly certificate: Certificate
  /** When it was used, as far as that is proved: the time-stamp over the signature, or now. */
  readonly at: Date
}

export type ValidationData = {
  /** DER, each. */
  readonly certificates: readonly Uint8Array[]
  readonly ocspResponses: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
}

export type CollectOptions = {
  readonly now: Date
  readonly anchors: readonly Certificate[]
  /** What is at hand: certificates to build paths from (DER), and answers that may still speak for a target. */
  readonly known: EvidenceSearch["known"] & { readonly certificates: readonly Uint8Array[] }
  readonly ports: RevocationPorts
}

export type ValidationDataFailedCode =
  | "no-path"
  | "revoked"
  | "no-revocation-information"
  | "too-many"
  | "malformed"

export class ValidationDataFailed extends Error {
  readonly code: ValidationDataFailedCode
  constructor(code: ValidationDataFailedCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "ValidationDataFailed"
    this.code = code
  }
}

// A document signed by hundreds has hundreds of signers; each brings a path and a responder.
const MAX_CERTIFICATES = 2_000

type Asked = ValidationTarget & {
  /** Responders that wait for the answer about this one. */
  readonly waiting: readonly Certificate[]
}
type Answered = { readonly usedAt: Date; readonly evidence: Extract<Evidence, { found: true }> }

export async function collectValidationData(
  targets: readonly ValidationTarget[],
  options: CollectOptions,
): Promise<ValidationData> {
  const pool = [...readableCertificates(options.known.certificates)]
  const certificates = new Map<string, Certificate>()
  const answered = new Map<string, Answered>()
  const queue: Asked[] = targets.map((target) => ({ ...target, waiting: [] }))
  for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
    const { path, anchor } = await pathOf(target, pool, options)
    for (const one of [anchor, ...path.certificates]) certificates.set(keyOf(one), one)
    if (certificates.size > MAX_CERTIFICATES)
      throw new ValidationDataFailed("too-many", "The signatures need too many certificates.")
    for (const [position, certificate] of path.certificates.entries()) {
      const earlier = answered.get(keyOf(certificate))
      // An answer covers every use before the one that it was sought for, and none after it.
      if ((earlier !== undefined && earlier.usedAt >= target.at) || isNeverRevoked(certificate)) continue
      const issuer = path.certificates[position - 1] ?? anchor
      const { at: usedAt, waiting } = target
      const search = { ...options, path, position, issuer, usedAt, waiting, intermediates: pool }
      const evidence = await findEvidence(search)
      if (!evidence.found) throw failed(certificate, evidence)
      answered.set(keyOf(certificate), { usedAt, evidence })
      const { responder } = evidence
      if (responder === undefined) continue
      certificates.set(keyOf(responder.certificate), responder.certificate)
      if (responder.needsCheck) queue.push({ ...responder, waiting: [...waiting, responder.certificate] })
    }
  }
  const good = [...answered.values()].map(({ evidence }) => evidence)
  return {
    certificates: [...certificates.values()].map(({ der }) => der),
    ocspResponses: good.flatMap(({ ocspResponses }) => ocspResponses),
    crls: good.flatMap(({ crls }) => crls),
  }
}

// Four intermediates that nobody brought along are more than any authority has.
const MAX_FETCHED = 4

async function pathOf(
  { certificate, at }: ValidationTarget,
  pool: Certificate[],
  { anchors, ports }: CollectOptions,
): Promise<{ readonly path: CertificatePath; readonly anchor: Certificate }> {
  let lacking = certificate
  for (let fetched = 0; ; fetched++) {
    const found = findPath(certificate, { intermediates: pool, anchors, at })
    const anchor = found.valid ? anchors.find((one) => one === found.path.anchor) : undefined
    if (found.valid && anchor !== undefined) return { path: found.path, anchor }
    const issuer = fetched < MAX_FETCHED ? await fetchIssuer(lacking, ports) : undefined
    if (issuer === undefined) {
      const why = found.valid ? "no-path" : found.reason
      const detail = `${certificate.subjectName} cannot be traced to an anchor: ${why}.`
      throw new ValidationDataFailed("no-path", detail)
    }
    pool.push(issuer)
    lacking = issuer
  }
}

async function fetchIssuer(
  certificate: Certificate,
  { fetchCertificate }: RevocationPorts,
): Promise<Certificate | undefined> {
  const [url] =
    wellFormed(certificate, ({ extensions }) => readAuthorityInfoAccess(extensions))?.caIssuers ?? []
  if (url === undefined || fetchCertificate === undefined) return undefined
  const der = await fetchCertificate(url).catch(() => undefined)
  return der === undefined ? undefined : readableCertificates([der])[0]
}

const NO_REVOCATION_AVAILABLE = "2.5.29.56"
const SHORT_TERM = "0.4.0.194121.2.1"
const SHORT_TERM_DAYS = 14
const DAY_MS = 86_400_000
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"

/** A certificate that says of itself that nobody will ever revoke it. No authority may (RFC 9608, 2). */
function isNeverRevoked(certificate: Certificate): boolean {
  return wellFormed(certificate, ({ extensions, notBefore, notAfter }) => {
    if (readBasicConstraints(extensions)?.ca === true) return false
    const has = (wanted: string) => extensions.some(({ id }) => id === wanted)
    // RFC 6960, 4.2.2.2.1.
    const isResponder = readExtendedKeyUsage(extensions)?.includes(OCSP_SIGNING) === true
    if (isResponder && hasOcspNoCheck(extensions)) return true
    // EN 319 412-1, 5.2: over before a revocation would be known.
    const days = (notAfter.getTime() - notBefore.getTime()) / DAY_MS
    return has(NO_REVOCATION_AVAILABLE) || (has(SHORT_TERM) && days <= SHORT_TERM_DAYS)
  })
}

function wellFormed<T>(certificate: Certificate, read: (certificate: Certificate) => T): T {
  try {
    return read(certificate)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    const detail = `The certificate of ${certificate.subjectName} is malformed: ${error.message}.`
    throw new ValidationDataFailed("malformed", detail, { cause: error })
  }
}

function failed(
  { subjectName }: Certificate,
  evidence: Exclude<Evidence, { found: true }>,
): ValidationDataFailed {
  if ("revokedSince" in evidence) {
    const since = evidence.revokedSince.toISOString()
    return new ValidationDataFailed("revoked", `The certificate of ${subjectName} was revoked at ${since}.`)
  }
  const why = evidence.why.length === 0 ? "it names no source" : evidence.why.join("; ")
  return new ValidationDataFailed(
    "no-revocation-information",
    `Nobody says that the certificate of ${subjectName} is not revoked: ${why}.`,
  )
}

function keyOf({ der }: Certificate): string {
  return Buffer.from(der).toString("latin1")
}
