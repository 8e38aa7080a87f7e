import type { Caller } from "../access/caller.ts"
import type { StoredAttachment } from "../attachment/ports.ts"
import type { Document } from "../document/model.ts"
import type { ToldStory } from "../evidence/model.ts"
import type { Read } from "../ports.ts"
import type { SignatureRequest } from "../signature-request/model.ts"

export type ExportedRequest = {
  readonly request: SignatureRequest
  /** As they were uploaded, and as they are now. */
  readonly documents: readonly {
    readonly id: string
    readonly original: Document
    readonly newest: Document
  }[]
  readonly attachments: readonly StoredAttachment[]
  readonly story: ToldStory | null
}

/** One request with all that belongs to it, of one moment; null where it was deleted meanwhile. */
export const readExported = (
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<ExportedRequest | null> =>
  parts.read(caller.businessId, async (reading) => {
    const request = await reading.findRequest(id)
    if (request?.kind !== caller.kind) return null
    const ids = request.documents.flatMap((document) => [document.id, document.newestId])
    const found = new Map((await reading.findDocuments([...new Set(ids)])).map((one) => [one.id, one]))
    const documents = request.documents.flatMap(({ id: first, newestId }) => {
      const [original, newest] = [found.get(first), found.get(newestId)]
      return original === undefined || newest === undefined ? [] : [{ id: first, original, newest }]
    })
    const attachments: StoredAttachment[] = []
    for (const { id: attachmentId } of request.attachments) {
      const attachment = await reading.findAttachment(id, attachmentId)
      if (attachment !== null) attachments.push(attachment)
    }
    return { request, documents, attachments, story: await reading.findStory(id) }
  })

/** One that no request has, with the story of its seal where it was sealed; null where it was deleted meanwhile. */
export const readExportedDocument = (
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<{
  readonly document: Document
  readonly sealingId: string | null
  readonly story: ToldStory | null
} | null> =>
  parts.read(caller.businessId, async (reading) => {
    const document = await reading.findDocument(id)
    if (document?.kind !== caller.kind) return null
    const sealed = await reading.findSealed(id)
    if (sealed === null) return { document, sealingId: null, story: null }
    return { document, sealingId: sealed.sealingId, story: await reading.findStory(sealed.sealingId) }
  })

export const readExportedReceipt = (
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<ToldStory | null> => parts.read(caller.businessId, (reading) => reading.findStory(id))
