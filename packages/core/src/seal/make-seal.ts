import type { Document } from "../document/model.ts"
import type { Held, HoldDocument } from "../document/ports.ts"
import { appended, childOf, type VersionParts } from "../document/version.ts"
import { placingOf } from "../document/visual.ts"
import { journalOfDocument } from "../journal/of-change.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Sha256Of } from "../release/ports.ts"
import type { SigningPoint } from "../signature-request/make-mark.ts"
import type { FinishMark, StampValue } from "../signature-request/ports.ts"
import { renewalOf } from "../signature-request/renew.ts"
import { shownLines } from "../signature-request/shown-lines.ts"
import { ownField } from "../signature-request/wanted-mark.ts"
import { sealerName } from "./holder.ts"
import type { Seal, SealIntent, Sealing, UsableCertificate } from "./model.ts"
import type { PrepareSeal, RaiseSeal, SignSeal } from "./ports.ts"

export type SealingParts = VersionParts & {
  readonly transact: Transact
  readonly read: Read
  readonly holdDocument: HoldDocument
  /** The certificate of today, made where there is none yet. */
  readonly sealCertificate: (seal: Seal) => Promise<UsableCertificate>
  readonly sha256Of: Sha256Of
  readonly prepareSeal: PrepareSeal
  readonly signSeal: SignSeal
  readonly stampValue: StampValue
  readonly finishMark: FinishMark
  readonly raiseSeal: RaiseSeal
  readonly now: Clock
  /** Told each point that is passed; the same as when a person signs. */
  readonly pass: (point: SigningPoint) => void
}

/** What a caller is told of a document that was deleted before its seal was made. */
export const GONE = "The document is gone."

/** Thrown where somebody else has made it, or nobody wants it any more: then nothing has failed. */
export class NotWanted extends Error {}

/** Intent, value, time-stamp, blob, row; each is on record before the next begins (signature-cycle.md). */
export async function makeSeal(
  parts: SealingParts,
  sealing: Sealing,
  seal: Seal,
  base: Document,
): Promise<void> {
  const by = await parts.sealCertificate(seal)
  const held = await parts.holdDocument(base)
  try {
    const made = await sealed(parts, { sealing, seal, base, by }, held)
    parts.pass("blob-stored")
    await finishOrder(parts, sealing, base, made)
    parts.pass("mark-applied")
  } finally {
    await held.release()
  }
}

type Work = {
  readonly sealing: Sealing
  readonly seal: Seal
  readonly base: Document
  readonly by: UsableCertificate
}
type Signed = SealIntent & { readonly value: Uint8Array }

async function sealed(parts: SealingParts, work: Work, held: Held) {
  const intent = await keepIntent(parts, work, held)
  parts.pass("intent-kept")
  const signed = await keepValue(parts, work, intent)
  parts.pass("value-kept")
  const stamped = await keepStamp(parts, work, signed)
  parts.pass("stamp-kept")
  const mark = parts.finishMark(stamped.prepared, stamped.value, stamped.stamp)
  const field = ownField(work.sealing.id)
  // A seal is complete at once, so it is made for the archive at once.
  const raised = await parts.raiseSeal(work.seal.kind, held, mark, work.by.issued.chain, field)
  const tail = new Uint8Array(mark.length + raised.tail.length)
  tail.set(mark)
  tail.set(raised.tail, mark.length)
  return { version: await appended(parts, held, tail), archiveEndsAt: raised.archiveEndsAt }
}

async function keepIntent(parts: SealingParts, work: Work, held: Held): Promise<SealIntent> {
  const { sealing, seal, base, by } = work
  const { businessId } = sealing
  const kept = await parts.read(businessId, (reading) => reading.findSealIntent(sealing))
  // The key may have been replaced since: an intent without a value is then prepared anew.
  const isOfToday = kept?.prepared.certificateSha256 === parts.sha256Of(by.issued.certificate)
  if (kept !== null && (kept.value !== null || isOfToday)) return kept
  const signedAt = parts.now()
  const imageId = sealing.imageId ?? seal.imageId
  const image =
    imageId === null || sealing.position === null
      ? null
      : await parts.read(businessId, (reading) => reading.findSealImage(imageId))
  const prepared = await parts.prepareSeal(held, by, {
    ...placing(sealing, base),
    signerName: sealerName(seal.kind, seal.holder),
    lines: linesOf(seal, image !== null, signedAt),
    image,
    signedAt,
  })
  if (prepared.baseSha256 !== base.sha256) throw new Error("The document's bytes are not those of its row.")
  return parts.transact(businessId, async (tx) => {
    const still = await tx.lockSealing(sealing.id)
    if (still?.state !== "waiting") throw new NotWanted()
    return tx.keepSealIntent(sealing, prepared)
  })
}

