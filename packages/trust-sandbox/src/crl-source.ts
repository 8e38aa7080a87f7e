// The list of what an authority of the sandbox has revoked (RFC 5280, 5): made when it is asked for.

import { keyIdentifier } from "@paraph/pki/certificate-writer"
import { issueCrl } from "@paraph/pki/crl-writer"
import type { Issuer, World } from "./issuer.ts"

const DAY_MS = 86_400_000

/** A list is kept as long as it would be the same: until the second is over, or something is revoked. */
export function createCrlSource(issuer: Issuer, { now }: World): (stale: boolean) => Promise<Uint8Array> {
  let number = 0n
  let kept: { readonly of: string; readonly crl: Uint8Array } | null = null
  return async (stale) => {
    const at = new Date(now().getTime() - (stale ? 2 * DAY_MS : 0))
    const revoked = issuer.revoked(at)
    const entries = revoked.map(({ serialNumber, at, reason }) => [serialNumber, at.getTime(), reason])
    const of = [Math.floor(at.getTime() / 1000), ...entries].join()
    if (kept?.of !== of) {
      number += 1n
      kept = { of, crl: await write(issuer, revoked, at, number) }
    }
    return kept.crl
  }
}

function write(
  { certificate, key }: Issuer,
  revoked: ReturnType<Issuer["revoked"]>,
  at: Date,
  crlNumber: bigint,
): Promise<Uint8Array> {
  return issueCrl({
    issuer: certificate.subject,
    thisUpdate: at,
    nextUpdate: new Date(at.getTime() + DAY_MS),
    crlNumber,
    authorityKeyIdentifier: certificate.subjectKeyIdentifier ?? keyIdentifier(key.publicKeySpki),
    entries: revoked.map(({ serialNumber, at: revokedAt, reason }) => ({ serialNumber, revokedAt, reason })),
    algorithm: key.algorithm,
    issuerPublicKeySpki: key.publicKeySpki,
    signBytes: key.signBytes,
  })
}
