import type { SingleSignOn } from "@paraph/core/account/single-sign-on"
import type { SingleSignOnTx } from "@paraph/core/account/single-sign-on-settings"
import { sql } from "kysely"
import type { WriteToMember } from "../jobs/enqueue.ts"
import { roleOf } from "./accounts.ts"
import { recording } from "./audit-log.ts"
import type { ServiceDatabase, Trx } from "./database.ts"
import { writeToOwners } from "./owners.ts"
import type { SecretsSealer } from "./webhooks.ts"

/** Beside the secrets of webhooks, which have ids of another form. */
const sealedAs = (businessId: string) => ({ businessId, id: singleSignOnSecret(businessId) })
export const singleSignOnSecret = (businessId: string): string => `single sign-on ${businessId}`

export async function findSingleSignOn(
  db: ServiceDatabase | Trx,
  sealer: SecretsSealer,
  businessId: string,
): Promise<SingleSignOn | null> {
  const row = await db
    .selectFrom("single_sign_on")
    .selectAll()
    .where("business_id", "=", businessId)
    .executeTakeFirst()
  if (row === undefined) return null
  const sealed = { sealed: row.secret, keyVersion: row.key_version }
  return {
    businessId,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: (await sealer.openSecrets(sealedAs(businessId), sealed, db)).toString(),
    enforced: row.enforced,
    joins: row.joins,
    updatedAt: row.updated_at,
  }
}

export type SingleSignOnOfDomain = {
  readonly businessId: string
  readonly name: string
  readonly enforced: boolean
}

/** Where people of this domain may log in, whoever they are; null for most. */
export async function singleSignOnOf(
  db: ServiceDatabase,
  domain: string,
): Promise<SingleSignOnOfDomain | null> {
  const row = await db
    .selectFrom("granted_domain as d")
    .innerJoin("single_sign_on as s", "s.business_id", "d.business_id")
    .innerJoin("business as b", "b.id", "d.business_id")
    .select(["b.id as businessId", "b.name", "s.enforced"])
    .where("d.domain", "=", domain)
    .executeTakeFirst()
  return row ?? null
}

export const createChangeSingleSignOn =
  (db: ServiceDatabase, sealer: SecretsSealer, writeToMember: WriteToMember) =>
  <T>(businessId: string, work: (tx: SingleSignOnTx) => Promise<T>): Promise<T> =>
    db.transaction().execute((trx) =>
      work({
        lock: async () => {
          await lockSingleSignOn(trx, businessId)
          return findSingleSignOn(trx, sealer, businessId)
        },
        domains: () => listDomains(trx, businessId),
        save: (settings) => save(trx, sealer, settings),
        remove: async () =>
          void (await trx.deleteFrom("single_sign_on").where("business_id", "=", businessId).execute()),
        endLogins: (now) => endLogins(trx, businessId, now),
        endOtherLogins: () => endOtherLogins(trx, businessId),
        roleOf: (userId) => roleOf(trx, businessId, userId),
        loggedInAt: async (sessionId) => {
          const found = trx
            .selectFrom("account_session")
            .select("created_at as at")
            .where("id", "=", sessionId)
          return (await found.executeTakeFirst())?.at ?? null
        },
        writeToOwners: (letter, language) => writeToOwners(trx, writeToMember, letter, language),
        hasOpened: (sessionId) => hasOpened(trx, businessId, sessionId),
        appendAudit: recording(trx, businessId),
      }),
    )

/** The business too, so that two who make it at once come one after the other; whoever logs in goes on until it is there. */
async function lockSingleSignOn(trx: Trx, businessId: string): Promise<void> {
  await trx.selectFrom("business").select("id").where("id", "=", businessId).forNoKeyUpdate().execute()
  await trx
    .selectFrom("single_sign_on")
    .select("business_id")
    .where("business_id", "=", businessId)
    .forUpdate()
    .execute()
}

async function save(trx: Trx, sealer: SecretsSealer, settings: SingleSignOn): Promise<void> {
  const { businessId, clientSecret, enforced, joins } = settings
  const secret = await sealer.sealSecrets(sealedAs(businessId), Buffer.from(clientSecret), trx)
  const row = {
    issuer: settings.issuer,
    client_id: settings.clientId,
    secret: secret.sealed,
    key_version: secret.keyVersion,
    enforced,
    joins,
    updated_at: settings.updatedAt,
  }
  await trx
    .insertInto("single_sign_on")
    .values({ business_id: businessId, ...row })
    .onConflict((known) => known.column("business_id").doUpdateSet(row))
    .execute()
}

/** It may have been somebody else, who would go on by a webhook. */
async function endLogins(trx: Trx, businessId: string, now: Date): Promise<void> {
  await sql`
    update webhook w set stopped_at = ${now}, updated_at = ${now} from account_session s
     where s.sso_business_id = ${businessId} and s.id in (w.shown_to, w.made_by) and w.stopped_at is null`.execute(
    trx,
  )
  await trx.deleteFrom("single_sign_on_subject").where("business_id", "=", businessId).execute()
  await trx.deleteFrom("single_sign_on_attempt").where("business_id", "=", businessId).execute()
  await trx.deleteFrom("account_step").where("sso_business_id", "=", businessId).execute()
  await trx.deleteFrom("account_session").where("sso_business_id", "=", businessId).execute()
}

/** They would be there, and open nothing of the business: whoever has one is better told to log in. */
export async function endOtherLogins(trx: Trx, businessId: string): Promise<void> {
  await sql`
    delete from account_session s using membership m, account a, granted_domain d, single_sign_on o
     where m.business_id = ${businessId} and m.accepted_at is not null and a.id = m.account_id and s.account_id = a.id
       and o.business_id = m.business_id and o.enforced and d.business_id = m.business_id
       and d.domain = lower(substring(a.email from '[^@]*$')) and s.sso_business_id is distinct from m.business_id`.execute(
    trx,
  )
}

async function hasOpened(trx: Trx, businessId: string, sessionId: string): Promise<boolean> {
  const found = await trx
    .selectFrom("account_session")
    .select("id")
    .where("id", "=", sessionId)
    .where("sso_business_id", "=", businessId)
    .executeTakeFirst()
  return found !== undefined
}

export async function listDomains(db: ServiceDatabase | Trx, businessId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("granted_domain")
    .select("domain")
    .where("business_id", "=", businessId)
    .orderBy("domain")
    .execute()
  return rows.map(({ domain }) => domain)
}

/** Answers who has it already; null: it is this business's from here on. */
export async function grantDomain(
  trx: Trx,
  businessId: string,
  domain: string,
  now: Date,
): Promise<string | null> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("granted_domain")
    .values({ domain, business_id: businessId, granted_at: now })
    .onConflict((known) => known.column("domain").doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return null
  return ownerOfDomain(trx, domain)
}

export async function ownerOfDomain(trx: Trx, domain: string): Promise<string | null> {
  const found = await trx
    .selectFrom("granted_domain")
    .select("business_id as businessId")
    .where("domain", "=", domain)
    .executeTakeFirst()
  return found?.businessId ?? null
}

/** Whoever came by the single sign-on of that business comes again: those of the other domains can. */
export async function revokeDomain(trx: Trx, businessId: string, domain: string, now: Date): Promise<void> {
  await lockSingleSignOn(trx, businessId)
  await trx.deleteFrom("granted_domain").where("domain", "=", domain).execute()
  await endLogins(trx, businessId, now)
}
