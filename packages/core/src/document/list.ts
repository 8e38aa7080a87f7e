import type { Caller } from "../access/caller.ts"
import { mayRead } from "../access/may.ts"
import type { Read } from "../ports.ts"
import type { DocumentPage, ListDocuments } from "./model.ts"

/** DOC-07: those that the caller can read, also while they go with a deleted request. */
export async function listDocuments(
  parts: { readonly read: Read },
  caller: Caller,
  asked: ListDocuments,
): Promise<DocumentPage> {
  const page = await parts.read(caller.businessId, (reading) => reading.listDocuments(caller, asked))
  // The store has looked for the caller's own; whether each may be read is still said in one place alone.
  return { ...page, documents: page.documents.filter((document) => mayRead(caller, document)) }
}
