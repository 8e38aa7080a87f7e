import type { Kind } from "@paraph/core/signature-request/model"
import type { ServiceDatabase, Trx } from "./database.ts"

/** Who signs the heads of a log, and by which name it is known. */
export type LogKey = {
  readonly origin: string
  readonly keyLabel: string
  /** Ed25519, 32 octets. */
  readonly publicKey: Uint8Array
}

export async function findLogKey(db: ServiceDatabase | Trx, kind: Kind): Promise<LogKey | null> {
  const row = await db
    .selectFrom("log_key")
    .select(["origin", "key_label as keyLabel", "public_key as publicKey"])
    .where("kind", "=", kind)
    .executeTakeFirst()
  return row ?? null
}

/** The first one stays, whoever else made one at the same time. */
export async function keepLogKey(db: ServiceDatabase, kind: Kind, key: LogKey, at: Date): Promise<LogKey> {
  const { origin, keyLabel, publicKey } = key
  await db
    .insertInto("log_key")
    .values({ kind, origin, key_label: keyLabel, public_key: Buffer.from(publicKey), created_at: at })
    .onConflict((conflict) => conflict.column("kind").doNothing())
    .execute()
  const kept = await findLogKey(db, kind)
  if (kept === null) throw new Error("The key of the log was not kept.")
  return kept
}
