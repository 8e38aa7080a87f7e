import type { Caller } from "../access/caller.ts"
import type { DocumentSource } from "../document/take-in.ts"
import { type IntakeParts, takeIn } from "../document/take-in.ts"
import { visualFault } from "../document/visual.ts"
import type { Read, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { chosen, maySeal } from "./choose.ts"
import { demoHolder } from "./holder.ts"
import type { Seal } from "./model.ts"
import type { OrderedVisual } from "./ports.ts"

export type OrderSeal = {
  readonly title: string
  readonly source: DocumentSource
  /** Null: the business's own first one. */
  readonly accountName: string | null
  readonly visual: OrderedVisual
}

export type OrderParts = IntakeParts & { readonly transact: Transact; readonly read: Read }

/** What a demo seal is called that nobody has made. */
const FIRST_NAME = "default"

/** Asked before a body of a hundred megabytes is read for nothing. */
export const mustSeal = (parts: { readonly read: Read }, caller: Caller): Promise<void> =>
  parts.read(caller.businessId, (reading) => maySeal(reading, caller))

/**
 * SEAL-01: takes the PDF in as any other, and has a worker seal it, who alone reaches the keys. Answers the id of the order;
 * the id of the document to be is on record with it.
 */
export async function orderSeal(
  parts: OrderParts,
  caller: Caller,
  order: OrderSeal,
): Promise<{ readonly sealingId: string }> {
  const { businessId, kind } = caller
  // Before the document is looked into: what is refused here costs nobody anything.
  await parts.read(businessId, async (reading) => {
    await maySeal(reading, caller)
    const seals = await reading.listSeals(kind)
    if (!isFirstDemo(kind, seals, order.accountName)) chosen(seals, order.accountName, parts.now())
  })
  const base = await takeIn(parts, caller, order.title, order.source)
  const { position, image } = order.visual
  const fault = visualFault(base, position && { type: "positions", positions: [position] })
  if (fault !== null) {
    await parts.abandon(base.blob)
    throw new Refusal("constraint-violated", fault)
  }
  const id = parts.newId()
  return parts.transact(businessId, async (tx) => {
    await maySeal(tx, caller)
    const seal = await sealOf(tx, parts, caller, order.accountName)
    const createdAt = base.createdAt
    const imageId = image === null ? null : parts.newId()
    if (image !== null && imageId !== null)
      await tx.keepOrderedImage(businessId, { id: imageId, png: image }, createdAt)
    await tx.insertDocument(base)
    const of = { id, businessId, kind, sealId: seal.id, batchId: null, baseId: base.id, isUpload: true }
    const versionId = parts.newId()
    const orderedBy = caller.username
    await tx.insertSealings([{ ...of, versionId, position, imageId, orderedBy, createdAt }])
    await tx.appendEvidence(id, [
      {
        type: "seal.ordered",
        at: createdAt,
        data: { seal: seal.id, by: orderedBy, sha256: base.sha256, documentId: versionId },
      },
    ])
    await tx.enqueueSealing({ task: "seal-document", businessId, sealingId: id }, kind)
    return { sealingId: id }
  })
}

/** Of two orders at once that would make the first demo seal, one does, and both get that one. */
export async function sealOf(
  tx: Tx,
  parts: Pick<OrderParts, "now" | "newId">,
  caller: Caller,
  name: string | null,
): Promise<Seal> {
  const { businessId, kind } = caller
  const seals = await tx.listSeals(kind)
  if (!isFirstDemo(kind, seals, name)) return chosen(seals, name, parts.now())
  const { name: businessName } = await tx.settings()
  const holder = demoHolder(businessName)
  const at = parts.now()
  const of = { id: parts.newId(), businessId, kind, name: FIRST_NAME, createdAt: at }
  const seal = await tx.insertSeal({ ...of, holder, issuer: "service", key: "P-256" })
  if (seal.id !== of.id) return seal
  await tx.appendAudit({
    at,
    by: caller.username,
    act: "seal create",
    target: `seal ${seal.id}`,
    after: { kind, name: seal.name, organization: holder.organization },
  })
  return seal
}

/** Choice 371: whoever tests gets a seal to test with, and asks nobody for it. */
const isFirstDemo = (kind: Caller["kind"], seals: readonly Seal[], name: string | null): boolean =>
  kind === "demo" && seals.length === 0 && (name === null || name.trim().toLowerCase() === FIRST_NAME)
