import type { Intent, PreparedMark } from "@paraph/core/signature-request/intent"
import { type Selectable, sql } from "kysely"
import type { Trx } from "./database.ts"
import type { Tables } from "./tables.ts"

/** Of an intent, the certificate it was prepared for. */
const certificate = (table: "signing_intent" | "excluded") =>
  sql<string>`${sql.ref(`${table}.prepared`)}->>'certificateSha256'`

type Key = Pick<Intent, "signatureId" | "documentId" | "baseId">

export async function findIntent(trx: Trx, key: Key): Promise<Intent | null> {
  const row = await trx
    .selectFrom("signing_intent")
    .selectAll()
    .where("signature_id", "=", key.signatureId)
    .where("document_id", "=", key.documentId)
    .where("base_id", "=", key.baseId)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

export async function keepIntent(trx: Trx, intent: Intent): Promise<Intent> {
  await trx
    .insertInto("signing_intent")
    .values({
      signature_id: intent.signatureId,
      document_id: intent.documentId,
      base_id: intent.baseId,
      version_id: intent.versionId,
      prepared: JSON.stringify(intent.prepared),
      value: null,
      created_at: intent.createdAt,
    })
    .onConflict((known) =>
      known
        .columns(["signature_id", "document_id", "base_id"])
        .doUpdateSet((e) => ({
          prepared: e.ref("excluded.prepared"),
          version_id: e.ref("excluded.version_id"),
        }))
        .where("signing_intent.value", "is", null)
        .where(certificate("signing_intent"), "!=", certificate("excluded")),
    )
    .execute()
  return kept(trx, intent)
}

export async function keepValue(trx: Trx, intent: Intent, value: Uint8Array): Promise<Intent> {
  await trx
    .updateTable("signing_intent")
    .set({ value: Buffer.from(value) })
    .where("signature_id", "=", intent.signatureId)
    .where("document_id", "=", intent.documentId)
    .where("base_id", "=", intent.baseId)
    // Of this very intent: one that was prepared anew meanwhile has other bytes to sign, and this value is not its.
    .where("version_id", "=", intent.versionId)
    .where("value", "is", null)
    .execute()
  return kept(trx, intent)
}

async function kept(trx: Trx, key: Key): Promise<Intent> {
  const intent = await findIntent(trx, key)
  if (intent === null) throw new Error("The intent that was just kept is gone.")
  return intent
}

const fromRow = (row: Selectable<Tables["signing_intent"]>): Intent => ({
  signatureId: row.signature_id,
  documentId: row.document_id,
  baseId: row.base_id,
  versionId: row.version_id,
  prepared: row.prepared as PreparedMark,
  value: row.value,
  createdAt: row.created_at,
})
