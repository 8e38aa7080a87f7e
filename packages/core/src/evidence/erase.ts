import type { Caller } from "../access/caller.ts"
import type { ListDocuments } from "../document/model.ts"
import type { Clock, Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Kind } from "../signature-request/model.ts"
import type { Evidence, ToldStory } from "./model.ts"

/** What a story can be about. */
export type About = "signature-request" | "seal" | "validation"

export type Erasure = {
  readonly id: string
  readonly about: About
  /** Somebody deleted it, or its time was over. */
  readonly reason: "deleted" | "retention"
  /** The id of the key or of the person; never a name, since it stays. */
  readonly by: string
  readonly at: Date
}

export const deletedBy = (caller: Caller): Pick<Erasure, "reason" | "by"> => ({
  reason: "deleted",
  by: caller.via === "session" ? caller.userId : caller.keyId,
})

export const OUT_OF_TIME: Pick<Erasure, "reason" | "by"> = { reason: "retention", by: "retention" }

/** What is said of it for good: nothing of anybody, and enough for whoever has the story to know that it is this one. */
export const evidenceOfErasure = (
  { id, about, reason, by, at }: Erasure,
  erased: { readonly events: number; readonly entriesSha256: string; readonly rowsSha256: string },
): Evidence => ({
  type: "story.erased",
  at,
  data: {
    story: id,
    about,
    events: erased.events,
    entries_sha256: erased.entriesSha256,
    rows_sha256: erased.rowsSha256,
    reason,
    by,
  },
})

/** That something was erased (ADR 0055): its own story is told for as long as the business is there. */
export type Receipt = Omit<Erasure, "id"> & {
  readonly id: string
  readonly storyId: string
  readonly kind: Kind
  /** How many the story had. */
  readonly events: number
}

export type ListReceipts = Omit<ListDocuments, "search"> & { readonly storyId: string | null }

export type ReceiptPage = {
  /** Newest first. */
  readonly receipts: readonly Receipt[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

type Parts = { readonly read: Read; readonly now: Clock }

/** Nothing in a receipt is about a person, so whoever acts for the business reads all of its kind. */
export const listReceipts = (
  parts: Pick<Parts, "read">,
  caller: Caller,
  asked: ListReceipts,
): Promise<ReceiptPage> => parts.read(caller.businessId, (reading) => reading.listReceipts(caller, asked))

/** With its story, which proves it. */
export const readReceipt = (
  parts: Pick<Parts, "read">,
  caller: Caller,
  id: string,
): Promise<{ readonly receipt: Receipt; readonly story: ToldStory }> =>
  parts.read(caller.businessId, async (reading) => {
    const receipt = await reading.findReceipt(id)
    const story = receipt?.kind === caller.kind ? await reading.findStory(id) : null
    if (receipt === null || story === null) throw new Refusal("not-found", "There is no such object.")
    return { receipt, story }
  })
