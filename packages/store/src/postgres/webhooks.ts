import type { Caller } from "@paraph/core/access/caller"
import type { JournalType } from "@paraph/core/journal/model"
import type { Webhook, WebhookSecret } from "@paraph/core/webhook/model"
import type { Selectable } from "kysely"
import type { Database, Trx } from "./database.ts"
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
    within: Database | Trx,
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
      created_at: w.createdAt,
      updated_at: w.updatedAt,
    })
    .execute()
}

export async function saveSecrets(trx: Trx, sealer: SecretsSealer, w: Webhook): Promise<void> {
  const { sealed, keyVersion } = await sealer.sealSecrets(w, toBytes(w.secrets), trx)
  await trx
    .updateTable("webhook")
    .set({ secrets: sealed, key_version: keyVersion, updated_at: w.updatedAt })
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

export const webhookRows = (db: Database | Trx, businessId: string) =>
  db
    .selectFrom("webhook")
    .innerJoin("api_user", "api_user.id", "webhook.owner_id")
    .selectAll("webhook")
    .select("api_user.username as owner")
    .where("webhook.business_id", "=", businessId)
    // Nobody reads for whoever is gone.
    .where("api_user.removed_at", "is", null)

type Row = Selectable<Tables["webhook"]> & { readonly owner: string }

export async function fromRow(db: Database | Trx, sealer: SecretsSealer, row: Row): Promise<Webhook> {
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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const toBytes = (secrets: readonly WebhookSecret[]): Buffer => Buffer.from(JSON.stringify(secrets))

const fromBytes = (bytes: Buffer): readonly WebhookSecret[] =>
  (JSON.parse(bytes.toString()) as { secret: string; validUntil: string | null }[]).map(
    ({ secret, validUntil }) => ({ secret, validUntil: validUntil === null ? null : new Date(validUntil) }),
  )
