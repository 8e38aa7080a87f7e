import type { Caller } from "../access/caller.ts"
import type { Read } from "../ports.ts"
import type { JournalPage, JournalPlace } from "./model.ts"

export type ReadEvents = { readonly after: JournalPlace | null; readonly pageSize: number }

/** Decisions, "webhooks": the journal with a cursor, as far as the caller may read it (choice 127). */
export const readEvents = (
  parts: { readonly read: Read },
  caller: Caller,
  { after, pageSize }: ReadEvents,
): Promise<JournalPage> =>
  parts.read(caller.businessId, (reading) => reading.eventsAfter(caller, after, pageSize))
