import type { Role } from "../business/model.ts"
import type { Kind } from "../signature-request/model.ts"

/** Who uses the API: an API user of a business, by a demo or a production key. */
export type Caller = {
  readonly businessId: string
  readonly userId: string
  readonly username: string
  /** Of the API key; where a person logged in instead, of their session. */
  readonly keyId: string
  /** Said only of a member who logged in as a person: then there is no key. */
  readonly via?: "session"
  /** What this member may do in the business; an API key has no role. */
  readonly role?: Role
  readonly kind: Kind
}

/** What belongs to this caller from its first moment on: documents and requests alike. */
export const ownedBy = (caller: Caller) => ({
  businessId: caller.businessId,
  kind: caller.kind,
  ownerId: caller.userId,
  owner: caller.username,
})
