// Somebody's word that a certificate was not revoked: an OCSP answer or a CRL that is at hand, else one that is asked
// for, OCSP first. Only what was checked is given on.

import { randomBytes } from "node:crypto"
import type { Certificate } from "../certificate/certificate.ts"
import { distributionAddresses, readCrlDistributionPoints } from "../certificate/distribution-point.ts"
import { readAuthorityInfoAccess } from "../certificate/extensions.ts"
import { ifReadable } from "../der/optional.ts"
import type { CertificatePath } from "../path/path-validation.ts"
import { checkOcsp, type OcspVerdict } from "./check-ocsp.ts"
import { type Crl, readCrl } from "./crl.ts"
import { ocspRequest } from "./ocsp.ts"
import { type OcspResponse, readOcspResponse } from "./ocsp-response.ts"
import { checkByCrl } from "./revocation-by-crl.ts"

/** How answers are fetched, through whatever guard the caller has. A rejected promise means that there is none. */
export type RevocationPorts = {
  readonly askOcsp: (url: string, request: Uint8Array) => Promise<Uint8Array>
  readonly fetchCrl: (url: string) => Promise<Uint8Array>
  /** RFC 5280, 4.2.2.1, caIssuers: one certificate. */
  readonly fetchCertificate?: (url: string) => Promise<Uint8Array>
}

export type Evidence =
  | {
      readonly status: "good"
      readonly ocspResponses: readonly Uint8Array[]
      readonly crls: readonly Uint8Array[]
      /** Who answered, where it was not the issuer. */
      readonly responder?: {
        readonly certificate: Certificate
        readonly needsCheck: boolean
        readonly at: Date
      }
    }
  | { readonly status: "revoked"; readonly since: Date }
  /** What each source that was tried answered, for whoever has to find out why. */
  | { readonly status: "none"; readonly why: readonly string[] }

export type EvidenceSearch = {
  /** A path that was found valid; the answer is about the certificate at `position`. */
  readonly path: CertificatePath
  readonly position: number
  readonly issuer: Certificate
  /** When the certificate was used, as far as that is proved. */
  readonly usedAt: Date
  readonly now: Date
  readonly intermediates: readonly Certificate[]
  readonly known: { readonly ocspResponses: readonly Uint8Array[]; readonly crls: readonly Uint8Array[] }
  readonly ports: RevocationPorts
}

export async function findEvidence(search: EvidenceSearch): Promise<Evidence> {
  const why: string[] = []
  for (const source of [knownOcsp, knownCrls, askedOcsp, fetchedCrls]) {
    const found = await source(search, why)
    if (found !== undefined) return found
  }
  return { status: "none", why }
}

type Found = Exclude<Evidence, { status: "none" }> | undefined

// An answer from before the use speaks for it while it is fresh; one from after it, always.
function knownOcsp(search: EvidenceSearch): Found {
  for (const der of search.known.ocspResponses) {
    const response = ifReadable(() => readOcspResponse(der))
    if (response?.status !== "successful") continue
    const at = later(search.usedAt, response.basic.producedAt)
    const verdict = judge(search, response, at)
    if (verdict.status === "good") return byOcsp(search, der, verdict)
  }
  return undefined
}

function knownCrls(search: EvidenceSearch): Found {
  const crls = search.known.crls.flatMap((der) => ifReadable(() => readCrl(der)) ?? [])
  for (const at of [search.usedAt, ...crls.map(({ thisUpdate }) => thisUpdate)]) {
    if (at < search.usedAt) continue
    const found = byCrls(search, crls, at)
    if (found?.status === "good") return found
  }
  return undefined
}

// RFC 8954, 2.1: at least 16 octets.
const NONCE_BYTES = 16
const MAX_ADDRESSES = 4

async function askedOcsp(search: EvidenceSearch, why: string[]): Promise<Found> {
  const certificate = subject(search)
  const addresses = ifReadable(() => readAuthorityInfoAccess(certificate.extensions))?.ocsp ?? []
  for (const url of addresses.slice(0, MAX_ADDRESSES)) {
    const nonce = randomBytes(NONCE_BYTES)
    const der = await answerOf(url, why, () =>
      search.ports.askOcsp(url, ocspRequest({ certificate, issuer: search.issuer, nonce })),
    )
    const response = der && ifReadable(() => readOcspResponse(der))
    if (der === undefined || response === undefined) continue
    const verdict = judge(search, response, search.now, nonce)
    if (verdict.status === "good") return byOcsp(search, der, verdict)
    if (verdict.status === "revoked") return { status: "revoked", since: verdict.revokedAt }
    why.push(`${url}: ${verdict.status === "refused" ? verdict.reason : verdict.status}`)
  }
  return undefined
}

async function fetchedCrls(search: EvidenceSearch, why: string[]): Promise<Found> {
  const { extensions } = subject(search)
  const points = ifReadable(() => readCrlDistributionPoints(extensions)) ?? []
  const crls: Crl[] = []
  for (const url of distributionAddresses(points).slice(0, MAX_ADDRESSES)) {
    const der = await answerOf(url, why, () => search.ports.fetchCrl(url))
    const crl = der && ifReadable(() => readCrl(der))
    if (crl === undefined) continue
    crls.push(crl)
    const found = byCrls(search, crls, search.now, why)
    if (found !== undefined) return found
  }
  return undefined
}

function judge(search: EvidenceSearch, response: OcspResponse, at: Date, nonce?: Uint8Array): OcspVerdict {
  const { issuer, intermediates } = search
  const certificate = subject(search)
  return checkOcsp(response, {
    certificate,
    issuer,
    at,
    certificates: intermediates,
    ...(nonce && { nonce }),
  })
}

function byOcsp(
  { issuer }: EvidenceSearch,
  der: Uint8Array,
  verdict: Extract<OcspVerdict, { responderCertificate: Certificate }>,
): Found {
  const { responderCertificate: certificate, responderNeedsCheck: needsCheck, producedAt } = verdict
  const isIssuer = Buffer.compare(certificate.der, issuer.der) === 0
  const responder = { certificate, needsCheck, at: producedAt }
  return { status: "good", ocspResponses: [der], crls: [], ...(isIssuer ? {} : { responder }) }
}

function byCrls(search: EvidenceSearch, crls: readonly Crl[], at: Date, why: string[] = []): Found {
  const { path, position, intermediates } = search
  const status = checkByCrl({ path, position, crls, at, intermediates })
  if (status.status === "good")
    return { status: "good", ocspResponses: [], crls: status.crls.map(({ der }) => der) }
  if (status.status === "revoked") return { status: "revoked", since: status.revokedAt }
  why.push(`CRL: ${status.reason}`)
  return undefined
}

function subject({ path, position }: EvidenceSearch): Certificate {
  const certificate = path.certificates[position]
  if (certificate === undefined) throw new RangeError("no certificate at this position")
  return certificate
}

async function answerOf(
  url: string,
  why: string[],
  ask: () => Promise<Uint8Array>,
): Promise<Uint8Array | undefined> {
  try {
    return await ask()
  } catch (error) {
    why.push(`${url}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other
}
