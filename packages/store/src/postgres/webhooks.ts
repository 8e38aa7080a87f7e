import type { Caller } from "@paraph/core/access/caller"
import type { JournalType } from "@paraph/core/journal/model"
import type { Webhook, WebhookSecret } from "@paraph/core/webhook/model"
import { type Selectable, sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { Tables } from "./tables.ts"

/** Whoever has a webhook's secret can speak in our name to its receiver: in the row it is sealed by the business's key. */
export type SecretsSealer = {
  readonly sealSecrets: (
    of: { readonly businessId: string; readonly id: string },
    secrets: Buffer,
    within: Trx,
  ) => Promise<{ readonly sealed: Buffer; readonly keyVersion: number }>
  readonly openSecrets: (
    of: { readonly businessId: string; readonly id: string },
    sealed: { readonly sealed: Buffer; readonly keyVersion: number },
    within: ServiceDatabase | Trx,
  ) => Promise<Buffer>
}

export async function insertWebhook(trx: Trx, sealer: SecretsSealer, w: Webhook): Promise<void> {
  const { sealed, keyVersion } = await sealer.sealSecrets(w, toBytes(w.secrets), trx)
  await trx
    .insertInto("webhook")
    .values({
      id: w.id,
      business_id: w.businessId,
      kind: w.kind,
      owner_id: w.ownerId,
      url: w.url,
      types: [...w.types],
      secrets: sealed,
      key_version: keyVersion,
      shown_to: w.shownTo,
      made_by: w.madeBy,
      stopped_at: w.stoppedAt,
      created_at: w.createdAt,
      updated_at: w.updatedAt,
    })
    .execute()
}

export async function saveSecrets(trx: Trx, sealer: SecretsSealer, w: Webhook): Promise<void> {
  const { sealed, keyVersion } = await sealer.sealSecrets(w, toBytes(w.secrets), trx)
  await trx
    .updateTable("webhook")
    .set({
      secrets: sealed,
      key_version: keyVersion,
      shown_to: w.shownTo,
      stopped_at: w.stoppedAt,
      updated_at: w.updatedAt,
    })
    .where("id", "=", w.id)
    .execute()
}

/** Reads a webhook, and holds it until the transaction ends where it is asked to. */
export async function findWebhook(
  trx: Trx,
  sealer: SecretsSealer,
  businessId: string,
  id: string,
  lock: boolean,
): Promise<Webhook | null> {
  const row = await webhookRows(trx, businessId)
    .where("webhook.id", "=", id)
    .$if(lock, (query) => query.forUpdate("webhook"))
    .executeTakeFirst()
  return row === undefined ? null : fromRow(trx, sealer, row)
}

/** The caller's own, the oldest first. */
export async function listWebhooks(
  trx: Trx,
  sealer: SecretsSealer,
  caller: Caller,
): Promise<readonly Webhook[]> {
  const rows = await webhookRows(trx, caller.businessId)
    .where("webhook.kind", "=", caller.kind)
    .where("webhook.owner_id", "=", caller.userId)
    .orderBy("webhook.created_at")
    .orderBy("webhook.id")
    .execute()
  const webhooks: Webhook[] = []
  for (const row of rows) webhooks.push(await fromRow(trx, sealer, row))
  return webhooks
}

/** Of the whole business; two that are made at once are counted one after the other. */
export async function countWebhooks(trx: Trx, { businessId, kind }: Caller): Promise<number> {
  await trx.selectFrom("business").select("id").where("id", "=", businessId).forNoKeyUpdate().execute()
  const { count } = await trx
    .selectFrom("webhook")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("business_id", "=", businessId)
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow()
  return count
}

/** What was still owed to it goes with it. */
export async function removeWebhook(trx: Trx, { id }: Webhook): Promise<void> {
  await trx.deleteFrom("webhook").where("id", "=", id).execute()
}

/**
 * Whoever had the key may have chosen the webhook's address, or knows its secret: either is enough. Where nobody wrote down by
 * which key that was, it may have been this one. Answers which were stopped.
 */
export async function stopWebhooks(
  db: ServiceDatabase | Trx,
  keyId: string,
  at: Date,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update webhook w set stopped_at = ${at}, updated_at = ${at} from api_key k
     where k.id = ${keyId} and w.owner_id = k.api_user_id and w.kind = k.kind and w.stopped_at is null
       and k.id in (coalesce(w.shown_to, k.id), coalesce(w.made_by, k.id)) returning w.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The same of a person, in every business: what they made, or what one of their logins made or was shown. */
export async function stopWebhooksOf(
  trx: Trx,
  accountId: string,
  madeBy: string | "all",
  at: Date,
): Promise<number> {
  const by = madeBy === "all" ? sql`true` : sql`${madeBy}::uuid in (w.shown_to, w.made_by)`
  const { numAffectedRows } = await sql`
    update webhook w set stopped_at = ${at}, updated_at = ${at} from api_user u
     where u.account_id = ${accountId} and w.owner_id = u.id and w.stopped_at is null and ${by}`.execute(trx)
  return Number(numAffectedRows ?? 0n)
}

/** The same of a person who leaves one business. */
export async function stopWebhooksOfUser(
  trx: Trx,
  businessId: string,
  accountId: string,
  at: Date,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update webhook w set stopped_at = ${at}, updated_at = ${at} from api_user u
     where u.account_id = ${accountId} and u.business_id = ${businessId} and w.owner_id = u.id
       and w.stopped_at is null returning w.id`.execute(trx)
  return rows.map(({ id }) => id)
}

export const webhookRows = (db: ServiceDatabase | Trx, businessId: string) =>
  db
    .selectFrom("webhook")
    .innerJoin("api_user", "api_user.id", "webhook.owner_id")
    .selectAll("webhook")
    .select("api_user.username as owner")
    .where("webhook.business_id", "=", businessId)
    // Nobody reads for whoever is gone.
    .where("api_user.removed_at", "is", null)

type Row = Selectable<Tables["webhook"]> & { readonly owner: string }

export async function fromRow(db: ServiceDatabase | Trx, sealer: SecretsSealer, row: Row): Promise<Webhook> {
  const of = { businessId: row.business_id, id: row.id }
  const opened = await sealer.openSecrets(of, { sealed: row.secrets, keyVersion: row.key_version }, db)
  return {
    ...of,
    kind: row.kind,
    ownerId: row.owner_id,
    owner: row.owner,
    url: row.url,
    types: row.types as readonly JournalType[],
    secrets: fromBytes(opened),
    shownTo: row.shown_to,
    madeBy: row.made_by,
    stoppedAt: row.stopped_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const toBytes = (secrets: readonly WebhookSecret[]): Buffer => Buffer.from(JSON.stringify(secrets))

const fromBytes = (bytes: Buffer): readonly WebhookSecret[] =>
  (JSON.parse(bytes.toString()) as { secret: string; validUntil: string | null }[]).map(
    ({ secret, validUntil }) => ({ secret, validUntil: validUntil === null ? null : new Date(validUntil) }),
  )
