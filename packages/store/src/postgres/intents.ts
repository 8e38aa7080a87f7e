import type { SealedBlob } from "@paraph/core/document/model"
import type { Intent, PreparedMark } from "@paraph/core/signature-request/intent"
import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import { type Selectable, sql } from "kysely"
import type { Trx } from "./database.ts"
import { later } from "./later.ts"
import { plannedOnce } from "./named.ts"
import type { Tables } from "./tables.ts"

export type IntentKey = Pick<Intent, "signatureId" | "documentId" | "baseId">
/** The document that an intent is made on, as far as its key goes. */
export type IntentBase = { readonly businessId: string; readonly blob: SealedBlob }
/** What will be appended repeats objects of the PDF, pages among them: it is sealed as the document's details are. */
export type IntentSealer = {
  readonly sealPrepared: (
    base: IntentBase,
    key: IntentKey,
    prepared: PreparedMark,
    trx: Trx,
  ) => Promise<Buffer>
  readonly openPrepared: (base: IntentBase, key: IntentKey, sealed: Buffer, trx: Trx) => Promise<PreparedMark>
}

/** Which certificate it was prepared for is no secret, and the rows are compared by it. */
type Kept = Pick<PreparedMark, "certificateSha256"> & { readonly sealed: string }

const certificate = (table: "signing_intent" | "excluded") =>
  sql<string>`${sql.ref(`${table}.prepared`)}->>'certificateSha256'`

const COLUMNS = [
  "signature_id",
  "document_id",
  "base_id",
  "version_id",
  "prepared",
  "value",
  "stamp",
  "created_at",
] as const

export async function findIntent(trx: Trx, sealer: IntentSealer, key: IntentKey): Promise<Intent | null> {
  const row = await trx
    .selectFrom("signing_intent")
    .select(COLUMNS)
    .where("signature_id", "=", key.signatureId)
    .where("document_id", "=", key.documentId)
    .where("base_id", "=", key.baseId)
    .where(isSealed)
    .modifyEnd(plannedOnce)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(trx, sealer, row)
}

/** One that is not sealed is of the time before, or somebody else's: it counts for nothing, and gives way. */
const isSealed = sql<boolean>`signing_intent.prepared ? 'sealed'`

export async function keepIntent(
  trx: Trx,
  sealer: IntentSealer,
  intent: Intent,
  insteadOf?: string,
): Promise<Intent> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("signing_intent")
    .values({
      signature_id: intent.signatureId,
      document_id: intent.documentId,
      base_id: intent.baseId,
      version_id: intent.versionId,
      prepared: JSON.stringify(await toPrepared(trx, sealer, intent)),
      value: null,
      stamp: null,
      created_at: intent.createdAt,
    })
    .onConflict((known) =>
      known
        .columns(["signature_id", "document_id", "base_id"])
        .doUpdateSet((e) => ({
          prepared: e.ref("excluded.prepared"),
          version_id: e.ref("excluded.version_id"),
          value: null,
          stamp: null,
          created_at: e.ref("excluded.created_at"),
        }))
        .where((e) =>
          e.or([
            e.not(isSealed),
            ...(insteadOf === undefined ? [] : [e("signing_intent.version_id", "=", insteadOf)]),
            e.and([
              e("signing_intent.value", "is", null),
              e(certificate("signing_intent"), "!=", certificate("excluded")),
            ]),
          ]),
        ),
    )
    .executeTakeFirst()
  // Then it is the one that stands there; otherwise another is.
  if (numInsertedOrUpdatedRows === 1n) return { ...intent, value: null, stamp: null }
  return kept(trx, sealer, intent)
}

