import type { Caller } from "../access/caller.ts"
import { journalOfDocument } from "../journal/of-change.ts"
import type { Transact } from "../ports.ts"
import type { Document } from "./model.ts"
import { type DocumentSource, type IntakeParts, takeIn } from "./take-in.ts"

export type CreateDocument = {
  readonly title: string
  readonly source: DocumentSource
  /** What would be refused for its view is flattened instead. */
  readonly flatten: boolean
}

/** Part 4.2: takes a PDF in. */
export async function createDocument(
  parts: IntakeParts & { readonly transact: Transact },
  caller: Caller,
  { title, source, flatten }: CreateDocument,
): Promise<Document> {
  const document = await takeIn(parts, caller, title, source, flatten ? "asked" : "possible")
  await parts.transact(caller.businessId, async (tx) => {
    await tx.insertDocument(document)
    await tx.appendJournal(journalOfDocument("document.created", document, document.createdAt))
  })
  return document
}
