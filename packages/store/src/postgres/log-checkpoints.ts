import type { Kind } from "@paraph/core/signature-request/model"
import type { ServiceDatabase, Trx } from "./database.ts"

/** A head of the log, as it was signed (ADR 0052). */
export type Checkpoint = {
  readonly size: number
  readonly note: string
  readonly signedAt: Date
  /** RFC 3161 over the note, where it got one. */
  readonly stamp: Uint8Array | null
}

export async function newestCheckpoint(db: ServiceDatabase | Trx, kind: Kind): Promise<Checkpoint | null> {
  const row = await selected(db, kind).orderBy("size", "desc").limit(1).executeTakeFirst()
  return row === undefined ? null : { ...row, size: Number(row.size) }
}

/**
 * The head that proves most about what ends at that index: the first stamped one that has all of it, for it says how early it was
 * there; and the newest, where none is.
 */
export async function checkpointFor(
  trx: ServiceDatabase | Trx,
  kind: Kind,
  lastIndex: number,
): Promise<Checkpoint | null> {
  const row = await selected(trx, kind)
    .where("stamp", "is not", null)
    .where("size", ">", String(lastIndex))
    .orderBy("size")
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? newestCheckpoint(trx, kind) : { ...row, size: Number(row.size) }
}

/** When the last head was signed, and the last one that was stamped. */
export async function lastHeads(
  db: ServiceDatabase,
  kind: Kind,
): Promise<{ readonly signed: Date | null; readonly stamped: Date | null }> {
  const last = db.selectFrom("log_checkpoint").select("signed_at as at").where("kind", "=", kind)
  const signed = await last.orderBy("size", "desc").limit(1).executeTakeFirst()
  const stamped = await last
    .where("stamp", "is not", null)
    .orderBy("size", "desc")
    .limit(1)
    .executeTakeFirst()
  return { signed: signed?.at ?? null, stamped: stamped?.at ?? null }
}

/** False where somebody was quicker: a size is signed once. */
export async function keepCheckpoint(
  db: ServiceDatabase,
  kind: Kind,
  { size, note, signedAt }: Omit<Checkpoint, "stamp">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("log_checkpoint")
    .values({ kind, size: String(size), note, signed_at: signedAt, stamp: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The first one stays. */
export async function keepStamp(
  db: ServiceDatabase,
  kind: Kind,
  size: number,
  stamp: Uint8Array,
): Promise<void> {
  await db
    .updateTable("log_checkpoint")
    .set({ stamp: Buffer.from(stamp) })
    .where("kind", "=", kind)
    .where("size", "=", String(size))
    .where("stamp", "is", null)
    .execute()
}

const selected = (db: ServiceDatabase | Trx, kind: Kind) =>
  db
    .selectFrom("log_checkpoint")
    .select(["size", "note", "signed_at as signedAt", "stamp"])
    .where("kind", "=", kind)
