// Fetches what a document does not bring along: issuers, and what is known today of the certificates that it was signed
// with. Whom to ask stands in the certificates, which anybody may have written: who calls the addresses, and how guarded,
// is the caller's, and there is an end to the asking.

import { randomBytes } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"
import { distributionAddresses, readCrlDistributionPoints } from "@paraph/pki/distribution-point"
import { readAuthorityInfoAccess } from "@paraph/pki/extensions"
import { ocspRequest } from "@paraph/pki/ocsp"
import { ifReadable } from "@paraph/pki/optional"
import type { CertificatePath } from "@paraph/pki/path-validation"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { anchorOf } from "./anchor.ts"
import { isFresh, skipsRevocation } from "./block/certificate.ts"
import { signingCertificate } from "./block/cryptographic.ts"
import { type Context, type Purpose, pathsOf } from "./context.ts"
import { statusesOf } from "./evidence/revocation-index.ts"
import type { Collection } from "./material/collection.ts"
import type { Material } from "./material/material.ts"

/** Questions for one document, and certificates followed upwards. A chain has two or three, and a time-stamp as many. */
const MAX_QUESTIONS = 24
const MAX_ISSUERS = 4
const MAX_ADDRESSES = 2
const NONCE_BYTES = 16

/** For as long as one document is judged. */
export type Asking = {
  left: number
  readonly asked: Set<Certificate>
  readonly collection: Collection
  readonly ports: RevocationPorts
}

export function newAsking(collection: Collection, ports: RevocationPorts): Asking {
  return { left: MAX_QUESTIONS, asked: new Set(), collection, ports }
}

/** Adds to the collection; nobody is asked twice about one certificate. Says whether somebody was asked. */
export async function fetchEvidence(
  context: Context,
  material: Pick<Material, "signatures" | "timestamps">,
  asking: Asking,
): Promise<boolean> {
  const { left, asked } = asking
  for (const { certificate, purpose } of signersOf(context, material)) {
    const paths = pathsOf(context, certificate, purpose)
    const [path] = paths
    if (path === undefined) await fetchIssuers(asking, certificate)
    else
      for (const [position, one] of path.certificates.entries()) {
        if (asked.has(one)) continue
        asked.add(one)
        if (needsNews(context, path, position)) await askAbout(asking, path, position)
      }
  }
  return asking.left < left
}

function signersOf(
  context: Context,
  { signatures, timestamps }: Pick<Material, "signatures" | "timestamps">,
): readonly { readonly certificate: Certificate; readonly purpose: Purpose }[] {
  const found = new Map<Certificate, Purpose>()
  const add = (certificate: Certificate | undefined, purpose: Purpose) => {
    if (certificate !== undefined && !found.has(certificate)) found.set(certificate, purpose)
  }
  for (const { cms } of signatures)
    add(cms && signingCertificate(context, cms.signedData, cms.signer), "signature")
  for (const { token } of [...signatures.flatMap(({ stamps }) => stamps), ...timestamps])
    add(token && signingCertificate(context, token.signedData, token.signedData.signerInfos[0]), "timestamp")
  return [...found].map(([certificate, purpose]) => ({ certificate, purpose }))
}

// A certificate that has ended gets no news: what its issuer would say today is not about it any more.
function needsNews({ revocation, now }: Context, path: CertificatePath, position: number): boolean {
  const certificate = path.certificates[position]
  if (certificate === undefined || certificate.notAfter < now || skipsRevocation(certificate)) return false
  const [newest] = statusesOf(revocation, path, position)
  return newest === undefined || !isFresh(newest, now, "next-update")
}

// RFC 6960 first: an answer is smaller than a list.
async function askAbout(asking: Asking, path: CertificatePath, position: number): Promise<void> {
  const certificate = path.certificates[position]
  const issuer = path.certificates[position - 1] ?? anchorOf(path)
  if (certificate === undefined || issuer === undefined) return
  const { ports, collection } = asking
  const { extensions } = certificate
  for (const url of (ifReadable(() => readAuthorityInfoAccess(extensions))?.ocsp ?? []).slice(
    0,
    MAX_ADDRESSES,
  )) {
    const request = ocspRequest({ certificate, issuer, nonce: randomBytes(NONCE_BYTES) })
    const answer = await ask(asking, () => ports.askOcsp(url, request))
    if (answer === undefined) continue
    collection.ocspResponse(answer)
    return
  }
  const points = ifReadable(() => readCrlDistributionPoints(extensions)) ?? []
  for (const url of distributionAddresses(points).slice(0, MAX_ADDRESSES)) {
    const list = await ask(asking, () => ports.fetchCrl(url))
    if (list !== undefined) collection.crl(list)
  }
}

// RFC 5280, 4.2.2.1: upwards, until nobody names an issuer or a path may have been found.
async function fetchIssuers(asking: Asking, certificate: Certificate): Promise<void> {
  let current: Certificate | null = certificate
  for (let steps = 0; current !== null && steps < MAX_ISSUERS; steps++)
    current = await fetchIssuer(asking, current)
}

async function fetchIssuer(asking: Asking, { extensions }: Certificate): Promise<Certificate | null> {
  const { fetchCertificate } = asking.ports
  const [url] = ifReadable(() => readAuthorityInfoAccess(extensions))?.caIssuers ?? []
  if (url === undefined || fetchCertificate === undefined) return null
  const der = await ask(asking, () => fetchCertificate(url))
  return der === undefined ? null : asking.collection.certificate(der)
}

/** Who does not answer says nothing; why is the caller's to log. */
async function ask(asking: Asking, fetch: () => Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  if (asking.left <= 0) return undefined
  asking.left -= 1
  try {
    return await fetch()
  } catch {
    return undefined
  }
}
