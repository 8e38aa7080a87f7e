import type { AskedPage, ExportPage, ExportPart, ExportPlace } from "@paraph/core/business/walk-export"
import { type RawBuilder, sql } from "kysely"
import type { Trx } from "./database.ts"

/** Null: it is none to export. */
type Row = ExportPlace & { readonly files: number | null }

/**
 * One range of one index, however much a business has: each table has one in the order of the export (0031). Of documents most are
 * those of requests: they are looked at and passed by, and the next page goes on behind the last that was looked at.
 */
export async function exportPage(
  trx: Trx,
  businessId: string,
  { of, kind, after, until, limit }: AskedPage,
): Promise<ExportPage> {
  const { table, at, files } = LISTS[of]
  const behind =
    after === null ? sql`true` : sql`(l.${at}, l.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<Row>`
    select l.${at} as "createdAt", l.id, ${files} as files from ${table} l
     where l.business_id = ${businessId} and l.kind = ${kind} and l.${at} <= ${until} and ${behind}
     order by l.${at}, l.id limit ${limit}`.execute(trx)
  const found = rows.flatMap(({ files, ...place }) => (files === null ? [] : [{ ...place, files }]))
  const last = rows.at(-1)
  const next = last === undefined || rows.length < limit ? null : { createdAt: last.createdAt, id: last.id }
  return { found, seen: rows.length, next }
}

type List = {
  readonly table: RawBuilder<unknown>
  readonly at: RawBuilder<unknown>
  readonly files: RawBuilder<unknown>
}

const LISTS: Readonly<Record<ExportPart, List>> = {
  /** Its answer and its story; each document as it is and as it came; its attachments. */
  request: {
    table: sql`signature_request`,
    at: sql`created_at`,
    files: sql`(2 + 2 * (select count(*) from request_document where request_id = l.id)
                  + (select count(*) from attachment where request_id = l.id))::int`,
  },
  /** In no request, as it came or as it became; nor on the way to being removed. Not by `exists`, for which the planner may read all of the other table. */
  document: {
    table: sql`document`,
    at: sql`created_at`,
    files: sql`case when removing_since is null
                     and (select 1 from request_document where document_id = l.id limit 1) is null
                     and (select 1 from request_document where newest_id = l.id limit 1) is null
                     and (select 1 from mark where version_id = l.id limit 1) is null then 3 end`,
  },
  receipt: { table: sql`erasure`, at: sql`erased_at`, files: sql`1` },
}
