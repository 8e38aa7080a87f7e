// The services that stand behind a path, as they were at a time (ETSI TS 119 615, 4.3).

import type { Certificate } from "@paraph/pki/certificate"
import { servicesOf } from "../trusted-list/trust-store.ts"
import type { Law, Qualifier, ServicePeriod, TrustService } from "../trusted-list/trusted-list.ts"
import type { CertificateFacts } from "./certificate-facts.ts"
import { meets } from "./criteria.ts"

export type ServiceState = {
  readonly service: TrustService
  readonly period: ServicePeriod
}

/** Regulation (EU) 910/2014 applies from 1 July 2016, midnight in Brussels. */
export const EIDAS_BEGINS = Date.parse("2016-06-30T22:00:00Z")

export type StateQuestion = {
  readonly services: readonly TrustService[]
  /** Whoever may be the service: the issuers of a signer, or those and the time-stamping unit itself. */
  readonly certificates: readonly Certificate[]
  readonly law: Law
  readonly type: string
  /** In milliseconds. */
  readonly at: number
}

/** PRO-4.3.4-03: every service of the type that is somebody on the path, with what was so at the time. */
export function statesAt({ services, certificates, law, type, at }: StateQuestion): readonly ServiceState[] {
  const matching = new Set(certificates.flatMap((certificate) => servicesOf(services, certificate)))
  return [...matching].flatMap((service) => {
    if (service.law !== law) return []
    const period = periodAt(service, at)
    return period?.type === type ? [{ service, period }] : []
  })
}

export function periodAt({ periods }: TrustService, at: number): ServicePeriod | undefined {
  return periods.find(
    ({ from, until }) => Date.parse(from) <= at && (until === undefined || at < Date.parse(until)),
  )
}

/** The qualifiers that hold for a certificate; undefined where that cannot be known. */
export function qualifiersFor(
  states: readonly ServiceState[],
  facts: CertificateFacts,
): ReadonlySet<Qualifier> | undefined {
  const found = new Set<Qualifier>()
  for (const { period } of states) {
    if (!period.isUnderstood) return undefined
    for (const qualification of period.qualifications) {
      const applies = meets(facts, qualification.criteria)
      if (applies === undefined || (applies && !qualification.isUnderstood)) return undefined
      if (applies) for (const qualifier of qualification.qualifiers) found.add(qualifier)
    }
  }
  return found
}
