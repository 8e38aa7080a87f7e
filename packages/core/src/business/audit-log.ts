import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import type { Read } from "../ports.ts"
import { ADMINISTRATORS } from "./model.ts"

/** Decisions, "roles": one act on keys, roles, features, retention or what else a business manages. */
export type AuditRow = {
  readonly id: number
  readonly at: Date
  /** The e-mail address of a person; null for an operator of whom only the shell is known. */
  readonly by: string | null
  readonly act: string
  readonly target: string
  readonly before: object | null
  readonly after: object | null
}

export type ReadAudit = {
  readonly pageSize: number
  /** The id of an entry; what is older than it. */
  readonly olderThan: number | null
}

export type AuditPage = {
  /** The newest first. */
  readonly entries: readonly AuditRow[]
  readonly hasMore: boolean
}

/** What was done to this business, by its people and by operators. */
export function readAuditLog(
  parts: { readonly read: Read },
  caller: Caller,
  asked: ReadAudit,
): Promise<AuditPage> {
  mustHaveRole(caller, ADMINISTRATORS)
  return parts.read(caller.businessId, (reading) => reading.readAudit(asked))
}
