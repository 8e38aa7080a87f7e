import type { Caller } from "../access/caller.ts"
import { mustRead } from "../access/may.ts"
import type { Bytes, Read, ReadBlob } from "../ports.ts"
import type { Document } from "./model.ts"

/** The document itself, for whoever may read it. */
export async function readDocument(
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<Document> {
  return mustRead(caller, await parts.read(caller.businessId, (reading) => reading.findDocument(id)))
}

/** Its bytes, exactly as uploaded or signed (DOC-06). */
export async function readContent(
  parts: { readonly read: Read; readonly readBlob: ReadBlob },
  caller: Caller,
  id: string,
): Promise<{ document: Document; bytes: Bytes }> {
  const document = await readDocument(parts, caller, id)
  return { document, bytes: parts.readBlob(document.businessId, document.blob) }
}
