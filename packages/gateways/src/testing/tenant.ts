import type { Tenant } from "@paraph/core/fair-share/owner"

/** For tests in which it does not matter whose work it is. */
export const TENANT: Tenant = { businessId: "business", kind: "production" }
