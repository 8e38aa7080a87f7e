import type { Caller } from "../access/caller.ts"
import { mustRead } from "../access/may.ts"
import type { Bytes, ReadBlob, Transact } from "../ports.ts"
import type { Document } from "./model.ts"

/** The document itself, for whoever may read it. */
export async function readDocument(
  parts: { readonly transact: Transact },
  caller: Caller,
  id: string,
): Promise<Document> {
  return mustRead(caller, await parts.transact(caller.businessId, (tx) => tx.findDocument(id)))
}

/** Its bytes, exactly as uploaded or signed (DOC-06). */
export async function readContent(
  parts: { readonly transact: Transact; readonly readBlob: ReadBlob },
  caller: Caller,
  id: string,
): Promise<{ document: Document; bytes: Bytes }> {
  const document = await readDocument(parts, caller, id)
  return { document, bytes: parts.readBlob(document.businessId, document.blob) }
}