/** Without a place it is not seen on any page, as part 2.6 has it. */
const placing = ({ id, position }: Sealing, base: Document) =>
  placingOf(base, position && { type: "positions", positions: [position] }, ownField(id))

/** A picture is the company's own stamp, and stands alone; of a demo it is said beside it that it has no effect. */
function linesOf({ kind, holder }: Seal, hasImage: boolean, signedAt: Date): readonly string[] {
  const lines = shownLines({ kind, signerName: holder.organization, language: "en", signedAt })
  if (!hasImage) return lines
  return kind === "demo" ? lines.slice(0, 1) : []
}

async function keepValue(
  parts: SealingParts,
  { sealing, seal, by }: Work,
  intent: SealIntent,
): Promise<Signed> {
  if (intent.value !== null) return { ...intent, value: intent.value }
  const { businessId } = sealing
  // Asked again right before the key is used: hours may have passed since it was ordered.
  const still = await parts.read(businessId, (reading) => reading.findSealing(sealing.id))
  if (still?.state !== "waiting") throw new NotWanted()
  const made = await parts.signSeal(seal.kind, by.keyLabel, intent.prepared)
  parts.pass("value-made")
  const kept = await parts.transact(businessId, (tx) => tx.keepSealValue(sealing, made))
  if (kept.value === null) throw new NotWanted()
  return { ...kept, value: kept.value }
}

/** A time-stamp may cost money: what was bought is kept before it is used. */
async function keepStamp(parts: SealingParts, { sealing }: Work, signed: Signed): Promise<Signed> {
  if (signed.stamp !== null) return signed
  const stamp = await parts.stampValue(signed.prepared, signed.value)
  if (stamp === null) return signed
  const kept = await parts.transact(sealing.businessId, (tx) => tx.keepSealStamp(sealing, stamp))
  if (kept.value === null) throw new NotWanted()
  return { ...kept, value: kept.value }
}

/** Row, journal, evidence and the end of the order in one commit; what was uploaded for it goes in the same. */
async function finishOrder(
  parts: SealingParts,
  sealing: Sealing,
  base: Document,
  { version, archiveEndsAt }: Awaited<ReturnType<typeof sealed>>,
): Promise<void> {
  const at = parts.now()
  await parts.transact(sealing.businessId, async (tx) => {
    const still = await tx.lockSealing(sealing.id)
    if (still?.state !== "waiting") throw new NotWanted()
    const parent = await tx.lockDocument(base.id)
    if (parent === null || parent.removingSince !== null) throw new Refusal("not-found", GONE)
    const child = childOf(parent, sealing.versionId, version, at)
    // The upload was counted when it came, and nobody knows its id: to the caller there was ever one document.
    await tx.insertDocument(sealing.isUpload ? { ...child, parentId: null } : child, "version")
    const { id: sealingId, sealId, kind } = sealing
    const [documentId, renewAt] = [child.id, renewalOf(archiveEndsAt, at)]
    await tx.insertSealed({ documentId, kind, sealId, sealingId, firstId: documentId, renewAt })
    await tx.appendJournal(journalOfDocument("document.created", child, at))
    if (sealing.isUpload) await tx.removeDocument(parent, at)
    await tx.endSealing(sealing, { state: "done" }, at)
    await tx.appendEvidence(sealing.id, [
      {
        type: "seal.made",
        at,
        data: {
          seal: sealing.sealId,
          by: sealing.orderedBy,
          onto: base.sha256,
          documentId: child.id,
          sha256: child.sha256,
        },
      },
    ])
  })
}
