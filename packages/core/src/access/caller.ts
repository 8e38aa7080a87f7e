import type { Kind } from "../signature-request/model.ts"

/** Who uses the API: an API user of a business, by a demo or a production key. */
export type Caller = {
  readonly businessId: string
  readonly userId: string
  readonly username: string
  readonly keyId: string
  readonly kind: Kind
}
