import { sql } from "kysely"
import type { Trx } from "./database.ts"
import { isOfBusiness, named } from "./named.ts"
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
  const [id, ...more] = ids
  if (id === undefined) return []
  // One is asked for as one: for an array PostgreSQL reckons with ten in a plan that it keeps, and makes one for each call instead.
  const [name, which] =
    more.length === 0
      ? ["whole-request", sql`r.id = ${id}`]
      : ["whole-requests", sql`r.id = any (${ids}::uuid[])`]
  const { rows } = await named(
    name,
    sql<{ request: WrittenRequest }>`
    select json_build_object(
      'row', r, 'owner', u.username,
      'documents', array(
        select row_to_json(d) from request_document d where d.request_id = r.id order by d.position),
      'signatures', array(
        select json_build_object(
                 'row', s,
                 'marks', array(select row_to_json(m) from mark m where m.signature_id = s.id),
                 'identification', (
                   select json_build_object(
                            'id', i.id, 'provider', i.provider, 'required', i.required, 'state', i.state,
                            'attempt', i.attempt, 'started_at', i.started_at, 'returned_at', i.returned_at,
                            'decided_at', i.decided_at, 'until', i.until, 'ask_at', i.ask_at, 'reason', i.reason,
                            'name', i.name, 'browser_hash', encode(i.browser_hash, 'hex'))
                     from identification i where i.signature_id = s.id))
          from signature s where s.request_id = r.id order by s.position),
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
     where ${which} and ${isOfBusiness("r.business_id", businessId)}`,
  ).execute(trx)
  return rows.map(({ request }) => request)
}
