import type { Channel, MailState } from "@paraph/core/captured-mail/model"
import { sql } from "kysely"
import type { ServiceDatabase } from "./database.ts"

export type BegunMail = {
  /** Of its job: the same over all attempts. */
  readonly id: string
  readonly businessId: string | null
  readonly requestId: string | null
  readonly signatureId: string | null
  readonly type: string
  /** As much of the address as somebody knows their own by. */
  readonly recipient: string
  readonly channel: Channel
  readonly attempt: number
  readonly at: Date
}

/** An attempt begins; what is known of earlier ones stays until it is over. */
export async function noteAttempt(db: ServiceDatabase, mail: BegunMail): Promise<void> {
  const { id, businessId, requestId, signatureId, type, recipient, channel, attempt, at } = mail
  await sql`
    insert into mail_log (id, business_id, request_id, signature_id, type, recipient, channel, state, attempts, created_at, updated_at)
    values (${id}, ${businessId}, ${requestId}, ${signatureId}, ${type}, ${recipient}, ${channel}, 'WAITING', ${attempt}, ${at}, ${at})
    on conflict (id) do update set attempts = ${attempt}, updated_at = ${at}`.execute(db)
}

export async function noteOutcome(
  db: ServiceDatabase,
  id: string,
  { state, error, at }: { readonly state: MailState; readonly error: string | null; readonly at: Date },
): Promise<void> {
  await db
    .updateTable("mail_log")
    .set({ state, error, updated_at: at })
    .where("id", "=", id)
    // A mail that came back did so after it was sent, however late that is noted.
    .where("state", "!=", "BOUNCED")
    .execute()
}

/** No attempt follows on those that failed; what the last one met is known already. */
export async function noteGivenUp(db: ServiceDatabase, id: string, at: Date): Promise<void> {
  await db
    .updateTable("mail_log")
    .set({ state: "FAILED", updated_at: at })
    .where("id", "=", id)
    .where("state", "=", "WAITING")
    .where("error", "is not", null)
    .execute()
}

/** The address that a mail comes back to names the signature, not the mail: so it was the last one to that signer. */
export async function noteBounce(
  db: ServiceDatabase,
  signatureId: string,
  { error, at }: { readonly error: string; readonly at: Date },
): Promise<void> {
  await sql`
    update mail_log set state = 'BOUNCED', error = ${error}, updated_at = ${at}
     where id = (select id from mail_log where signature_id = ${signatureId} and channel = 'mail'
                  order by created_at desc limit 1)
       and state in ('SENT', 'WAITING')`.execute(db)
}

/** For those who run the service. */
export type MailSeen = {
  readonly id: string
  readonly at: Date
  readonly businessId: string | null
  readonly type: string
  readonly recipient: string
  readonly channel: Channel
  readonly state: MailState
  readonly attempts: number
  readonly error: string | null
}

/** The newest first; older than the one that is named. */
export async function listMailLog(
  db: ServiceDatabase,
  asked: {
    readonly businessId: string | null
    readonly state: MailState | null
    readonly olderThan: string | null
    readonly limit: number
  },
): Promise<readonly MailSeen[]> {
  const { businessId, state, olderThan, limit } = asked
  const { rows } = await sql<MailSeen>`
    select id, created_at as at, business_id as "businessId", type, recipient, channel, state, attempts, error
      from mail_log
     where ${businessId === null ? sql`true` : sql`business_id = ${businessId}`}
       and ${state === null ? sql`true` : sql`state = ${state}`}
       and ${olderThan === null ? sql`true` : sql`(created_at, id) < (select created_at, id from mail_log where id = ${olderThan})`}
     order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export async function removeOldMailLog(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mail_log where id = any (array
      (select id from mail_log where created_at < ${before}
        order by created_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
