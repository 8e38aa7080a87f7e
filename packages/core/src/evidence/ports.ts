import type { Caller } from "../access/caller.ts"
import type { Erasure, ListReceipts, Receipt, ReceiptPage } from "./erase.ts"

/** Stories: how they are held, and how they end. */

/** Why is between those who look after the business: whoever reads the story does not read it there. */
export type KeptHold = { readonly since: Date; readonly reason: string }

export type StoriesReading = {
  /** Since when somebody may need it, and why; null: nobody has said so. */
  readonly holdOf: (id: string) => Promise<KeptHold | null>
  /** Of the kind of the caller's key, the newest first. */
  readonly listReceipts: (caller: Caller, asked: ListReceipts) => Promise<ReceiptPage>
  readonly findReceipt: (id: string) => Promise<Receipt | null>
}

export type StoriesTx = {
  readonly holdOf: StoriesReading["holdOf"]
  /** Null: no longer. Under the lock of the request. */
  readonly holdStory: (id: string, hold: KeptHold | null) => Promise<void>
  /**
   * Destroys the key of the story, and begins another one, which says that. What is left of it elsewhere goes soon after. Nothing
   * happens where there is no story, or it was erased before.
   */
  readonly eraseStory: (erasure: Erasure) => Promise<void>
}
