import type { Caller } from "@paraph/core/access/caller"
import { comparableName } from "@paraph/core/access/user-name"
import type { DocumentPage, ListDocuments } from "@paraph/core/document/model"
import { sql } from "kysely"
import { containing } from "./containing.ts"
import type { Trx } from "./database.ts"
import { type DetailsSealer, fromRow } from "./document-rows.ts"
import { documentRows } from "./documents.ts"

/**
 * One range of one index, however many documents there are: `document_reader` is in the order of the list. A cursor is a
 * place in it, so the thousandth page costs what the first one does; a page number has to skip what comes before.
 */
export async function listDocuments(
  trx: Trx,
  sealer: DetailsSealer,
  caller: Caller,
  { pageSize, search, from }: ListDocuments,
): Promise<DocumentPage> {
  const backwards = from.type === "before"
  const direction = backwards ? "asc" : "desc"
  let places = trx
    .selectFrom("document_reader as r")
    .select(["r.document_id", "r.created_at"])
    .where("r.business_id", "=", caller.businessId)
    .where("r.kind", "=", caller.kind)
    .where("r.username", "=", comparableName(caller.username))
    .orderBy("r.created_at", direction)
    .orderBy("r.document_id", direction)
    .limit(pageSize + 1)
  if (search !== null)
    places = places
      .innerJoin("document as d", "d.id", "r.document_id")
      .where("d.title", "ilike", containing(search))
  if (from.type === "page") places = places.offset((from.number - 1) * pageSize)
  else {
    const { createdAt, id } = from.cursor
    const than = sql.raw(backwards ? ">" : "<")
    places = places.where(sql<boolean>`(r.created_at, r.document_id) ${than} (${createdAt}, ${id})`)
  }
  // The places first: only what is shown is looked up.
  const rows = await documentRows(trx)
    .innerJoin(places.as("place"), "place.document_id", "document.id")
    .orderBy("place.created_at", direction)
    .orderBy("place.document_id", direction)
    .execute()
  const more = rows.length > pageSize
  const documents = await Promise.all(rows.slice(0, pageSize).map((row) => fromRow(trx, sealer, row)))
  return {
    documents: backwards ? documents.reverse() : documents,
    hasNext: backwards || more,
    hasPrevious: backwards ? more : from.type === "after" || from.number > 1,
  }
}
