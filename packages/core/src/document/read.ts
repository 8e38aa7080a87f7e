import type { Caller } from "../access/caller.ts"
import { mustRead } from "../access/may.ts"
import type { Read } from "../ports.ts"
import type { Document } from "./model.ts"

/** The document itself, for whoever may read it; its bytes are read by `readContent` of the ports. */
export async function readDocument(
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<Document> {
  return mustRead(caller, await parts.read(caller.businessId, (reading) => reading.findDocument(id)))
}
