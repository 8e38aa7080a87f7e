import type { ListDocuments } from "@paraph/core/document/model"
import { type RawBuilder, sql } from "kysely"

type Asked = Pick<ListDocuments, "pageSize" | "from">

/**
 * The part of a query that makes it one page of a list, the newest first: a condition and an order over a column of time and
 * one of ids, and one row more than is shown. A cursor is a place in the index that has both.
 */
export function pageOf({ pageSize, from }: Asked, at: RawBuilder<unknown>, id: RawBuilder<unknown>) {
  const backwards = from.type === "before"
  const direction = sql.raw(backwards ? "asc" : "desc")
  const place =
    from.type === "page"
      ? sql<boolean>`true`
      : sql<boolean>`(${at}, ${id}) ${sql.raw(backwards ? ">" : "<")} (${from.cursor.createdAt}, ${from.cursor.id})`
  const skipped = from.type === "page" ? (from.number - 1) * pageSize : 0
  return {
    place,
    rest: sql`order by ${at} ${direction}, ${id} ${direction} limit ${pageSize + 1} offset ${skipped}`,
  }
}

/** What was found by it, as it is shown. */
export function shownOf<T>({ pageSize, from }: Asked, rows: readonly T[]) {
  const backwards = from.type === "before"
  const more = rows.length > pageSize
  const page = rows.slice(0, pageSize)
  return {
    entries: backwards ? page.reverse() : page,
    hasNext: backwards || more,
    hasPrevious: backwards ? more : from.type === "after" || (from.type === "page" && from.number > 1),
  }
}
