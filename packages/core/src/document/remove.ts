import type { Caller } from "../access/caller.ts"
import { mustWrite } from "../access/may.ts"
import { deletedBy } from "../evidence/erase.ts"
import { journalOfDocument } from "../journal/of-change.ts"
import type { Clock, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { RequestWithDocument } from "./ports.ts"

const CASCADE_RETRY_SECONDS = 5

/** Part 4.2: the row goes, and with it the only key to the bytes; the object itself is swept afterwards. */
export function removeDocument(
  parts: { readonly transact: Transact; readonly now: Clock },
  caller: Caller,
  id: string,
): Promise<void> {
  return parts.transact(caller.businessId, async (tx) => {
    const document = mustWrite(caller, await tx.lockDocument(id))
    if (document.removingSince !== null)
      throw new Refusal("being-removed", "The document is being removed with its request. Try again later.", {
        retryAfterSeconds: CASCADE_RETRY_SECONDS,
      })
    for (const request of await tx.requestsWith(id)) throw refusalFor(request)
    if (await tx.isInTemplate(id, document.kind))
      throw new Refusal("document-in-use", "A template has this document.")
    const now = parts.now()
    const sealed = await tx.lockSealed(id)
    await tx.removeDocument(document, now)
    await tx.appendJournal(journalOfDocument("document.deleted", document, now))
    for (const renewed of await tx.renewedFrom(id)) await removeRenewed(tx, renewed, now)
    if (sealed !== null && !(await tx.isSealLeft(sealed)))
      await tx.eraseStory({ id: sealed.sealingId, about: "seal", at: now, ...deletedBy(caller) })
  })
}

/** What the service made of it by itself, to keep it provable, goes with it; unless somebody has made use of it since. */
async function removeRenewed(tx: Tx, id: string, now: Date): Promise<void> {
  const document = await tx.lockDocument(id)
  if (document === null || document.removingSince !== null) return
  if ((await tx.requestsWith(id)).length > 0 || (await tx.isInTemplate(id, document.kind))) return
  await tx.removeDocument(document, now)
  await tx.appendJournal(journalOfDocument("document.deleted", document, now))
}

/** Part 2.5, rule 5: a request keeps at least one document; what it still needs goes with it, not before. */
function refusalFor({ documentCount }: RequestWithDocument): Refusal {
  return documentCount === 1
    ? new Refusal("last-document", "This is the last document of a signature request.")
    : new Refusal("document-in-use", "A signature request has this document.")
}
