import type { Branding, Logo } from "@paraph/core/branding/model"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { plannedOnce } from "./named.ts"

/** `senderName` is one that counts: before an operator has confirmed it there is none. */
export type Brand = Omit<Branding, "senderNameState"> & { readonly name: string }

/** How the business shows itself, and what it is called, of one that is known to be there. */
export async function brandOf(db: ServiceDatabase, businessId: string): Promise<Brand> {
  return db
    .selectFrom("business as b")
    .leftJoin("business_logo as l", "l.business_id", "b.id")
    .select(["b.name", "b.accent", "l.id as logoId"])
    .select(
      sql<string | null>`case when b.sender_name_confirmed_at is not null then b.sender_name end`.as(
        "senderName",
      ),
    )
    .where("b.id", "=", businessId)
    .modifyEnd(plannedOnce)
    .executeTakeFirstOrThrow()
}

export async function findLogo(db: ServiceDatabase | Trx, businessId: string): Promise<Logo | null> {
  const row = await logos(db).where("business_id", "=", businessId).executeTakeFirst()
  return row ?? null
}

/** By the id that its pages name: whoever knows it was shown it. */
export async function findLogoById(db: ServiceDatabase, id: string): Promise<Logo | null> {
  const row = await logos(db).where("id", "=", id).executeTakeFirst()
  return row ?? null
}

const logos = (db: ServiceDatabase | Trx) =>
  db.selectFrom("business_logo").select(["id", "png", "width", "height"])

export async function keepLogo(trx: Trx, businessId: string, logo: Logo, at: Date): Promise<void> {
  const { id, png, width, height } = logo
  const row = { id, png: Buffer.from(png), width, height, created_at: at }
  await trx
    .insertInto("business_logo")
    .values({ business_id: businessId, ...row })
    .onConflict((known) => known.column("business_id").doUpdateSet(row))
    .execute()
}

export async function removeLogo(trx: Trx, businessId: string): Promise<void> {
  await trx.deleteFrom("business_logo").where("business_id", "=", businessId).execute()
}
