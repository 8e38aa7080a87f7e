import type { Caller } from "../access/caller.ts"
import type { ActivitiesBetween, ActivityPage } from "../activity/list.ts"
import type { JournalEntry, JournalPage, JournalPlace } from "./model.ts"

/** What has happened, for who asks and for who is told. */
export type JournalReading = {
  /** Of the kind of the caller's key, as far as the caller may read them. */
  readonly eventsAfter: (caller: Caller, after: JournalPlace | null, pageSize: number) => Promise<JournalPage>
  /** Signatures that were made on requests that the caller may read. */
  readonly listActivities: (caller: Caller, asked: ActivitiesBetween) => Promise<ActivityPage>
}

export type JournalTx = {
  /** What is appended is owed to the webhooks that want it, in the same transaction. */
  readonly appendJournal: (entries: readonly JournalEntry[]) => Promise<void>
}
