import type { Caller } from "@paraph/core/access/caller"
import { comparableName } from "@paraph/core/access/user-name"
import type { SignatureState, Status } from "@paraph/core/signature-request/model"
import type { ListRequests, RequestPage } from "@paraph/core/signature-request/new-request"
import { isUuid } from "@paraph/core/uuid"
import { type RawBuilder, sql } from "kysely"
import { containing } from "./containing.ts"
import type { Trx } from "./database.ts"
import { findRequests } from "./requests.ts"

/**
 * One range of one index, however many requests there are: `request_reader` is in the order of the list, also for one
 * status. A cursor is a place in it, so the ten-thousandth page costs what the first one does.
 */
export async function listRequests(trx: Trx, caller: Caller, asked: ListRequests): Promise<RequestPage> {
  const { pageSize, from } = asked
  const backwards = from.type === "before"
  const direction = sql.raw(backwards ? "asc" : "desc")
  const { rows } = await sql<{ request_id: string }>`
    select r.request_id from request_reader r
     where r.business_id = ${caller.businessId} and r.kind = ${caller.kind} and r.username = ${comparableName(caller.username)}
       and ${sql.join(filters(asked), sql` and `)}
     order by r.created_at ${direction}, r.request_id ${direction}
     limit ${pageSize + 1}
     offset ${from.type === "page" ? (from.number - 1) * pageSize : 0}`.execute(trx)
  const more = rows.length > pageSize
  const ids = rows.slice(0, pageSize).map((row) => row.request_id)
  // The places first: only what is shown is looked up.
  const requests = await findRequests(trx, caller.businessId, backwards ? ids.reverse() : ids)
  return {
    requests,
    hasNext: backwards || more,
    hasPrevious: backwards ? more : from.type === "after" || from.number > 1,
  }
}

function filters({ from, status, search, signatureState, signerEmail }: ListRequests): RawBuilder<unknown>[] {
  const found = [sql`true`]
  if (status !== null) found.push(sql`r.status = ${status}`)
  if (from.type !== "page") {
    const than = sql.raw(from.type === "before" ? ">" : "<")
    found.push(sql`(r.created_at, r.request_id) ${than} (${from.cursor.createdAt}, ${from.cursor.id})`)
  }
  if (search !== null)
    found.push(
      sql`exists (select from signature_request q where q.id = r.request_id and q.title ilike ${containing(search)})`,
    )
  if (signatureState !== null) found.push(ofStatus(STATUSES_WITH[signatureState]))
  if (signatureState !== null || signerEmail !== null)
    found.push(sql`exists (select from signature s where s.request_id = r.request_id
      and ${signatureState === null ? sql`true` : sql`s.state = ${signatureState}`}
      and ${signerEmail === null ? sql`true` : signedBy(signerEmail)})`)
  return found
}

/** Where such a signature can be at all (part 3.2): few requests are to be looked into for those that are seldom. */
const STATUSES_WITH: Readonly<Record<SignatureState, readonly Status[]>> = {
  open: ["DRAFT", "OPEN", "DECLINED", "ERROR", "EXPIRED", "WITHDRAWN"],
  signed: ["OPEN", "SIGNED", "DECLINED", "ERROR", "EXPIRED", "WITHDRAWN"],
  declined: ["DECLINED"],
  error: ["ERROR"],
}

/** One status is a range of the index, in order; several are looked at on the way. */
const ofStatus = (statuses: readonly Status[]) =>
  statuses.length === 1 ? sql`r.status = ${statuses[0]}` : sql`r.status = any (${statuses})`

/**
 * As answers show the signer: by e-mail, or by the opaque identifier of one without an account (SR-13). Each is one index:
 * a signer of few requests is looked up there, one of many is met on the way along the list.
 */
const signedBy = (shown: string) =>
  isUuid(shown)
    ? sql`s.has_identity and s.id = ${shown}::uuid`
    : sql`not s.has_identity and lower(s.email) = lower(${shown})`
