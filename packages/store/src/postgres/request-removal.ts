import { comparableName } from "@paraph/core/access/user-name"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import { removeAttachments } from "./attachments.ts"
import type { Trx } from "./database.ts"
import { removeSignatures } from "./signatures.ts"

/**
 * All rows of the request go; evidence and journal stay. Its documents, in all their versions, are marked for the sweep
 * (SR-20), but for those that its owner may only read, and those that another request or a template needs.
 */
export async function removeRequest(trx: Trx, request: SignatureRequest, at: Date): Promise<void> {
  const { id, ownerId, owner } = request
  const documents = await versionsOf(trx, request)
  await removeSignatures(
    trx,
    request.signatures.map((s) => s.id),
  )
  await removeAttachments(trx, id, at)
  for (const table of ["request_group", "observer", "request_document", "request_reader"] as const)
    await trx.deleteFrom(table).where("request_id", "=", id).execute()
  await trx.deleteFrom("signature_request").where("id", "=", id).execute()
  // Whoever is just making another request of one of them is done before we look; and whoever comes later sees the mark.
  await sql`select from document where id = any (${documents}) order by id for update`.execute(trx)
  const isNeeded = sql`exists (select from request_document where document_id = d.id or newest_id = d.id)
    or exists (select from mark where version_id = d.id)
    or exists (select from template_document where document_id = d.id)`
  await sql`
    update document d set removing_since = ${at}
     where id = any (${documents}) and (owner_id = ${ownerId} or ${comparableName(owner)} in (select lower(name) from unnest(write_access) as name))
       and not (${isNeeded})`.execute(trx)
  // One that had come sealed takes along what renewals have made of it.
  await sql`
    update document d set removing_since = ${at} from sealed_document s, document f
     where s.document_id = d.id and f.id = s.first_id and f.id = any (${documents})
       and f.removing_since = ${at} and d.removing_since is null and not (${isNeeded})`.execute(trx)
}

/** Also those that renewals have made of what was signed here, from the newest back: no mark names them. */
async function versionsOf(trx: Trx, { documents, signatures }: SignatureRequest): Promise<readonly string[]> {
  const ids = documents.map((d) => d.id)
  const newest = documents.map((d) => d.newestId)
  const { rows } = await sql<{ id: string }>`
    with recursive version as (
      select id, parent_id from document where id = any (${newest})
      union
      select d.id, d.parent_id from document d join version v on d.id = v.parent_id where v.id <> all (${ids}))
    select id from version`.execute(trx)
  const marked = signatures.flatMap((s) => s.marks.flatMap((m) => m.versionId ?? []))
  return [...new Set([...ids, ...marked, ...rows.map(({ id }) => id)])]
}
