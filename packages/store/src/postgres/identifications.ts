import type { StoredAttachment } from "@paraph/core/attachment/ports"
import type { Identification } from "@paraph/core/identification/model"
import type {
  IdentificationsReading,
  IdentificationsTx,
  ProviderTokens,
} from "@paraph/core/identification/ports"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { type Insertable, sql } from "kysely"
import { type AttachmentSealer, insertAttachment, storedAttachments } from "./attachments.ts"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { Tables } from "./tables.ts"
import type { SecretsSealer } from "./webhooks.ts"

type Sealer = AttachmentSealer & SecretsSealer

export const readingIdentifications = (
  trx: Trx,
  sealer: Sealer,
  businessId: string,
): IdentificationsReading => ({
  findTokens: (id) => findTokens(trx, sealer, businessId, id),
  evidenceFiles: (identificationId) => storedAttachments(trx, sealer, businessId, { identificationId }),
})

export const changingIdentifications = (trx: Trx, sealer: Sealer, businessId: string): IdentificationsTx => ({
  keepTokens: (id, tokens) => keepTokens(trx, sealer, businessId, id, tokens),
  keepEvidenceFiles: (id, files, at) => keepEvidenceFiles(trx, sealer, id, files, at),
})

type Row = Omit<Insertable<Tables["identification"]>, "tokens" | "key_version">

/** Those of these signatures, as they are after an event; what they are asked for, and by whom, never changes. */
export async function saveIdentifications(
  trx: Trx,
  { businessId, signatures }: SignatureRequest,
  changed: (signatureId: string) => boolean = () => true,
): Promise<void> {
  const rows = signatures.flatMap(({ id, identification }) =>
    identification === null || !changed(id) ? [] : [toRow(businessId, id, identification)],
  )
  if (rows.length === 0) return
  await trx
    .insertInto("identification")
    .values(rows)
    .onConflict((known) =>
      known.column("id").doUpdateSet((e) => ({
        state: e.ref("excluded.state"),
        attempt: e.ref("excluded.attempt"),
        started_at: e.ref("excluded.started_at"),
        returned_at: e.ref("excluded.returned_at"),
        decided_at: e.ref("excluded.decided_at"),
        until: e.ref("excluded.until"),
        ask_at: e.ref("excluded.ask_at"),
        reason: e.ref("excluded.reason"),
        name: e.ref("excluded.name"),
        browser_hash: e.ref("excluded.browser_hash"),
      })),
    )
    .execute()
}

/** With the files of their evidence, whose keys go here; the objects are swept. */
export async function removeIdentifications(trx: Trx, signatureIds: readonly string[]): Promise<void> {
  await sql`
    with gone as (
      delete from attachment where identification_id in
        (select id from identification where signature_id = any (${signatureIds}::uuid[]))
      returning blob_name)
    insert into loose_blob (name, due_at) select blob_name, to_timestamp(0) from gone`.execute(trx)
  await trx.deleteFrom("identification").where("signature_id", "in", signatureIds).execute()
}

/** Beside the secrets of webhooks, which have ids of another form. */
export const identificationSecret = (id: string): string => `identification ${id}`

async function keepTokens(
  trx: Trx,
  sealer: SecretsSealer,
  businessId: string,
  id: string,
  tokens: ProviderTokens | null,
): Promise<void> {
  const of = { businessId, id: identificationSecret(id) }
  const kept = tokens === null ? null : await sealer.sealSecrets(of, Buffer.from(JSON.stringify(tokens)), trx)
  await trx
    .updateTable("identification")
    .set({ tokens: kept?.sealed ?? null, key_version: kept?.keyVersion ?? null })
    .where("id", "=", id)
    .where("business_id", "=", businessId)
    .execute()
}

async function findTokens(
  trx: Trx,
  sealer: SecretsSealer,
  businessId: string,
  id: string,
): Promise<ProviderTokens | null> {
  const row = await trx
    .selectFrom("identification")
    .select(["tokens", "key_version"])
    .where("id", "=", id)
    .where("business_id", "=", businessId)
    .executeTakeFirst()
  if (row === undefined || row.tokens === null || row.key_version === null) return null
  const of = { businessId, id: identificationSecret(id) }
  const sealed = { sealed: row.tokens, keyVersion: row.key_version }
  return JSON.parse((await sealer.openSecrets(of, sealed, trx)).toString()) as ProviderTokens
}

