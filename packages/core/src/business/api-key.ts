import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, Read } from "../ports.ts"
import type { Kind } from "../signature-request/model.ts"
import { DEVELOPERS } from "./model.ts"

/** Part 5.2: of an API user of the business. The key itself is shown once, and known by its HMAC alone. */
export type ApiKey = {
  readonly id: string
  /** What people call it. */
  readonly name: string
  readonly userId: string
  readonly username: string
  readonly userRemovedAt: Date | null
  readonly kind: Kind
  /** Its last characters, so that people can tell their keys apart. */
  readonly hint: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  /** An operator ended it, because it was out; null also once somebody of the business has claimed the one in its place. */
  readonly claimableSince: Date | null
  /** The e-mail address of whoever made it, where a person did. */
  readonly createdBy: string | null
}

/** All that live and the last of the dead, the newest first. */
export function listKeys(
  parts: { readonly read: Read; readonly now: Clock },
  caller: Caller,
): Promise<readonly ApiKey[]> {
  mustHaveRole(caller, DEVELOPERS)
  return parts.read(caller.businessId, (reading) => reading.listKeys(LIMITS.deadKeysListed, parts.now()))
}
