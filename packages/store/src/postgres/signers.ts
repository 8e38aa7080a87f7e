import type { Signer } from "@paraph/core/login/signer"
import type { NewSession } from "@paraph/core/ports"
import type { Database, Trx } from "./database.ts"

/** The links that were mailed and the sessions they opened, by hash. They are looked up before a business is known. */

export async function insertLink(trx: Trx, signatureId: string, tokenHash: Uint8Array, now: Date) {
  const link = { token_hash: Buffer.from(tokenHash), signature_id: signatureId, created_at: now }
  await trx.insertInto("signing_link").values(link).execute()
}

export async function findLink(db: Database, tokenHash: Uint8Array): Promise<Signer | null> {
  const row = await db
    .selectFrom("signing_link as l")
    .innerJoin("signature as s", "s.id", "l.signature_id")
    .innerJoin("signature_request as r", "r.id", "s.request_id")
    .select(["r.business_id as businessId", "r.id as requestId", "s.id as signatureId"])
    .where("l.token_hash", "=", Buffer.from(tokenHash))
    .executeTakeFirst()
  return row ?? null
}

/** Of a signature that is named by an address which proves itself: that of a preview, or of a mail that came back. */
export async function findSigner(db: Database, signatureId: string): Promise<Signer | null> {
  const row = await db
    .selectFrom("signature as s")
    .innerJoin("signature_request as r", "r.id", "s.request_id")
    .select(["r.business_id as businessId", "r.id as requestId", "s.id as signatureId"])
    .where("s.id", "=", signatureId)
    .executeTakeFirst()
  return row ?? null
}

export async function insertSession(
  trx: Trx,
  signatureId: string,
  { idHash, preview }: NewSession,
  now: Date,
): Promise<void> {
  const of = { signature_id: signatureId, created_at: now, seen_at: now }
  const session = { id_hash: Buffer.from(idHash), preview, ...of }
  await trx.insertInto("signer_session").values(session).execute()
}

/** A live session; being seen keeps it alive (security, R26: it ends after some idle minutes). */
export async function findSession(
  db: Database,
  idHash: Uint8Array,
  now: Date,
  limits: { readonly idleMs: number; readonly wholeMs: number },
): Promise<(Signer & { readonly preview: boolean }) | null> {
  const row = await db
    .updateTable("signer_session as w")
    .from("signature as s")
    .innerJoin("signature_request as r", "r.id", "s.request_id")
    .set({ seen_at: now })
    .whereRef("s.id", "=", "w.signature_id")
    .where("w.id_hash", "=", Buffer.from(idHash))
    .where("w.seen_at", ">", new Date(now.getTime() - limits.idleMs))
    .where("w.created_at", ">", new Date(now.getTime() - limits.wholeMs))
    .returning(["r.business_id as businessId", "r.id as requestId", "s.id as signatureId", "w.preview"])
    .executeTakeFirst()
  return row ?? null
}
