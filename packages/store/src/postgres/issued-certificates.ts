import type { Kind } from "@paraph/core/signature-request/model"
import { type SelectQueryBuilder, sql } from "kysely"
import type { AuthorityTables } from "./authority-tables.ts"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { Tables } from "./tables.ts"

export type Issued = {
  readonly issuerId: string
  /** 16 octets. */
  readonly serial: Uint8Array
  readonly kind: Kind
  readonly orderId: string
  readonly orderHash: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  /** Null until it is signed. */
  readonly certificate: Uint8Array | null
  readonly revocation: { readonly at: Date; readonly reason: string } | null
  readonly answer: Answer | null
}

/** What is said of it to whoever asks, signed beforehand. */
export type Answer = { readonly bytes: Uint8Array; readonly at: Date; readonly until: Date }

export type NewIssued = Pick<
  Issued,
  "issuerId" | "serial" | "kind" | "orderId" | "orderHash" | "notBefore" | "notAfter"
>

/** Before the key is used; where the order is on record already, that record. */
export async function recordOrder(db: ServiceDatabase | Trx, order: NewIssued, at: Date): Promise<Issued> {
  const made = await db
    .insertInto("issued_certificate")
    .values({
      issuer_id: order.issuerId,
      serial: Buffer.from(order.serial),
      kind: order.kind,
      order_id: order.orderId,
      order_hash: Buffer.from(order.orderHash),
      not_before: order.notBefore,
      not_after: order.notAfter,
      created_at: at,
    })
    .onConflict((known) => known.columns(["kind", "order_id"]).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made !== undefined) return shown(made)
  const row = await issued(db)
    .where("kind", "=", order.kind)
    .where("order_id", "=", order.orderId)
    .executeTakeFirstOrThrow()
  return shown(row)
}

export type DueAnswer = { readonly answer: Answer | null; readonly dueAt: Date | null }

/** Answers the certificate that is on record afterwards: of two who signed at once, the first one's stands. */
export async function completeOrder(
  db: ServiceDatabase | Trx,
  { issuerId, serial }: Pick<Issued, "issuerId" | "serial">,
  certificate: Uint8Array,
  first: DueAnswer,
): Promise<Uint8Array> {
  const made = await db
    .updateTable("issued_certificate")
    .set({ certificate: Buffer.from(certificate), ...answered(first) })
    .where("issuer_id", "=", issuerId)
    .where("serial", "=", Buffer.from(serial))
    .where("certificate", "is", null)
    .returning("certificate")
    .executeTakeFirst()
  const kept = made?.certificate ?? (await findIssued(db, issuerId, serial))?.certificate
  if (kept == null) throw new Error("The order is not on record.")
  return kept
}

export async function findIssued(
  db: ServiceDatabase | Trx,
  issuerId: string,
  serial: Uint8Array,
): Promise<Issued | null> {
  const row = await issued(db)
    .where("issuer_id", "=", issuerId)
    .where("serial", "=", Buffer.from(serial))
    .executeTakeFirst()
  return row === undefined ? null : shown(row)
}

/** By its serial alone, which is random, so no two of a kind have the same; for whoever was told of a certificate. */
export async function findBySerial(db: ServiceDatabase | Trx, kind: Kind, serial: Uint8Array) {
  const row = await issued(db)
    .where("kind", "=", kind)
    .where("serial", "=", Buffer.from(serial))
    .executeTakeFirst()
  return row === undefined ? null : shown(row)
}

/** From now on every answer and list says so; false where it was revoked before. */
export async function revokeIssued(
  db: ServiceDatabase | Trx,
  { issuerId, serial }: Pick<Issued, "issuerId" | "serial">,
  { at, reason }: { readonly at: Date; readonly reason: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("issued_certificate")
    .set({ revoked_at: at, reason, answer_due_at: at })
    .where("issuer_id", "=", issuerId)
    .where("serial", "=", Buffer.from(serial))
    .where("revoked_at", "is", null)
    .executeTakeFirst()
  await db
    .updateTable("revocation_list")
    .set({ due_at: at })
    .where("authority_id", "=", issuerId)
    .where("due_at", ">", at)
    .execute()
  // One that is revoked itself issues and signs no more; the order says which it is.
  await sql`
    update authority set state = 'revoked' where state = 'active' and 'authority ' || id in (
      select order_id from issued_certificate where issuer_id = ${issuerId} and serial = ${Buffer.from(serial)})`.execute(
    db,
  )
  return numUpdatedRows > 0n
}

/** In the order of their revocation. */
export async function listRevoked(db: ServiceDatabase | Trx, issuerId: string) {
  const rows = await db
    .selectFrom("issued_certificate")
    .select(["serial", "revoked_at", "reason"])
    .where("issuer_id", "=", issuerId)
    .where("revoked_at", "is not", null)
    .orderBy("revoked_at")
    .execute()
  return rows.flatMap(({ serial, revoked_at: at, reason }) =>
    at === null || reason === null ? [] : [{ serial: serial as Uint8Array, at, reason }],
  )
}

type Due = {
  readonly now: Date
  /** What was signed after this, a clock signed that has been put back since. */
  readonly future: Date
  readonly againAt: Date
  readonly limit: number
}

/** Those whose answer is due or of the future, held until `againAt`: whoever took them may die. */
export async function claimDueAnswers(
  db: ServiceDatabase | Trx,
  { now, future, againAt, limit }: Due,
): Promise<readonly Issued[]> {
  const { rows } = await sql<Row>`
    with due as materialized (
      select issuer_id, serial from issued_certificate
       where certificate is not null and (answer_due_at <= ${now}
          or (answered_at > ${future} and (answer_due_at is null or answer_due_at > ${againAt})))
       order by answer_due_at limit ${limit} for update skip locked)
    update issued_certificate set answer_due_at = ${againAt}
     where (issuer_id, serial) in (select issuer_id, serial from due)
    returning *`.execute(db)
  return rows.map(shown)
}

/** Unless it was revoked meanwhile: then the answer is one of yesterday. */
export async function keepAnswer(db: ServiceDatabase | Trx, of: Issued, next: DueAnswer): Promise<void> {
  await db
    .updateTable("issued_certificate")
    .set(answered(next))
    .where("issuer_id", "=", of.issuerId)
    .where("serial", "=", Buffer.from(of.serial))
    .where("revoked_at", "is not distinct from", of.revocation?.at ?? null)
    .execute()
}

const answered = ({ answer, dueAt }: DueAnswer) => ({
  ...(answer && { answer: Buffer.from(answer.bytes), answered_at: answer.at, answer_until: answer.until }),
  answer_due_at: dueAt,
})

type Row = AuthorityTables["issued_certificate"]

const issued = (db: ServiceDatabase | Trx): SelectQueryBuilder<Tables, "issued_certificate", Row> =>
  db.selectFrom("issued_certificate").selectAll()

function shown(row: Row): Issued {
  const { revoked_at: revokedAt, reason, answer, answered_at: at, answer_until: until } = row
  return {
    issuerId: row.issuer_id,
    serial: row.serial,
    kind: row.kind,
    orderId: row.order_id,
    orderHash: row.order_hash,
    notBefore: row.not_before,
    notAfter: row.not_after,
    certificate: row.certificate,
    revocation: revokedAt === null || reason === null ? null : { at: revokedAt, reason },
    answer: answer === null || at === null || until === null ? null : { bytes: answer, at, until },
  }
}
