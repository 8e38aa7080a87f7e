import type { Caller } from "@paraph/core/access/caller"
import { comparableName } from "@paraph/core/access/user-name"
import { requestReadersOf } from "@paraph/core/journal/of-change"
import { type Kind, type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { later } from "./later.ts"

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
        do update set status = excluded.status where known.status <> excluded.status ${later}`.execute(trx)
}

/** Of documents as they were uploaded, and of every version since. */
export async function readsRequestOf(trx: Trx, caller: Caller, documentId: string): Promise<boolean> {
  const { rows } = await sql<{ reads: boolean }>`
    select exists (
      select from request_reader
       where business_id = ${caller.businessId} and kind = ${caller.kind} and username = ${comparableName(caller.username)}
         and request_id in (select request_id from request_document where document_id = ${documentId}
                            union
                            select s.request_id from mark m join signature s on s.id = m.signature_id
                             where m.version_id = ${documentId})
    ) as reads`.execute(trx)
  return rows[0]?.reads ?? false
}

export type ReadIn = { readonly businessId: string; readonly kind: Kind }

/** As a member of which business a person may read the request; null where they may not, or it is not there. */
export async function memberReads(
  db: ServiceDatabase,
  requestId: string,
  accountId: string,
): Promise<ReadIn | null> {
  const row = await db
    .selectFrom("request_reader as r")
    .innerJoin("membership as m", "m.business_id", "r.business_id")
    .innerJoin("api_user as u", (join) =>
      join.onRef("u.account_id", "=", "m.account_id").onRef("u.business_id", "=", "m.business_id"),
    )
    .select(["r.business_id as businessId", "r.kind"])
    .where("r.request_id", "=", requestId)
    .where("m.account_id", "=", accountId)
    .where("m.accepted_at", "is not", null)
    .whereRef(sql`lower(u.username)`, "=", "r.username")
    .where("u.removed_at", "is", null)
    .executeTakeFirst()
  return row ?? null
}
