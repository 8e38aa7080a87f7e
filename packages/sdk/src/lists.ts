import type { List, Page } from "./operations.ts"

/** One page as it was answered; `cursor` is where it begins, if it is not the first. */
export type AskPage = (
  cursor: string | undefined,
) => Promise<{ readonly data: unknown; readonly headers: Headers }>

type Read = { readonly page: Page<unknown>; readonly hasMore: boolean }

/** What `events` has that the other lists have not: it goes on where it ended, and a page may be empty on the way. */
type EventPage = {
  readonly events: readonly unknown[]
  readonly next: string | null
  readonly has_more: boolean
}

export function listed<Item>(ask: AskPage): List<Item> {
  async function* pages(): AsyncGenerator<Page<Item>> {
    let cursor: string | undefined
    for (;;) {
      const { data, headers } = await ask(cursor)
      const { page, hasMore } = read(data, headers)
      yield page as Page<Item>
      if (!hasMore || page.next === null) return
      cursor = page.next
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items
    },
  }
}

function read(data: unknown, headers: Headers): Read {
  if (Array.isArray(data)) {
    const next = nextCursor(headers.get("link"))
    return { page: { items: data, next }, hasMore: next !== null }
  }
  const { events, next, has_more } = data as EventPage
  return { page: { items: events, next }, hasMore: has_more }
}

/** RFC 8288. Of the address only the cursor counts: the token goes nowhere that an answer says. */
export function nextCursor(header: string | null): string | null {
  for (const [, address = "", parameters = ""] of (header ?? "").matchAll(/<([^<>]*)>([^<]*)/g))
    if (/;\s*rel="?next"?\s*(?:[;,]|$)/.test(parameters)) return cursorOf(address)
  return null
}

const cursorOf = (address: string): string | null =>
  new URLSearchParams(address.split("?")[1] ?? "").get("cursor")
