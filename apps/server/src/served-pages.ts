import type { Document } from "@paraph/core/document/model"
import type { SignerSession } from "@paraph/core/login/signer"
import type { ServedRange } from "@paraph/core/signature-request/served-pages"
import type { FastifyReply } from "fastify"

export type RecordServed = (idHash: Uint8Array, range: ServedRange) => Promise<void>

/** The response of an HTTP call, as Node has it. */
export type SentResponse = Pick<FastifyReply["raw"], "statusCode" | "once">

export type ServedPages = {
  /**
   * Records one page, or the whole document where none is named, once the response was sent completely and with status 200.
   * To be called before the response begins.
   */
  readonly recordWhenSent: (
    response: SentResponse,
    signer: SignerSession,
    document: Document,
    page?: number,
  ) => void
  /** Waits until the pages that this process has sent to the session are recorded, so that a consent names them. */
  readonly recorded: (signer: SignerSession) => Promise<void>
}

/** What this process has recorded lately; a page is fetched again in another width, or when a person scrolls back. */
const MOST_KNOWN = 50_000

/** A page that cannot be recorded is shown all the same: the evidence then says less than was served, and never more. */
export function createServedPages(record: RecordServed, onFault: (error: unknown) => void): ServedPages {
  const known = new Set<string>()
  const pending = new Map<string, Set<Promise<void>>>()

  async function recordOnce(
    session: string,
    { idHash }: SignerSession,
    { id: documentId, pageCount }: Document,
    page?: number,
  ): Promise<void> {
    const key = `${session} ${documentId} ${page ?? "all"}`
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

  return {
    recordWhenSent: (response, signer, document, page) => {
      const session = sessionOf(signer)
      // Node emits "finish" when the last byte was handed to the operating system, and not for a connection that ended before.
      response.once("finish", () => {
        if (response.statusCode !== 200) return
        const ofSession = pending.get(session) ?? new Set()
        pending.set(session, ofSession)
        const recording = recordOnce(session, signer, document, page).finally(() => {
          ofSession.delete(recording)
          if (ofSession.size === 0) pending.delete(session)
        })
        ofSession.add(recording)
      })
    },
    recorded: async (signer) => {
      await Promise.all(pending.get(sessionOf(signer)) ?? [])
    },
  }
}

const sessionOf = ({ idHash }: SignerSession): string => Buffer.from(idHash).toString("base64")
