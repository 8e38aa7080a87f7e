// What a validator will need years later, offline (EN 319 142-1, 5.4; EN 319 102-1, 5.5): the certificates of every path
// and, for each of them but the anchor, somebody's word that it was not revoked. Nothing is collected that was not
// checked: a wrong answer is an error now, not a surprise for whoever opens the document then.

import type { Certificate } from "../certificate/certificate.ts"
import { hasOcspNoCheck, readAuthorityInfoAccess, readExtendedKeyUsage } from "../certificate/extensions.ts"
import { readableCertificates } from "../certificate/readable-certificates.ts"
import { buildPaths } from "../path/path-building.ts"
import { type CertificatePath, validatePath } from "../path/path-validation.ts"
import { type Evidence, findEvidence, type RevocationPorts } from "./revocation-evidence.ts"

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
  /** What is at hand: certificates to build paths from, and answers that may still speak for a target. */
  readonly known: ValidationData
  readonly ports: RevocationPorts
}

export type ValidationDataFailedCode = "no-path" | "revoked" | "no-revocation-information" | "too-many"

export class ValidationDataFailed extends Error {
  readonly code: ValidationDataFailedCode
  constructor(code: ValidationDataFailedCode, detail: string) {
    super(detail)
    this.name = "ValidationDataFailed"
    this.code = code
  }
}

// A document signed by hundreds has hundreds of signers; each brings a path and a responder.
const MAX_CERTIFICATES = 2_000

export async function collectValidationData(
  targets: readonly ValidationTarget[],
  options: CollectOptions,
): Promise<ValidationData> {
  const pool = [...readableCertificates(options.known.certificates)]
  const certificates = new Map<string, Certificate>()
  const answered = new Map<string, Evidence>()
  const queue = [...targets]
  for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
    const { path, anchor } = await pathOf(target, pool, options)
    for (const one of [anchor, ...path.certificates]) certificates.set(keyOf(one), one)
    if (certificates.size > MAX_CERTIFICATES)
      throw new ValidationDataFailed("too-many", "The signatures need too many certificates.")
    for (const [position, certificate] of path.certificates.entries()) {
      if (answered.has(keyOf(certificate)) || isNeverRevoked(certificate)) continue
      const issuer = path.certificates[position - 1] ?? anchor
      const search = { ...options, path, position, issuer, usedAt: target.at, intermediates: pool }
      const evidence = await findEvidence(search)
      if (evidence.status !== "good") throw failed(certificate, evidence)
      answered.set(keyOf(certificate), evidence)
      const { responder } = evidence
      if (responder === undefined) continue
      certificates.set(keyOf(responder.certificate), responder.certificate)
      if (responder.needsCheck) queue.push({ certificate: responder.certificate, at: responder.at })
    }
  }
  const good = [...answered.values()].filter((evidence) => evidence.status === "good")
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
  let last: string = "nothing leads to an anchor"
  let lacking = certificate
  for (let fetched = 0; fetched <= MAX_FETCHED; fetched++) {
    for (const path of buildPaths(certificate, { intermediates: pool, anchors })) {
      const verdict = validatePath(path, { at })
      const anchor = anchors.find((one) => one === path.anchor)
      if (verdict.valid && anchor !== undefined) return { path, anchor }
      if (!verdict.valid) last = verdict.reason
    }
    const issuer = await fetchIssuer(lacking, ports)
    if (issuer === undefined) break
    pool.push(issuer)
    lacking = issuer
  }
  throw new ValidationDataFailed(
    "no-path",
    `${certificate.subjectName} cannot be traced to an anchor: ${last}.`,
  )
}

async function fetchIssuer(
  { extensions }: Certificate,
  { fetchCertificate }: RevocationPorts,
): Promise<Certificate | undefined> {
  const [url] = readAuthorityInfoAccess(extensions)?.caIssuers ?? []
  if (url === undefined || fetchCertificate === undefined) return undefined
  const der = await fetchCertificate(url).catch(() => undefined)
  return der === undefined ? undefined : readableCertificates([der])[0]
}

// RFC 9608, 2, noRevAvail; EN 319 412-1, 5.2, validity assured for a short term.
const NEVER_REVOKED = ["2.5.29.56", "0.4.0.194121.2.1"]
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"

/** A certificate that says of itself that nobody will ever revoke it; of OCSP responders see RFC 6960, 4.2.2.2.1. */
function isNeverRevoked({ extensions }: Certificate): boolean {
  const isResponder = readExtendedKeyUsage(extensions)?.includes(OCSP_SIGNING) === true
  return (
    (isResponder && hasOcspNoCheck(extensions)) || extensions.some(({ id }) => NEVER_REVOKED.includes(id))
  )
}

function failed(
  { subjectName }: Certificate,
  evidence: Exclude<Evidence, { status: "good" }>,
): ValidationDataFailed {
  if (evidence.status === "revoked") {
    const since = evidence.since.toISOString()
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
