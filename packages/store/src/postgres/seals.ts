import type { Seal, SealCertificate } from "@paraph/core/seal/model"
import type { BegunCertificate, KeptImage, NewSeal } from "@paraph/core/seal/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import { type Selectable, sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { SealTables } from "./seal-tables.ts"

/** Those of the kind that have not ended, the oldest first. */
export const listSeals = (
  db: ServiceDatabase | Trx,
  businessId: string,
  kind: Kind,
): Promise<readonly Seal[]> =>
  whole(db, (rows) =>
    rows.where("business_id", "=", businessId).where("kind", "=", kind).where("ended_at", "is", null),
  )

export async function findSeal(
  db: ServiceDatabase | Trx,
  businessId: string,
  id: string,
): Promise<Seal | null> {
  const [seal] = await whole(db, (rows) => rows.where("id", "=", id).where("business_id", "=", businessId))
  return seal ?? null
}

/** All of a business, those that have ended among them. */
export const allSealsOf = (db: ServiceDatabase | Trx, businessId: string): Promise<readonly Seal[]> =>
  whole(db, (rows) => rows.where("business_id", "=", businessId))

/** Whose newest certificate ends before that, the one that ends first being the first. */
export async function sealsEndingBefore(
  db: ServiceDatabase,
  before: Date,
  limit: number,
): Promise<readonly Seal[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from seal s join seal_certificate c on c.seal_id = s.id
     where s.ended_at is null group by s.id having max(c.not_after) < ${before}
     order by max(c.not_after) limit ${limit}`.execute(db)
  return rows.length === 0
    ? []
    : whole(db, (seals) =>
        seals.where(
          "id",
          "in",
          rows.map(({ id }) => id),
        ),
      )
}

type SealRows = ReturnType<typeof sealRows>
const sealRows = (db: ServiceDatabase | Trx) => db.selectFrom("seal").selectAll()

async function whole(
  db: ServiceDatabase | Trx,
  where: (rows: SealRows) => SealRows,
): Promise<readonly Seal[]> {
  const seals = await where(sealRows(db)).orderBy("created_at").orderBy("id").execute()
  if (seals.length === 0) return []
  const ids = seals.map(({ id }) => id)
  const certificates = await db
    .selectFrom("seal_certificate")
    .selectAll()
    .where("seal_id", "in", ids)
    .orderBy("generation")
    .execute()
  return seals.map((row) => ({
    id: row.id,
    businessId: row.business_id,
    kind: row.kind,
    name: row.name,
    holder: {
      organization: row.organization,
      identifier: row.organization_identifier,
      country: row.country,
    },
    issuer: row.issuer,
    key: row.key_algorithm,
    imageId: row.image_id,
    certificates: certificates.filter(({ seal_id }) => seal_id === row.id).map(certificateFrom),
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }))
}

function certificateFrom(row: Selectable<SealTables["seal_certificate"]>): SealCertificate {
  const { certificate, chain, not_before: notBefore, not_after: notAfter } = row
  const isIssued = certificate !== null && notBefore !== null && notAfter !== null
  return {
    id: row.id,
    generation: row.generation,
    keyLabel: row.key_label,
    issued: isIssued ? { certificate, chain, notBefore, notAfter } : null,
  }
}

/** Where somebody else was first with this name, theirs stands. */
export async function insertSeal(trx: ServiceDatabase | Trx, seal: NewSeal): Promise<Seal> {
  const { organization, identifier, country } = seal.holder
  await trx
    .insertInto("seal")
    .values({
      id: seal.id,
      business_id: seal.businessId,
      kind: seal.kind,
      name: seal.name,
      organization,
      organization_identifier: identifier,
      country,
      issuer: seal.issuer,
      key_algorithm: seal.key,
      image_id: null,
      created_at: seal.createdAt,
      ended_at: null,
    })
    .onConflict((known) => known.doNothing())
    .execute()
  const named = (await listSeals(trx, seal.businessId, seal.kind)).find(
    ({ name }) => name.toLowerCase() === seal.name.toLowerCase(),
  )
  if (named === undefined) throw new Error("The seal that was inserted is not there.")
  return named
}

export async function endSeal(trx: ServiceDatabase | Trx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable("seal")
    .set({ ended_at: at })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .execute()
}

/** The one before it goes. */
export async function saveSealImage(
  trx: Trx,
  businessId: string,
  sealId: string,
  image: KeptImage | null,
  at: Date,
): Promise<void> {
  const { image_id: before } = await trx
    .selectFrom("seal")
    .select("image_id")
    .where("id", "=", sealId)
    .where("business_id", "=", businessId)
    .executeTakeFirstOrThrow()
  if (image !== null) await keepImage(trx, businessId, image, at)
  await trx
    .updateTable("seal")
    .set({ image_id: image?.id ?? null })
    .where("id", "=", sealId)
    .execute()
  if (before !== null) await trx.deleteFrom("seal_image").where("id", "=", before).execute()
}

export async function keepImage(trx: Trx, businessId: string, image: KeptImage, at: Date): Promise<void> {
  const { id, png } = image
  await trx
    .insertInto("seal_image")
    .values({ id, business_id: businessId, png: Buffer.from(png), created_at: at })
    .execute()
}

export async function findSealImage(trx: Trx, businessId: string, id: string): Promise<Uint8Array | null> {
  const row = await trx
    .selectFrom("seal_image")
    .select("png")
    .where("id", "=", id)
    .where("business_id", "=", businessId)
    .executeTakeFirst()
  return row?.png ?? null
}

/** The next generation; one that was begun and has no certificate is taken up again. */
export async function beginCertificate(
  db: ServiceDatabase,
  seal: Seal,
  { id, keyLabel, at }: BegunCertificate,
): Promise<SealCertificate> {
  await sql`
    insert into seal_certificate (id, seal_id, generation, key_label, chain, created_at)
    select ${id}, ${seal.id}, coalesce(max(generation), 0) + 1, ${keyLabel}, '{}', ${at}
      from seal_certificate where seal_id = ${seal.id}
    having coalesce(bool_and(certificate is not null), true)
    on conflict do nothing`.execute(db)
  const row = await db
    .selectFrom("seal_certificate")
    .selectAll()
    .where("seal_id", "=", seal.id)
    .where("certificate", "is", null)
    .orderBy("generation")
    .executeTakeFirstOrThrow()
  return certificateFrom(row)
}

/** The first certificate stands. */
export async function completeCertificate(
  db: ServiceDatabase,
  id: string,
  issued: NonNullable<SealCertificate["issued"]>,
): Promise<void> {
  await db
    .updateTable("seal_certificate")
    .set({
      certificate: Buffer.from(issued.certificate),
      chain: issued.chain.map((der) => Buffer.from(der)),
      not_before: issued.notBefore,
      not_after: issued.notAfter,
    })
    .where("id", "=", id)
    .where("certificate", "is", null)
    .execute()
}
