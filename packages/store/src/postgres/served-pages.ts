import type { ServedPages, ServedRange } from "@paraph/core/signature-request/served-pages"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"

/** Adds pages to those that the session was served; a session that has ended since is served nothing. */
export async function recordServed(
  db: ServiceDatabase,
  idHash: Uint8Array,
  { documentId, pageCount, start, end }: ServedRange,
): Promise<void> {
  await sql`
    insert into served_page (id_hash, document_id, page_count, pages)
    select id_hash, ${documentId}, ${pageCount}, int4multirange(int4range(${start}, ${end}))
      from signer_session where id_hash = ${Buffer.from(idHash)}
    on conflict (id_hash, document_id) do update set pages = served_page.pages + excluded.pages`.execute(db)
}

/** Of this session, and of the signer's others; a preview without a proof of identity does not count. */
export async function servedPages(
  trx: Trx,
  signatureId: string,
  idHash: Uint8Array,
): Promise<readonly ServedPages[]> {
  const { rows } = await sql<Row>`
    select document_id as "documentId", page_count as "pageCount", lower(range) + 1 as first, upper(range) as last,
           (select encode(d.sha256, 'hex') from document d where d.id = document_id) as sha256
      from (select p.document_id, max(p.page_count) as page_count, unnest(range_agg(p.pages)) as range
              from served_page p join signer_session s on s.id_hash = p.id_hash
             where s.signature_id = ${signatureId} and (s.id_hash = ${Buffer.from(idHash)} or s.way <> 'preview')
             group by p.document_id) as served
     order by document_id, first`.execute(trx)
  return [...Map.groupBy(rows, ({ documentId }) => documentId)].map(([documentId, ranges]) => ({
    documentId,
    pageCount: ranges[0]?.pageCount ?? 0,
    sha256: ranges[0]?.sha256 ?? "unknown",
    ranges: ranges.map(({ first, last }) => [first, last] as const),
  }))
}

type Row = {
  readonly documentId: string
  readonly pageCount: number
  readonly first: number
  readonly last: number
  /** Null where the document was removed. */
  readonly sha256: string | null
}
