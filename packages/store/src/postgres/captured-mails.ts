import type { Caller } from "@paraph/core/access/caller"
import { comparableName } from "@paraph/core/access/user-name"
import type {
  CapturedMail,
  CapturedMailWhole,
  Channel,
  MailState,
  MailType,
} from "@paraph/core/captured-mail/model"
import type { ListMails, MailPage, SeenMails } from "@paraph/core/captured-mail/read"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { isOfBusiness, plannedOnce } from "./named.ts"
import { pageOf, shownOf } from "./newest-first.ts"

/** Whoever has a copy of a mail can sign with the link in it: in the row it is sealed by the business's key. */
export type MailSealer = {
  readonly sealMail: (
    of: MailOwner,
    plain: Omit<SealedMail, "keyVersion">,
    within: ServiceDatabase | Trx,
  ) => Promise<SealedMail>
  readonly openMail: (
    of: MailOwner,
    part: "envelope" | "content",
    kept: { readonly sealed: Buffer; readonly keyVersion: number },
    within: Trx,
  ) => Promise<Buffer>
}
type MailOwner = { readonly businessId: string; readonly id: string }
export type SealedMail = {
  readonly envelope: Buffer
  readonly content: Buffer
  readonly keyVersion: number
}

export type NewCopy = Omit<CapturedMailWhole, "state"> & { readonly businessId: string }

/**
 * Keeps a copy of a mail that is about to be sent, in place of that of an earlier attempt, where the request is one of a demo
 * key. Of others, and of a request that is gone, nothing is kept.
 */
export async function keepCopy(db: ServiceDatabase, sealer: MailSealer, mail: NewCopy): Promise<void> {
  const { id, businessId, requestId, type, channel, to, subject, text, html, createdAt } = mail
  const found = await sql`
    select from signature_request
     where id = ${requestId} and ${isOfBusiness("business_id", businessId)} and kind = 'demo' ${plannedOnce}`.execute(
    db,
  )
  if (found.rows.length === 0) return
  const envelope = Buffer.from(JSON.stringify({ to, subject }))
  const content = Buffer.from(JSON.stringify({ text, html }))
  const sealed = await sealer.sealMail({ businessId, id }, { envelope, content }, db)
  await sql`
    insert into captured_mail (id, business_id, request_id, type, channel, envelope, content, key_version, created_at)
    select ${id}, r.business_id, r.id, ${type}, ${channel}, ${sealed.envelope}, ${sealed.content}, ${sealed.keyVersion}, ${createdAt}
      from signature_request r
     where r.id = ${requestId} and r.business_id = ${businessId} and r.kind = 'demo' for key share
    on conflict (id) do update
       set envelope = excluded.envelope, content = excluded.content, key_version = excluded.key_version`.execute(
    db,
  )
}

/** Of the requests that the caller may change, as access/may.ts says it, or all of the business. */
export async function listMails(
  trx: Trx,
  sealer: MailSealer,
  caller: Caller,
  seen: SeenMails,
  asked: ListMails,
): Promise<MailPage> {
  const { place, rest } = pageOf(asked, sql`m.created_at`, sql`m.id`)
  const ofRequest = asked.requestId === null ? sql`true` : sql`m.request_id = ${asked.requestId}`
  const { rows } = await sql<Row>`
    select ${COLUMNS} ${FROM} where ${isSeen(caller, seen)} and ${ofRequest} and ${place} ${rest}`.execute(
    trx,
  )
  const { entries, ...beside } = shownOf(asked, rows)
  const mails: CapturedMail[] = []
  for (const row of entries) mails.push(await fromRow(trx, sealer, caller, row))
  return { mails, ...beside }
}

export async function findMail(
  trx: Trx,
  sealer: MailSealer,
  caller: Caller,
  seen: SeenMails,
  id: string,
): Promise<CapturedMailWhole | null> {
  const { rows } = await sql<Row & { content: Buffer }>`
    select ${COLUMNS}, m.content ${FROM} where m.id = ${id} and ${isSeen(caller, seen)}`.execute(trx)
  const [row] = rows
  if (row === undefined) return null
  const of = { businessId: caller.businessId, id: row.id }
  const kept = { sealed: row.content, keyVersion: row.key_version }
  const content = await sealer.openMail(of, "content", kept, trx)
  const { text, html } = JSON.parse(content.toString()) as { text: string; html: string }
  return { ...(await fromRow(trx, sealer, caller, row)), text, html }
}

const COLUMNS = sql`m.id, m.request_id, m.type, m.channel, m.envelope, m.key_version, m.created_at, l.state`
const FROM = sql`
  from captured_mail m join signature_request r on r.id = m.request_id left join mail_log l on l.id = m.id`

function isSeen({ businessId, userId, username }: Caller, seen: SeenMails) {
  const own = sql`(r.owner_id = ${userId} or ${comparableName(username)} in (select lower(name) from unnest(r.write_access) as name))`
  const whose = seen === "all of the business" ? sql`true` : own
  return sql`m.business_id = ${businessId} and r.business_id = ${businessId} and r.kind = 'demo' and ${whose}`
}

type Row = {
  id: string
  request_id: string
  type: MailType
  channel: Channel
  envelope: Buffer
  key_version: number
  created_at: Date
  state: MailState | null
}

async function fromRow(
  trx: Trx,
  sealer: MailSealer,
  { businessId }: Caller,
  row: Row,
): Promise<CapturedMail> {
  const kept = { sealed: row.envelope, keyVersion: row.key_version }
  const envelope = await sealer.openMail({ businessId, id: row.id }, "envelope", kept, trx)
  const { to, subject } = JSON.parse(envelope.toString()) as { to: string; subject: string }
  const { id, request_id: requestId, type, channel, state, created_at: createdAt } = row
  return { id, requestId, type, channel, to, subject, state: state ?? "WAITING", createdAt }
}

/** They are for a test that runs now, not for keeping. */
export async function removeOldCopies(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from captured_mail where id = any (array
      (select id from captured_mail where created_at < ${before}
        order by created_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
