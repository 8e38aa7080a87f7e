// The services of all lists, found by the certificates of a path. A service is its name and its key, whichever of its
// certificates is at hand (ETSI TS 119 615, 4.3); what is only listed under the same name gives nobody any trust.

import type { Certificate } from "@paraph/pki/certificate"
import { identityOf, isSame, subjectKey } from "./identity.ts"
import type { TrustService } from "./trusted-list.ts"

export type TrustStore = {
  readonly services: readonly TrustService[]
  /** By the subject of their certificates. */
  readonly bySubject: ReadonlyMap<string, readonly TrustService[]>
}

export function indexServices(services: readonly TrustService[]): TrustStore {
  const bySubject = new Map<string, TrustService[]>()
  for (const service of services)
    for (const subject of new Set(service.identities.map((identity) => identity.subject))) {
      const there = bySubject.get(subject)
      if (there === undefined) bySubject.set(subject, [service])
      else there.push(service)
    }
  return { services, bySubject }
}

const MAX_FOUND = 500

/**
 * Services that may belong to these certificates or have issued one of them: whatever building paths and judging their
 * quality may need. Found by names alone, so it proves nothing; `servicesOf` does.
 */
export function servicesFor(
  store: TrustStore,
  certificates: readonly Certificate[],
): readonly TrustService[] {
  return servicesNamed(store, namesIn(certificates))
}

/** The names of the certificates and of their issuers, for whoever has the store elsewhere. */
export function namesIn(certificates: readonly Certificate[]): readonly string[] {
  return [
    ...new Set(certificates.flatMap(({ subject, issuer }) => [subjectKey(subject), subjectKey(issuer)])),
  ]
}

export function servicesNamed(store: TrustStore, names: readonly string[]): readonly TrustService[] {
  const found = new Set(names.flatMap((name) => store.bySubject.get(name) ?? []))
  return [...found].slice(0, MAX_FOUND)
}

/** The services that this certificate is one of: the same name and the same key. */
export function servicesOf(
  services: readonly TrustService[],
  certificate: Certificate,
): readonly TrustService[] {
  const identity = identityOf(certificate)
  return services.filter(({ identities }) => identities.some((one) => isSame(one, identity)))
}