async function keepEvidenceFiles(
  trx: Trx,
  sealer: AttachmentSealer,
  identificationId: string,
  files: readonly StoredAttachment[],
  at: Date,
): Promise<void> {
  await sql`
    with gone as (delete from attachment where identification_id = ${identificationId} returning blob_name)
    insert into loose_blob (name, due_at) select blob_name, ${at} from gone`.execute(trx)
  for (const file of files) await insertAttachment(trx, sealer, file, identificationId)
}

/** A way to a provider: in the database are hashes alone, and whoever comes back has to have both. */
export type IdentificationWay = { readonly stateHash: Uint8Array; readonly browserHash: Uint8Array }
export type WayTaken = {
  readonly businessId: string
  readonly requestId: string
  readonly signatureId: string
  readonly provider: string
  readonly attempt: number
}

export async function insertWay(
  db: ServiceDatabase,
  { stateHash, browserHash }: IdentificationWay,
  of: Pick<Identification, "id" | "attempt">,
  at: Date,
): Promise<void> {
  await db
    .insertInto("identification_attempt")
    .values({
      state_hash: Buffer.from(stateHash),
      browser_hash: Buffer.from(browserHash),
      identification_id: of.id,
      attempt: of.attempt,
      created_at: at,
    })
    .execute()
}

/** Once, whatever comes of it. */
export async function takeWay(
  db: ServiceDatabase,
  { stateHash, browserHash }: IdentificationWay,
  provider: string,
  since: Date,
): Promise<WayTaken | null> {
  const { rows } = await sql<WayTaken>`
    delete from identification_attempt w using identification i, signature s
     where w.state_hash = ${Buffer.from(stateHash)} and w.browser_hash = ${Buffer.from(browserHash)}
       and i.id = w.identification_id and s.id = i.signature_id and i.provider = ${provider}
       and w.created_at > ${since}
    returning i.business_id as "businessId", s.request_id as "requestId", i.signature_id as "signatureId",
              i.provider, w.attempt`.execute(db)
  return rows[0] ?? null
}

/** Ways that nobody comes back by any more; answers how many. */
export async function removeOldWays(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from identification_attempt where state_hash = any (array
      (select state_hash from identification_attempt where created_at < ${before} limit ${limit} for update skip locked))`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/**
 * Reviews that providers are to be asked about now; whoever takes one puts its time off, so that one that fails holds up nobody.
 * Those that are over are asked about no more.
 */
export async function claimReviews(
  db: ServiceDatabase,
  now: Date,
  { againAt, limit }: { readonly againAt: Date; readonly limit: number },
): Promise<readonly Omit<WayTaken, "provider" | "attempt">[]> {
  const { rows } = await sql<WayTaken>`
    update identification i
       set ask_at = case when r.status = 'OPEN' and i.until > ${now} then ${againAt}::timestamptz end
      from signature s join signature_request r on r.id = s.request_id
     where s.id = i.signature_id and i.id = any (array
           (select id from identification where ask_at <= ${now} order by ask_at limit ${limit} for update skip locked))
    returning i.business_id as "businessId", s.request_id as "requestId", i.signature_id as "signatureId"`.execute(
    db,
  )
  return rows
}

const toRow = (businessId: string, signatureId: string, i: Identification): Row => ({
  id: i.id,
  signature_id: signatureId,
  business_id: businessId,
  provider: i.provider,
  required: i.required,
  state: i.state,
  attempt: i.attempt,
  started_at: i.startedAt,
  returned_at: i.returnedAt,
  decided_at: i.decidedAt,
  until: i.until,
  ask_at: i.askAt,
  reason: i.reason,
  name: i.name,
  browser_hash: i.browserHash === null ? null : Buffer.from(i.browserHash, "hex"),
})
