import type { HoldDocument } from "../document/ports.ts"
import { appended, childOf, type VersionParts } from "../document/version.ts"
import { journalOfDocument } from "../journal/of-change.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { renewalOf } from "../signature-request/renew.ts"
import { ownField } from "../signature-request/wanted-mark.ts"
import type { SealRenewalTask } from "./model.ts"
import type { RaiseSeal } from "./ports.ts"

export type SealRenewalParts = VersionParts & {
  readonly transact: Transact
  readonly read: Read
  readonly holdDocument: HoldDocument
  readonly raiseSeal: RaiseSeal
  readonly now: Clock
  readonly newId: NewId
}

/**
 * Decisions, "archive renewal", for what a company has sealed: a new document of the same owner under a new time-stamp, told as
 * `document.renewed`. No key of the seal is used, so one that has ended is no hindrance.
 */
export async function renewSealed(
  parts: SealRenewalParts,
  { businessId, documentId }: SealRenewalTask,
): Promise<void> {
  const { sealed, seal, base } = await parts.read(businessId, async (reading) => {
    const found = await reading.findSealed(documentId)
    return {
      sealed: found,
      seal: found && (await reading.findSeal(found.sealId)),
      base: await reading.findDocument(documentId),
    }
  })
  if (sealed?.renewAt == null || seal === null || base === null || base.removingSince !== null) return
  const held = await parts.holdDocument(base)
  try {
    const issuers = seal.certificates.flatMap(({ issued }) => issued?.chain ?? [])
    const field = ownField(sealed.sealingId)
    const raised = await parts.raiseSeal(sealed.kind, held, new Uint8Array(), issuers, field)
    if (raised.tail.length === 0) return
    const version = await appended(parts, held, raised.tail)
    const at = parts.now()
    await parts.transact(businessId, async (tx) => {
      // Another worker may have renewed it meanwhile, or its owner deleted it: then nobody wants this one.
      const parent = await tx.lockDocument(documentId)
      const still = await tx.lockSealed(documentId)
      if (parent === null || parent.removingSince !== null || still?.renewAt == null) return
      const renewed = childOf(parent, parts.newId(), version, at)
      await tx.insertDocument(renewed, "version")
      await tx.succeedSealed(documentId)
      const renewAt = renewalOf(raised.archiveEndsAt, at)
      await tx.insertSealed({ ...still, documentId: renewed.id, renewAt })
      await tx.appendJournal(journalOfDocument("document.renewed", renewed, at))
      const data = { documentId: still.firstId, onto: documentId, versionId: renewed.id }
      await tx.appendEvidence(still.sealingId, [{ type: "document.renewed", at, data }])
    })
  } finally {
    await held.release()
  }
}
