import { type BusinessSettings, FEATURES, type Feature } from "@paraph/core/business/model"
import type { AgreedSettings, ChangedSettings, Origins } from "@paraph/core/business/settings"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { plannedOnce } from "./named.ts"

/** None of a business that is not there. */
export async function originsOf(db: ServiceDatabase, businessId: string): Promise<Origins> {
  const row = await db
    .selectFrom("business")
    .select(["exit_origins as exitOrigins", "embed_origins as embedOrigins"])
    .where("id", "=", businessId)
    .executeTakeFirst()
  return row ?? { exitOrigins: [], embedOrigins: [] }
}

/** One row, whatever is switched on; null when there is no such business. */
export async function findSettings(
  db: ServiceDatabase | Trx,
  businessId: string,
): Promise<AgreedSettings | null> {
  const row = await db
    .selectFrom("business as b")
    .select([
      "b.name",
      "b.retention_days",
      "b.default_quality",
      "b.key_lifetime_days",
      "b.member_second_factor",
    ])
    .select(["b.exit_origins", "b.embed_origins", "b.accent", "b.sender_name", "b.sender_name_confirmed_at"])
    .select(sql<string | null>`(select id from business_logo where business_id = b.id)`.as("logo_id"))
    .select(
      sql<boolean>`exists (select from single_sign_on where business_id = b.id)`.as("has_single_sign_on"),
    )
    .select(
      sql<Feature[]>`array(select feature from business_feature where business_id = b.id)`.as("features"),
    )
    .where("b.id", "=", businessId)
    .modifyEnd(plannedOnce)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    name: row.name,
    features: FEATURES.filter((feature) => row.features.includes(feature)),
    retentionDays: row.retention_days,
    defaultQuality: row.default_quality,
    keyLifetimeDays: row.key_lifetime_days,
    exitOrigins: row.exit_origins,
    embedOrigins: row.embed_origins,
    branding: {
      accent: row.accent,
      logoId: row.logo_id,
      senderName: row.sender_name,
      senderNameState:
        row.sender_name === null || row.sender_name === row.name || row.sender_name_confirmed_at !== null
          ? "CONFIRMED"
          : "PENDING",
    },
    singleSignOn: row.has_single_sign_on,
    memberSecondFactor: row.member_second_factor,
  }
}

/** Holds the business until the transaction ends, so that what was before is what is changed; requests go on meanwhile. */
export async function lockSettings(trx: Trx, businessId: string): Promise<AgreedSettings | null> {
  await trx.selectFrom("business").select("id").where("id", "=", businessId).forNoKeyUpdate().execute()
  return findSettings(trx, businessId)
}

/** Of a business that is known to be there: its key or its session has just been looked at. */
export async function settingsOf(db: ServiceDatabase | Trx, businessId: string): Promise<BusinessSettings> {
  return there(await findSettings(db, businessId))
}

export function there(settings: AgreedSettings | null): AgreedSettings {
  if (settings === null) throw new Error("The business is not there.")
  return settings
}

export async function setFeature(trx: Trx, businessId: string, feature: Feature, on: boolean): Promise<void> {
  const row = { business_id: businessId, feature }
  if (on) {
    await trx
      .insertInto("business_feature")
      .values(row)
      .onConflict((c) => c.doNothing())
      .execute()
  } else {
    await trx
      .deleteFrom("business_feature")
      .where("business_id", "=", businessId)
      .where("feature", "=", feature)
      .execute()
  }
}

export async function changeSettings(trx: Trx, businessId: string, to: ChangedSettings): Promise<void> {
  if (Object.values(to).every((value) => value === undefined)) return
  await trx
    .updateTable("business")
    .set({
      ...(to.retentionDays !== undefined && { retention_days: to.retentionDays }),
      ...(to.defaultQuality !== undefined && { default_quality: to.defaultQuality }),
      ...(to.keyLifetimeDays !== undefined && { key_lifetime_days: to.keyLifetimeDays }),
      ...(to.exitOrigins !== undefined && { exit_origins: [...to.exitOrigins] }),
      ...(to.embedOrigins !== undefined && { embed_origins: [...to.embedOrigins] }),
      ...(to.memberSecondFactor !== undefined && { member_second_factor: to.memberSecondFactor }),
      ...(to.accent !== undefined && { accent: to.accent }),
      ...(to.senderName !== undefined && {
        sender_name: to.senderName,
        sender_name_confirmed_at: sql<Date | null>`case when sender_name = ${to.senderName} then sender_name_confirmed_at end`,
      }),
    })
    .where("id", "=", businessId)
    .execute()
}

export async function confirmSenderName(trx: Trx, businessId: string, at: Date): Promise<void> {
  await trx
    .updateTable("business")
    .set({ sender_name_confirmed_at: at })
    .where("id", "=", businessId)
    .execute()
}
