import type { HoldDocument } from "../document/ports.ts"
import { appended, childOf, type VersionParts } from "../document/version.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "./apply.ts"
import { statusOf } from "./model.ts"
import type { RaiseMarks } from "./ports.ts"
import { fieldsOn } from "./wanted-mark.ts"

export type RenewalParts = VersionParts & {
  readonly transact: Transact
  readonly read: Read
  readonly holdDocument: HoldDocument
  readonly raiseMarks: RaiseMarks
  readonly now: Clock
  readonly newId: NewId
}

export type RenewalTask = {
  readonly businessId: string
  readonly requestId: string
  readonly documentId: string
}

/**
 * A time-stamp proves as long as its certificate stands: well before that, a new one goes over it. Where the authority itself
 * stamps with a certificate that ends sooner, it is asked again when half of the time that is left has passed, and not at once:
 * until it has another certificate, one more time-stamp would prove no longer.
 */
export function renewalOf(archiveEndsAt: Date | null, stampedAt: Date): Date | null {
  if (archiveEndsAt === null) return null
  const leftMs = archiveEndsAt.getTime() - stampedAt.getTime()
  const afterMs = Math.max(leftMs - LIMITS.renewBeforeMs, Math.min(leftMs / 2, LIMITS.renewBeforeMs / 2))
  return new Date(stampedAt.getTime() + Math.max(afterMs, LIMITS.renewAgainMs))
}

/**
 * Decisions, "archive renewal": a new version of a signed document, under a new time-stamp. What a validator needs for the
 * earlier time-stamps is gathered too, while somebody still answers for them.
 */
export async function renewDocument(parts: RenewalParts, task: RenewalTask): Promise<void> {
  const { businessId, requestId, documentId } = task
  const request = await parts.read(businessId, (reading) => reading.findRequest(requestId), "once")
  if (request === null || statusOf(request) !== "SIGNED") return
  const newestId = request.documents.find((d) => d.id === documentId)?.newestId
  const base = newestId && (await parts.read(businessId, (reading) => reading.findDocument(newestId)))
  if (!base) return
  const held = await parts.holdDocument(base)
  try {
    const fields = fieldsOn(request, documentId)
    const raised = await parts.raiseMarks(held, new Uint8Array(), { kind: request.kind, to: "B-LTA", fields })
    if (raised.tail.length === 0) return
    const version = await appended(parts, held, raised.tail)
    const at = parts.now()
    const renewed = childOf(base, parts.newId(), version, at)
    await parts.transact(businessId, async (tx) => {
      await tx.insertDocument(renewed)
      const [onto, versionId, renewAt] = [base.id, renewed.id, renewalOf(raised.archiveEndsAt, at)]
      const { sha256 } = renewed
      await apply(tx, requestId, { type: "renew", documentId, onto, versionId, sha256, renewAt, at })
    })
  } catch (error) {
    // It was deleted meanwhile, or another worker has renewed it.
    const code = error instanceof Refusal ? error.code : null
    if (code !== "not-found" && code !== "document-moved-on") throw error
  } finally {
    await held.release()
  }
}
