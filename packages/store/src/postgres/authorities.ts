import type { Kind } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import type { AuthorityTables } from "./authority-tables.ts"
import type { ServiceDatabase, Trx } from "./database.ts"

export type Authority = {
  readonly id: string
  readonly kind: Kind
  readonly role: AuthorityTables["authority"]["role"]
  readonly generation: number
  /** Null for a root, and for one under somebody else's. */
  readonly issuerId: string | null
  readonly keyLabel: string
  readonly state: AuthorityTables["authority"]["state"]
  readonly certificate: Uint8Array | null
  /** Issuers that are not ours, the nearest first. */
  readonly chain: readonly Uint8Array[]
  readonly notBefore: Date | null
  readonly notAfter: Date | null
}

/** Of one kind, or all; those of each role in the order of their generations. */
export async function listAuthorities(
  db: ServiceDatabase | Trx,
  kind: Kind | null,
): Promise<readonly Authority[]> {
  const rows = await db
    .selectFrom("authority")
    .selectAll()
    .$if(kind !== null, (query) => query.where("kind", "=", kind as Kind))
    .orderBy("kind")
    .orderBy("role")
    .orderBy("generation")
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    role: row.role,
    generation: row.generation,
    issuerId: row.issuer_id,
    keyLabel: row.key_label,
    state: row.state,
    certificate: row.certificate,
    chain: row.chain,
    notBefore: row.not_before,
    notAfter: row.not_after,
  }))
}

export type NewAuthority = Pick<
  Authority,
  "id" | "kind" | "role" | "generation" | "issuerId" | "keyLabel"
> & {
  readonly state: "making" | "requested"
  readonly at: Date
}

/** Where somebody else was first with this generation, theirs stands. */
export async function addAuthority(
  db: ServiceDatabase | Trx,
  { issuerId, keyLabel, at, ...row }: NewAuthority,
) {
  await db
    .insertInto("authority")
    .values({ ...row, issuer_id: issuerId, key_label: keyLabel, chain: [], created_at: at })
    .onConflict((known) => known.columns(["kind", "role", "generation"]).doNothing())
    .execute()
}

export type MadeAuthority = {
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  readonly notBefore: Date
  readonly notAfter: Date
}

/** The first certificate stands. */
export async function completeAuthority(
  db: ServiceDatabase | Trx,
  id: string,
  made: MadeAuthority,
): Promise<void> {
  await db
    .updateTable("authority")
    .set({
      state: "active",
      certificate: Buffer.from(made.certificate),
      chain: made.chain.map((der) => Buffer.from(der)),
      not_before: made.notBefore,
      not_after: made.notAfter,
    })
    .where("id", "=", id)
    .where("certificate", "is", null)
    .execute()
}

export type RevocationList = {
  readonly number: number
  readonly list: Uint8Array
  readonly issuedAt: Date
  readonly until: Date
  readonly dueAt: Date
}

export async function findList(
  db: ServiceDatabase | Trx,
  authorityId: string,
): Promise<RevocationList | null> {
  const row = await db
    .selectFrom("revocation_list")
    .select(["number", "list", "issued_at as issuedAt", "until", "due_at as dueAt"])
    .where("authority_id", "=", authorityId)
    .executeTakeFirst()
  return row ?? null
}

/** RFC 5280, 5.2.3: numbers only grow. Whoever signed on the ground of an older list than the newest comes too late. */
export async function keepList(
  db: ServiceDatabase | Trx,
  authorityId: string,
  kept: RevocationList,
): Promise<void> {
  const row = {
    number: kept.number,
    list: Buffer.from(kept.list),
    issued_at: kept.issuedAt,
    until: kept.until,
    due_at: kept.dueAt,
  }
  await db
    .insertInto("revocation_list")
    .values({ authority_id: authorityId, ...row })
    .onConflict((known) =>
      known.column("authority_id").doUpdateSet(row).where("revocation_list.number", "<", kept.number),
    )
    .execute()
}

// "paraph ca", as a number: any other use of this lock would be a coincidence.
const LOCK = 0x70_63_61

/**
 * Those who make authorities or lists do it one after the other: a token would make two keys of one label. Answers undefined where
 * somebody is at it. The lock is the connection's, so it ends with the process that holds it.
 */
export function oneAtATime<T>(db: ServiceDatabase, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (held) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${LOCK}) as free`.execute(held)
    if (rows[0]?.free !== true) return undefined
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(held)
    }
  })
}
