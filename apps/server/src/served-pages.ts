import type { Document } from "@paraph/core/document/model"
import type { SignerSession } from "@paraph/core/login/signer"
import type { ServedRange } from "@paraph/core/signature-request/served-pages"

export type RecordServed = (idHash: Uint8Array, range: ServedRange) => Promise<void>

/** Records one page, or the whole document where none is named. */
export type NoteServed = (signer: SignerSession, document: Document, page?: number) => Promise<void>

/** What this process has recorded lately; a page is fetched again in another width, or when a person scrolls back. */
const MOST_KNOWN = 50_000

/** A page that cannot be recorded is shown all the same: the evidence then says less than was served, and never more. */
export function createServedPages(record: RecordServed, onFault: (error: unknown) => void): NoteServed {
  const known = new Set<string>()
  return async ({ idHash }, { id: documentId, pageCount }, page) => {
    const key = `${Buffer.from(idHash).toString("base64")} ${documentId} ${page ?? "all"}`
    if (known.has(key)) return
    known.add(key)
    for (const oldest of known) {
      if (known.size <= MOST_KNOWN) break
      known.delete(oldest)
    }
    const [start, end] = page === undefined ? [0, pageCount] : [page, page + 1]
    await record(idHash, { documentId, pageCount, start, end }).catch((error: unknown) => {
      known.delete(key)
      onFault(error)
    })
  }
}
