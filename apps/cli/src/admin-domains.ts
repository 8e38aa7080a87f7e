import { domainFault } from "@paraph/core/account/single-sign-on-domain"
import * as store from "@paraph/store/postgres/single-sign-on"
import * as act from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"

/** Whose addresses a business may log in by single sign-on (ADR 0037): whoever grants it has seen that the domain is theirs. */
export const DOMAIN_ACTS: Readonly<Record<string, act.Act>> = {
  "grant-domain": {
    usage: "--business ID --domain DOMAIN",
    about: "people with an address there may log in by the business's provider; one business a domain",
    read: (options) => {
      const businessId = act.givenId(options, "business")
      const domain = givenDomain(options)
      return async (desk) => {
        await act.findBusiness(desk, businessId)
        const owner = await store.grantDomain(desk.trx, businessId, domain, desk.now)
        if (owner !== null && owner !== businessId)
          throw new NotUnderstood("This domain is granted to another business.")
        const domains = await store.listDomains(desk.trx, businessId)
        if (owner !== null) return { business: businessId, domains }
        await desk.record({ act: "grant-domain", businessId, target: `domain ${domain}` })
        return { business: businessId, domains }
      }
    },
  },

  "revoke-domain": {
    usage: "--domain DOMAIN",
    about: "the business has it no more; whoever is logged in by its single sign-on is logged out",
    read: (options) => {
      const domain = act.given(options, "domain").toLowerCase()
      return async (desk) => {
        const businessId = await store.ownerOfDomain(desk.trx, domain)
        if (businessId === null) throw new NotUnderstood("This domain is granted to nobody.")
        await store.revokeDomain(desk.trx, businessId, domain, desk.now)
        await desk.record({ act: "revoke-domain", businessId, target: `domain ${domain}` })
        return { business: businessId, domains: await store.listDomains(desk.trx, businessId) }
      }
    },
  },
}

function givenDomain(options: act.Options): string {
  const domain = act.given(options, "domain").toLowerCase()
  const fault = domainFault(domain)
  if (fault === "no domain")
    throw new NotUnderstood("--domain is a name such as example.org, in the letters of the DNS.")
  if (fault === "public")
    throw new NotUnderstood(`Anybody gets an address at ${domain}: it is no business's own.`)
  return domain
}
