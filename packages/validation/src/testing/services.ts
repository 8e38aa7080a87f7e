// Services of trusted lists as data, without the lists: what qualification is judged by.

import { identityOf } from "../trusted-list/identity.ts"
import type { Criterion, Law, Qualifier, ServicePeriod, TrustService } from "../trusted-list/trusted-list.ts"
import type { Holder } from "./keys.ts"

export const ALWAYS: Criterion = {
  kind: "list",
  assert: "none",
  of: [{ kind: "policies", policies: ["9.9.9"] }],
}

export function periodOf(
  order: Partial<ServicePeriod> & { readonly qualifiers?: readonly Qualifier[] } = {},
): ServicePeriod {
  const { qualifiers = [], ...rest } = order
  return {
    type: "CA/QC",
    status: "granted",
    from: "2016-07-01T00:00:00.000Z",
    uses: ["esign", "eseal"],
    qualifications: qualifiers.length === 0 ? [] : [{ qualifiers, criteria: ALWAYS, isUnderstood: true }],
    isUnderstood: true,
    ...rest,
  }
}

export function serviceOf(
  { certificate }: Holder,
  periods: readonly ServicePeriod[],
  order: { readonly law?: Law; readonly listExpires?: string | null } = {},
): TrustService {
  const { law = "EU", listExpires = "2027-01-01T00:00:00.000Z" } = order
  return {
    law,
    territory: law === "EU" ? "AT" : "CH",
    list: "https://lists.example.org/tl.xml",
    listExpires,
    provider: "Provider",
    name: "Service",
    identities: [
      { certificate: Buffer.from(certificate.der).toString("base64"), ...identityOf(certificate) },
    ],
    periods,
  }
}
