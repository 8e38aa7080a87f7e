import type { QueryFunctionContext } from "@tanstack/react-query"
import { api, must } from "../../api/client.ts"
import { queries } from "../../api/queries.ts"
import type { JournalEvent } from "../../api/types.ts"

const KEPT = 1000
const PAGE_SIZE = "500"

let after: string | null = null

/** The journal is read from its beginning, as integrators read it; what is known is not asked for again. */
export async function readJournal({
  queryKey,
  signal,
}: QueryFunctionContext): Promise<readonly JournalEvent[]> {
  let known = queries.getQueryData<readonly JournalEvent[]>(queryKey) ?? []
  if (known.length === 0) after = null
  for (let hasMore = true; hasMore; ) {
    const query = { page_size: PAGE_SIZE, ...(after !== null && { after }) }
    const page = must(await api.GET("/events", { params: { query }, signal }))
    after = page.next ?? after
    hasMore = page.has_more
    known = newestFirst([...page.events, ...known])
  }
  return known
}

/** An event may be told twice; its id is how one knows. */
const newestFirst = (events: readonly JournalEvent[]): readonly JournalEvent[] =>
  [...new Map(events.map((event) => [event.id, event])).values()]
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
    .slice(0, KEPT)
