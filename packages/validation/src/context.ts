// What every block and process looks at: the policy, the time, whom to trust, and the evidence at hand.

import type { ByteInterval } from "@paraph/pades/byte-interval"
import type { Certificate } from "@paraph/pki/certificate"
import { buildPaths } from "@paraph/pki/path-building"
import type { CertificatePath } from "@paraph/pki/path-validation"
import { noProofs, type Proofs } from "./evidence/proofs.ts"
import { indexRevocation, type RevocationIndex } from "./evidence/revocation-index.ts"
import type { Evidence } from "./material/material.ts"
import type { ValidationPolicy } from "./policy/policy.ts"
import { anchorsFor, type Trust } from "./qualification/trust.ts"

/** What a chain of certificates is judged for. */
export type Purpose = "signature" | "timestamp"

export type Context = {
  readonly policy: ValidationPolicy
  readonly now: Date
  /** Where trust begins. Only what could matter for this document: the search goes through all of it. */
  readonly trust: Trust
  readonly certificates: readonly Certificate[]
  readonly revocation: RevocationIndex
  readonly proofs: Proofs
  readonly locations: ReadonlyMap<object, readonly ByteInterval[]>
  readonly paths: Readonly<Record<Purpose, Map<Certificate, readonly CertificatePath[]>>>
}

export function createContext(
  policy: ValidationPolicy,
  now: Date,
  trust: Trust,
  { certificates, answers, lists, locations }: Evidence,
): Context {
  return {
    policy,
    now,
    trust,
    certificates,
    revocation: indexRevocation(
      answers,
      lists,
      certificates,
      new Date(now.getTime() + policy.revocation.maxClockSkew.minutes * 60_000),
    ),
    proofs: noProofs(now),
    locations,
    paths: { signature: new Map(), timestamp: new Map() },
  }
}

const MAX_PATHS = 20

/** The prospective chains of a certificate (EN 319 102-1, 5.2.6.4, step 1), the shortest first. */
export function pathsOf(
  { paths, certificates, trust }: Context,
  certificate: Certificate,
  purpose: Purpose,
): readonly CertificatePath[] {
  const known = paths[purpose].get(certificate)
  if (known !== undefined) return known
  const found: CertificatePath[] = []
  const anchors = anchorsFor(trust, purpose === "signature" ? "signing" : purpose, certificate.notBefore)
  for (const path of buildPaths(certificate, { intermediates: certificates, anchors, algorithms: "any" })) {
    found.push(path)
    if (found.length >= MAX_PATHS) break
  }
  paths[purpose].set(certificate, found)
  return found
}
