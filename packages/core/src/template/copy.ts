import { type Caller, ownedBy } from "../access/caller.ts"
import type { Document } from "../document/model.ts"
import type { Abandon, HoldBytes, KeepHeld, ReadContent } from "../document/ports.ts"
import type { Clock, NewId } from "../ports.ts"

export type CopyParts = {
  readonly readContent: ReadContent
  readonly holdBytes: HoldBytes
  readonly keepHeld: KeepHeld
  readonly abandon: Abandon
  readonly newId: NewId
  readonly now: Clock
}

/**
 * The same bytes under a key of their own, as documents of the caller: so what is signed is theirs and not of whoever made the
 * template, and goes with the request. The rows are for `work` to insert; where it fails, nothing is left.
 */
export async function withCopies<T>(
  parts: CopyParts,
  caller: Caller,
  documents: readonly Document[],
  work: (copies: readonly Document[]) => Promise<T>,
): Promise<T> {
  const copies: Document[] = []
  try {
    for (const document of documents) copies.push(await copyOf(parts, caller, document))
    return await work(copies)
  } catch (error) {
    for (const { blob } of copies) await parts.abandon(blob)
    throw error
  }
}

/** It was looked at and scanned when it came; it is the very same. */
async function copyOf(parts: CopyParts, caller: Caller, document: Document): Promise<Document> {
  const held = await parts.holdBytes(caller, parts.readContent(document))
  try {
    if (held.sha256 !== document.sha256) throw new Error("The stored document is another than its row says.")
    const blob = await parts.keepHeld(held)
    const now = parts.now()
    const own = { id: parts.newId(), ...ownedBy(caller), blob, readAccess: [], writeAccess: [] }
    return { ...document, ...own, parentId: null, createdAt: now, updatedAt: now, removingSince: null }
  } finally {
    await held.release()
  }
}
