// The path from a signer or an authority to an anchor, with intermediates that nobody brought along fetched from where
// the certificates say (RFC 5280, 4.2.2.1).

import type { Certificate } from "../certificate/certificate.ts"
import { readAuthorityInfoAccess } from "../certificate/extensions.ts"
import { readableCertificates } from "../certificate/readable-certificates.ts"
import { DerError } from "../der/der.ts"
import { findPath } from "../path/path.ts"
import type { CertificatePath } from "../path/path-validation.ts"
import type { RevocationPorts } from "./revocation-evidence.ts"
import { ValidationDataFailed } from "./validation-data-failed.ts"

// Four intermediates that nobody brought along are more than any authority has.
const MAX_FETCHED = 4

/** What is fetched stays in the pool. */
export async function pathOf(
  { certificate, at }: { readonly certificate: Certificate; readonly at: Date },
  trust: {
    readonly anchors: readonly Certificate[]
    readonly pool: Certificate[]
    readonly ports: RevocationPorts
  },
): Promise<{ readonly path: CertificatePath; readonly anchor: Certificate }> {
  const { anchors, pool, ports } = trust
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

export function wellFormed<T>(certificate: Certificate, read: (certificate: Certificate) => T): T {
  try {
    return read(certificate)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    const detail = `The certificate of ${certificate.subjectName} is malformed: ${error.message}.`
    throw new ValidationDataFailed("malformed", detail, { cause: error })
  }
}
