import type { DocumentCursor, DocumentPage, ListDocuments } from "@paraph/core/document/model"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { UUID } from "@paraph/core/uuid"
import { Type } from "typebox"
import { TEXT } from "./fields.ts"

/** Decisions, "list" and "paging". A query holds strings, and nothing is coerced (choice 9): so patterns. */
export const listMembers = {
  page_number: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{0,8}$", description: "Counted from 1." })),
  page_size: Type.Optional(
    Type.String({
      pattern: "^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$",
      description: "1 to 500; 50 unless given.",
    }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: LIMITS.textCharacters, pattern: TEXT, description: "In the title." }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: "From a Link header; opaque." })),
}
type ListQuery = Type.Static<Type.TObject<typeof listMembers>>

const DEFAULT_PAGE_SIZE = 50

/** Where a list begins, and how much of it is read; the same for everything that is listed. */
export function readPaging(query: ListQuery): ListDocuments {
  if (query.cursor !== undefined && query.page_number !== undefined)
    throw new Refusal("constraint-violated", "At most one of page_number and cursor may be given.")
  return {
    pageSize: query.page_size === undefined ? DEFAULT_PAGE_SIZE : Number(query.page_size),
    search: query.search === undefined || query.search === "" ? null : query.search,
    from:
      query.cursor === undefined
        ? { type: "page", number: Number(query.page_number ?? "1") }
        : readCursor(query.cursor),
  }
}

export const readList = readPaging

export const writeLinks = (
  address: string,
  asked: ListDocuments,
  { documents, hasNext, hasPrevious }: PageOf<DocumentCursor>,
): string | null =>
  linksBeside(address, { ...asked, filters: {} }, { entries: documents, hasNext, hasPrevious })

type PageOf<T> = Omit<DocumentPage, "documents"> & { readonly documents: readonly T[] }

type Asked = Pick<ListDocuments, "pageSize" | "search"> & {
  readonly filters: Readonly<Record<string, string>>
}
type Shown = {
  readonly entries: readonly DocumentCursor[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

/**
 * RFC 8288: the addresses of the pages beside this one, each with a cursor; null where there are none. `address` is that
 * of the list, without a query.
 */
export function linksBeside(address: string, asked: Asked, page: Shown): string | null {
  const first = page.entries[0]
  const last = page.entries.at(-1)
  const link = (rel: "next" | "prev", type: "after" | "before", cursor: DocumentCursor) => {
    const query = new URLSearchParams({ page_size: String(asked.pageSize), ...asked.filters })
    if (asked.search !== null) query.set("search", asked.search)
    query.set("cursor", writeCursor(type, cursor))
    return `<${address}?${query}>; rel="${rel}"`
  }
  const links = [
    ...(page.hasNext && last !== undefined ? [link("next", "after", last)] : []),
    ...(page.hasPrevious && first !== undefined ? [link("prev", "before", first)] : []),
  ]
  return links.length === 0 ? null : links.join(", ")
}

type FromCursor = Exclude<ListDocuments["from"], { type: "page" }>

function writeCursor(type: FromCursor["type"], { createdAt, id }: DocumentCursor): string {
  return Buffer.from(`${type} ${createdAt.getTime()} ${id}`).toString("base64url")
}

const CURSOR = new RegExp(`^(after|before) (\\d{1,15}) (${UUID})$`)

function readCursor(text: string): FromCursor {
  const [, type, time, id] = CURSOR.exec(Buffer.from(text, "base64url").toString()) ?? []
  if (type === undefined || time === undefined || id === undefined)
    throw new Refusal("constraint-violated", "The cursor is none of ours.")
  return { type: type === "after" ? "after" : "before", cursor: { createdAt: new Date(Number(time)), id } }
}
