import { requestReadersOf } from "@paraph/core/journal/of-change"
import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { Trx } from "./database.ts"

/** For the list alone: who may read the request, and its status; one statement, and no write where nothing changed. */
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
