import { sql } from "kysely"
import type { Trx } from "./database.ts"
import { named } from "./named.ts"
import type { WrittenRequest } from "./written-requests.ts"

/**
 * Requests with all that belongs to them, in one statement: they lie in nine tables, and to ask each of them costs more than to
 * read it. As JSON, so that a column that a later version adds changes nothing for whoever has this one prepared.
 */
export async function readWhole(
  trx: Trx,
  businessId: string,
  ids: readonly string[],
): Promise<readonly WrittenRequest[]> {
  const [id, ...others] = ids
  // PostgreSQL takes any list for one of ten, and would rather plan each time than look for so many: one is asked for by itself.
  const asked =
    others.length === 0
      ? { name: "whole-request", which: sql`r.id = ${id}` }
      : { name: "whole-requests", which: sql`r.id = any (${ids}::uuid[])` }
  const { rows } = await named(
    asked.name,
    sql<{ request: WrittenRequest }>`
    select json_build_object(
      'row', r, 'owner', u.username,
      'documents', array(
        select row_to_json(d) from request_document d where d.request_id = r.id order by d.position),
      'signatures', array(
        select row_to_json(s) from signature s where s.request_id = r.id order by s.position),
      'marks', array(
        select row_to_json(m) from mark m
          join signature s on s.id = m.signature_id
          join request_document d on d.document_id = m.document_id and d.request_id = s.request_id
         where s.request_id = r.id order by d.position),
      'identifications', array(
        select json_build_object(
                 'id', i.id, 'signature_id', i.signature_id, 'provider', i.provider, 'required', i.required,
                 'state', i.state, 'attempt', i.attempt, 'started_at', i.started_at, 'returned_at', i.returned_at,
                 'decided_at', i.decided_at, 'until', i.until, 'ask_at', i.ask_at, 'reason', i.reason, 'name', i.name)
          from identification i join signature s on s.id = i.signature_id where s.request_id = r.id),
      'groups', array(
        select row_to_json(g) from request_group g where g.request_id = r.id order by g.position),
      'observers', array(
        select json_build_object(
                 'id', o.id, 'email', o.email, 'group_id', o.group_id, 'name', g.name,
                 'invited_at', o.invited_at, 'invited_by', o.invited_by,
                 'members', array(select m.email from signer_group_member m where m.group_id = o.group_id
                                   order by m.position))
          from observer o left join signer_group g on g.id = o.group_id
         where o.request_id = r.id order by o.invited_at, o.id),
      'attachments', array(
        select json_build_object(
                 'id', a.id, 'filename', a.filename, 'content_type', a.content_type, 'size_bytes', a.size_bytes,
                 'sha256', encode(a.sha256, 'hex'))
          from attachment a where a.request_id = r.id and a.identification_id is null
         order by a.created_at, a.id)) as request
      from signature_request r join api_user u on u.id = r.owner_id
     where ${asked.which} and r.business_id = ${businessId}`,
  ).execute(trx)
  return rows.map(({ request }) => request)
}