export async function keepValue(
  trx: Trx,
  sealer: IntentSealer,
  intent: Intent,
  value: Uint8Array,
): Promise<Intent> {
  const { numUpdatedRows } = await rowOf(trx, intent)
    .set({ value: Buffer.from(value) })
    .where("value", "is", null)
    .executeTakeFirst()
  // No time-stamp is kept before a value is.
  if (numUpdatedRows === 1n) return { ...intent, value: Buffer.from(value), stamp: null }
  return kept(trx, sealer, intent)
}

export async function keepStamp(
  trx: Trx,
  sealer: IntentSealer,
  intent: Intent,
  stamp: Uint8Array,
): Promise<Intent> {
  const { numUpdatedRows } = await rowOf(trx, intent)
    .set({ stamp: Buffer.from(stamp) })
    .where("value", "is not", null)
    .where("stamp", "is", null)
    .executeTakeFirst()
  // A value that is kept is never another one.
  if (numUpdatedRows === 1n && intent.value !== null) return { ...intent, stamp: Buffer.from(stamp) }
  return kept(trx, sealer, intent)
}

/**
 * What was to be appended is in the document now, or never will be: some 50 kB for each signature that nobody reads again. A worker
 * that is still at it finds its intent gone, and then that nothing is wanted of it.
 */
export async function removeOverIntents(
  trx: Trx,
  request: SignatureRequest,
  before: SignatureRequest,
): Promise<void> {
  const alreadyOver = new Set(overIn(before))
  const over = overIn(request).filter((id) => !alreadyOver.has(id))
  if (over.length === 0) return
  await trx.deleteFrom("signing_intent").where("signature_id", "in", over).modifyEnd(later).execute()
}

/** The signatures for which no mark will be made any more. */
const overIn = (request: SignatureRequest): readonly string[] => {
  const isUnderWay = ["DRAFT", "OPEN"].includes(statusOf(request))
  return request.signatures.flatMap((s) => (isUnderWay && s.state === "open" ? [] : [s.id]))
}

/** Of this very intent: one that was prepared anew meanwhile has other bytes to sign, and what was made for this is not its. */
const rowOf = (trx: Trx, intent: Intent) =>
  trx
    .updateTable("signing_intent")
    .where("signature_id", "=", intent.signatureId)
    .where("document_id", "=", intent.documentId)
    .where("base_id", "=", intent.baseId)
    .where("version_id", "=", intent.versionId)

async function kept(trx: Trx, sealer: IntentSealer, key: IntentKey): Promise<Intent> {
  const intent = await findIntent(trx, sealer, key)
  if (intent === null) throw new Error("The intent that was just kept is gone.")
  return intent
}

async function toPrepared(trx: Trx, sealer: IntentSealer, intent: Intent): Promise<Kept> {
  const { prepared, baseId } = intent
  const sealed = await sealer.sealPrepared(await baseOf(trx, baseId), intent, prepared, trx)
  return { certificateSha256: prepared.certificateSha256, sealed: sealed.toString("base64") }
}

async function fromRow(
  trx: Trx,
  sealer: IntentSealer,
  row: Pick<Selectable<Tables["signing_intent"]>, (typeof COLUMNS)[number]>,
): Promise<Intent> {
  const key = { signatureId: row.signature_id, documentId: row.document_id, baseId: row.base_id }
  const sealed = Buffer.from((row.prepared as Kept).sealed, "base64")
  return {
    ...key,
    versionId: row.version_id,
    prepared: await sealer.openPrepared(await baseOf(trx, row.base_id), key, sealed, trx),
    value: row.value,
    stamp: row.stamp,
    createdAt: row.created_at,
  }
}

export async function baseOf(trx: Trx, id: string): Promise<IntentBase> {
  const row = await trx
    .selectFrom("document")
    .select(["business_id", "blob_name", "wrapped_key", "key_version"])
    .where("id", "=", id)
    .modifyEnd(plannedOnce)
    .executeTakeFirstOrThrow()
  const blob = { name: row.blob_name, wrappedKey: row.wrapped_key, keyVersion: row.key_version }
  return { businessId: row.business_id, blob }
}
