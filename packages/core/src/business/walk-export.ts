import type { Caller } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, Read } from "../ports.ts"
import type { Kind } from "../signature-request/model.ts"

/** In the order of an archive: requests, then the documents of none, then the receipts of what is gone. */
const PARTS = ["request", "document", "receipt"] as const
export type ExportPart = (typeof PARTS)[number]

/** Where a list goes on: behind this one, in the order in which they were made. */
export type ExportPlace = { readonly createdAt: Date; readonly id: string }
export type ExportCursor = ExportPlace & { readonly of: ExportPart }

export type AskedPage = {
  readonly of: ExportPart
  readonly kind: Kind
  readonly after: ExportPlace | null
  /** What is made later is not of this export: it comes to an end, however much is made meanwhile. */
  readonly until: Date
  /** How many rows are looked at; of these, some may be none to export. */
  readonly limit: number
}

export type ExportPage = {
  /** With how many files each has at most. */
  readonly found: readonly (ExportPlace & { readonly files: number })[]
  /** How many were looked at. */
  readonly seen: number
  /** The last that was looked at; null: there are no more. */
  readonly next: ExportPlace | null
}

type Parts = { readonly read: Read; readonly now: Clock }

/** What one archive has. */
export type Stretch = {
  /** Behind which it begins; null: it is the first one. */
  readonly after: ExportCursor | null
  /** The last that it has, behind which the next archive begins; null: this one goes to the end. */
  readonly next: ExportCursor | null
  readonly at: Date
}

/** A page at a time, each by itself: nothing is held between two of them, neither rows nor memory. */
async function* pagesOf(parts: Parts, { businessId, kind }: Caller, stretch: Stretch, limit: number) {
  const { after: from, next: to, at } = stretch
  const first = from === null ? 0 : PARTS.indexOf(from.of)
  const last = to === null ? PARTS.length - 1 : PARTS.indexOf(to.of)
  for (const of of PARTS.slice(first, last + 1)) {
    let after: ExportPlace | null = from?.of === of ? from : null
    // What is deleted while the archive is made is not in it; so its receipt is.
    const until = of === "receipt" ? parts.now() : at
    do {
      const asked: AskedPage = { of, kind, after, until, limit }
      const page: ExportPage = await parts.read(businessId, (reading) => reading.exportPage(asked))
      yield { of, ...page }
      after = page.next
    } while (after !== null && (to === null || isBehind(to, { of, ...after })))
  }
}

/** Its list of files is held until the end, and nobody waits for ever until it begins: so there is a limit to both. */
export async function endOfArchive(parts: Parts, caller: Caller, after: ExportCursor | null, at: Date) {
  const counts = { requests: 0, documents: 0, receipts: 0 }
  let [files, seen] = [0, 0]
  let last: ExportCursor | null = null
  const all = { after, next: null, at }
  for await (const page of pagesOf(parts, caller, all, LIMITS.exportLookedAtOnce)) {
    for (const { files: more, createdAt, id } of page.found) {
      if (last !== null && files + more > LIMITS.exportedFiles) return { counts, next: last }
      files += more
      counts[`${page.of}s`] += 1
      last = { of: page.of, createdAt, id }
    }
    seen += page.seen
    if (page.next !== null) last = { of: page.of, ...page.next }
    if (seen >= LIMITS.exportLooked && page.next !== null) return { counts, next: last }
  }
  return { counts, next: null }
}

/** All that one archive has, as it goes. */
export async function* exportedPlaces(
  parts: Parts,
  caller: Caller,
  stretch: Stretch,
): AsyncGenerator<ExportCursor> {
  const { next } = stretch
  for await (const { of, found } of pagesOf(parts, caller, stretch, LIMITS.exportReadAtOnce))
    for (const { createdAt, id } of found) {
      const place = { of, createdAt, id }
      if (next !== null && isBehind(place, next)) return
      yield place
    }
}

/** As the database compares them: ids in lower case are in the order of their octets. */
function isBehind(one: ExportCursor, other: ExportCursor): boolean {
  if (one.of !== other.of) return PARTS.indexOf(one.of) > PARTS.indexOf(other.of)
  const later = one.createdAt.getTime() - other.createdAt.getTime()
  return later === 0 ? one.id > other.id : later > 0
}
