import type { Caller } from "../access/caller.ts"
import { mustWrite } from "../access/may.ts"
import { journalOfDocument } from "../journal/of-change.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Document, Watermark } from "./model.ts"
import type { HoldDocument, WatermarkPdf } from "./ports.ts"
import { appended, childOf, type VersionParts } from "./version.ts"

export type WatermarkParts = VersionParts & {
  readonly read: Read
  readonly transact: Transact
  readonly holdDocument: HoldDocument
  readonly watermarkPdf: WatermarkPdf
  readonly now: Clock
  readonly newId: NewId
}

/** The only modification of a stored document (part 2.5, rule 4): a new document, and the parent stays as it is. */
export async function addWatermark(
  parts: WatermarkParts,
  caller: Caller,
  id: string,
  watermark: Watermark,
): Promise<Document> {
  const { businessId } = caller
  const parent = mustWrite(caller, await parts.read(businessId, (reading) => reading.findDocument(id)))
  mustBeUnsigned(parent)
  mustBeWithin(parent, watermark)
  const held = await parts.holdDocument(parent)
  const version = await (async () => {
    try {
      return await appended(parts, held, await parts.watermarkPdf(held, watermark))
    } finally {
      await held.release()
    }
  })()
  return parts.transact(businessId, async (tx) => {
    // Asked again under its lock: it may have been removed, or sent for signature, while the watermark was drawn.
    const still = mustWrite(caller, await tx.lockDocument(id))
    if (still.removingSince !== null)
      throw new Refusal("being-removed", "The document is being removed with its request.")
    if ((await tx.requestsWith(id)).some(({ status }) => status === "OPEN"))
      throw new Refusal("document-in-use", "The document is being signed.")
    // The pages are other ones now: they are rendered when a request opens.
    const child = { ...childOf(still, parts.newId(), version, parts.now()), viewChecked: false }
    await tx.insertDocument(child)
    await tx.appendJournal(journalOfDocument("document.created", child, child.createdAt))
    return child
  })
}

/** Decisions, "watermark": what was signed stays as it was signed. */
function mustBeUnsigned(document: Document): void {
  if (document.signatureFields.some(({ signed }) => signed))
    throw new Refusal("document-signed", "A signed document gets no watermark.")
}

function mustBeWithin({ pageCount }: Document, { pages = [] }: Watermark): void {
  const beyond = pages.find((page) => page >= pageCount)
  if (beyond !== undefined)
    throw new Refusal("constraint-violated", `The document has ${pageCount} pages, counted from 0.`)
}
