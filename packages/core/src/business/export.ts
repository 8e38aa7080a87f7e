import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import { managing } from "./managing.ts"
import { ADMINISTRATORS } from "./model.ts"
import { type ExportCursor, endOfArchive, type Stretch } from "./walk-export.ts"

export type BegunExport = Stretch & { readonly business: string }

/**
 * For those who look after the business, and on record: all that it has, whoever of it made it (ADR 0055). Where the archive ends
 * is found without holding anything: whoever signs or changes settings meanwhile does not wait for it.
 */
export async function beginExport(
  parts: { readonly transact: Transact; readonly read: Read; readonly now: Clock },
  caller: Caller,
  after: ExportCursor | null,
): Promise<BegunExport> {
  mustHaveRole(caller, ADMINISTRATORS)
  const at = parts.now()
  const { counts, next } = await endOfArchive(parts, caller, after, at)
  return managing(parts, caller, async (tx, acting, settings) => {
    mustHaveRole(acting, ADMINISTRATORS)
    await tx.appendAudit({
      at,
      by: acting.username,
      act: "export",
      target: `business ${caller.businessId}`,
      after: { kind: caller.kind, ...counts },
    })
    return { business: settings.name, at, after, next }
  })
}
