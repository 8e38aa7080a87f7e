import type { Kind } from "../signature-request/model.ts"

/** A business in one mode. Every piece of work on shared slots has one: demo and production never share a quota. */
export type Tenant = { readonly businessId: string; readonly kind: Kind }

/** The unit among which slots are shared: a tenant, or an account where there is no business yet. */
export type WorkOwner = {
  readonly key: string
  /** All demo owners together never hold every slot. */
  readonly isDemo: boolean
}

export const ownerOf = ({ businessId, kind }: Tenant): WorkOwner => ({
  key: `${kind} ${businessId}`,
  isDemo: kind === "demo",
})

/** For work of a person who has not chosen a business, such as password hashing. */
export const accountOwner = (account: string): WorkOwner => ({
  key: `account ${account.toLowerCase()}`,
  isDemo: false,
})

/** For work that the service does for itself, such as a health check. */
export const SERVICE: Tenant = { businessId: "service", kind: "production" }
