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
  const documents = versionsOf(request)
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
  await sql`
    update document d set removing_since = ${at}
     where id = any (${documents}) and (owner_id = ${ownerId} or ${owner} = any (write_access))
       and not exists (select from request_document where document_id = d.id or newest_id = d.id)
       and not exists (select from mark where version_id = d.id)
       and not exists (select from template_document where document_id = d.id)`.execute(trx)
}

const versionsOf = ({ documents, signatures }: SignatureRequest): readonly string[] => [
  ...documents.map((d) => d.id),
  ...signatures.flatMap((s) => s.marks.flatMap((m) => m.versionId ?? [])),
]
