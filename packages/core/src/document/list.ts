import type { Caller } from "../access/caller.ts"
import { mayRead } from "../access/may.ts"
import type { Read } from "../ports.ts"
import type { Document } from "./model.ts"

/** A place between two documents of a list; where to go on, however many came before. */
export type DocumentCursor = { readonly createdAt: Date; readonly id: string }

export type ListDocuments = {
  readonly pageSize: number
  /** In the title, without regard to case. */
  readonly search: string | null
  readonly from:
    | { readonly type: "page"; readonly number: number }
    | { readonly type: "after"; readonly cursor: DocumentCursor }
    | { readonly type: "before"; readonly cursor: DocumentCursor }
}

export type DocumentPage = {
  /** Newest first. */
  readonly documents: readonly Document[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

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
