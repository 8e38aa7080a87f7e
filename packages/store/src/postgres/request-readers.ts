import type { Caller } from "@paraph/core/access/caller"
import { requestReadersOf } from "@paraph/core/journal/of-change"
import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { Trx } from "./database.ts"

/** For the list and for `readsRequestOf`: who may read the request, and its status; one statement, and no write where nothing changed. */
export async function saveReaders(trx: Trx, request: SignatureRequest): Promise<void> {
  const { id, businessId, kind, createdAt } = request
  const readers = [...requestReadersOf(request)]
  await sql`
    with gone as (delete from request_reader where request_id = ${id} and username <> all (${readers}))
    insert into request_reader as known (business_id, kind, username, created_at, request_id, status)
      select ${businessId}, ${kind}, reader, ${createdAt}, ${id}, ${statusOf(request)}
        from unnest(${readers}::text[]) as reader
      on conflict (business_id, kind, username, created_at, request_id)
        do update set status = excluded.status where known.status <> excluded.status`.execute(trx)
}

/** Of documents as they were uploaded, and of every version since. */
export async function readsRequestOf(trx: Trx, caller: Caller, documentId: string): Promise<boolean> {
  const { rows } = await sql<{ reads: boolean }>`
    select exists (
      select from request_reader
       where business_id = ${caller.businessId} and kind = ${caller.kind} and username = ${caller.username}
         and request_id in (select request_id from request_document where document_id = ${documentId}
                            union
                            select s.request_id from mark m join signature s on s.id = m.signature_id
                             where m.version_id = ${documentId})
    ) as reads`.execute(trx)
  return rows[0]?.reads ?? false
}
