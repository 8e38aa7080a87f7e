import type { Caller } from "../access/caller.ts"
import { mayRead, mustRead } from "../access/may.ts"
import type { Read } from "../ports.ts"
import type { Document } from "./model.ts"

/** The document itself, for whoever may read it; its bytes are read by `readContent` of the ports. */
export async function readDocument(
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<Document> {
  return parts.read(caller.businessId, async (reading) => {
    const document = await reading.findDocument(id)
    // Asked only where the document itself does not say so: who reads a request reads what it is about (SR-06, SR-27).
    const isOthers = document !== null && !mayRead(caller, document)
    const isThrough =
      isOthers &&
      ((await reading.readsRequestOf(caller, id)) ||
        // And who may use a template sees what it would send (choice 265).
        (document.kind === caller.kind && (await reading.isInTemplate(id, caller.kind))))
    return isThrough ? document : mustRead(caller, document)
  })
}
