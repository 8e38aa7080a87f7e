import { sql } from "kysely"
import type { ServiceDatabase } from "../postgres/database.ts"
import { identificationSecret } from "../postgres/identifications.ts"
import { remoteSecret } from "../postgres/remote-signings.ts"
import { singleSignOnSecret } from "../postgres/single-sign-on.ts"
import { type BusinessKey, olderKey } from "./business-keys.ts"
import type { KeyRing } from "./key-ring.ts"
import { openLook, sealLook } from "./look-sealer.ts"
import { openMailPart, sealMail } from "./mail-sealer.ts"
import { openSecrets, sealSecrets } from "./webhook-secrets.ts"

/** What is sealed by the key of its business itself is opened and sealed anew. */
export async function resealRows(
  db: ServiceDatabase,
  ring: KeyRing,
  businessId: string,
  newest: BusinessKey,
): Promise<void> {
  await resealWebhooks(db, ring, businessId, newest)
  await resealSingleSignOn(db, ring, businessId, newest)
  await resealLooks(db, ring, businessId, newest)
  await resealMails(db, ring, businessId, newest)
  for (const one of PASSING) await resealPassing(db, ring, businessId, newest, one)
}

/** At most some dozens; each is sealed anew where nobody has changed it meanwhile. */
async function resealWebhooks(db: ServiceDatabase, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const rows = await db
    .selectFrom("webhook")
    .select(["id", "secrets", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .execute()
  for (const { id, secrets, key_version } of rows) {
    const opened = openSecrets(await olderKey(db, ring, businessId, key_version), id, secrets)
    await db
      .updateTable("webhook")
      .set({ secrets: sealSecrets(newest.key, id, opened), key_version: newest.version })
      .where("id", "=", id)
      .where("secrets", "=", secrets)
      .execute()
  }
}

async function resealSingleSignOn(
  db: ServiceDatabase,
  ring: KeyRing,
  businessId: string,
  newest: BusinessKey,
) {
  const row = await db
    .selectFrom("single_sign_on")
    .select(["secret", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .executeTakeFirst()
  if (row === undefined) return
  const id = singleSignOnSecret(businessId)
  const opened = openSecrets(await olderKey(db, ring, businessId, row.key_version), id, row.secret)
  await db
    .updateTable("single_sign_on")
    .set({ secret: sealSecrets(newest.key, id, opened), key_version: newest.version })
    .where("business_id", "=", businessId)
    .where("secret", "=", row.secret)
    .execute()
}

/** Those of signatures that are just about to be made. */
async function resealLooks(db: ServiceDatabase, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const rows = await db
    .selectFrom("signature_look")
    .select(["id", "signature_id as signatureId", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .execute()
  for (const { key_version, ...of } of rows) {
    const kept = await db
      .selectFrom("signature_look")
      .select("sealed")
      .where("id", "=", of.id)
      .executeTakeFirst()
    if (kept === undefined) continue
    const opened = openLook(await olderKey(db, ring, businessId, key_version), of, kept.sealed)
    await db
      .updateTable("signature_look")
      .set({ sealed: sealLook(newest.key, of, opened), key_version: newest.version })
      .where("id", "=", of.id)
      .where("key_version", "=", key_version)
      .execute()
  }
}

/** Copies of mails of the last days. One at a time, since each may be some dozens of kilobytes. */
async function resealMails(db: ServiceDatabase, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const rows = await db
    .selectFrom("captured_mail")
    .select(["id", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .execute()
  for (const { id, key_version } of rows) {
    const kept = await db
      .selectFrom("captured_mail")
      .select(["envelope", "content"])
      .where("id", "=", id)
      .where("key_version", "=", key_version)
      .executeTakeFirst()
    if (kept === undefined) continue
    const key = await olderKey(db, ring, businessId, key_version)
    const opened = {
      envelope: openMailPart(key, id, "envelope", kept.envelope),
      content: openMailPart(key, id, "content", kept.content),
    }
    await db
      .updateTable("captured_mail")
      .set({ ...sealMail(newest.key, id, opened), key_version: newest.version })
      .where("id", "=", id)
      .where("envelope", "=", kept.envelope)
      .execute()
  }
}

/** What opens a provider for a while; rows without it have no version either. */
type Passing = {
  readonly table: "identification" | "remote_signing"
  readonly id: string
  readonly sealed: string
  readonly secretOf: (id: string) => string
}

const PASSING: readonly Passing[] = [
  { table: "identification", id: "id", sealed: "tokens", secretOf: identificationSecret },
  { table: "remote_signing", id: "release_id", sealed: "token", secretOf: remoteSecret },
]

async function resealPassing(
  db: ServiceDatabase,
  ring: KeyRing,
  businessId: string,
  newest: BusinessKey,
  { table, id: idColumn, sealed: column, secretOf }: Passing,
) {
  const [name, key, value] = [sql.table(table), sql.ref(idColumn), sql.ref(column)]
  const { rows } = await sql<{ id: string; sealed: Buffer; version: number }>`
    select ${key} as id, ${value} as sealed, key_version as version from ${name}
     where business_id = ${businessId} and key_version < ${newest.version} and ${value} is not null`.execute(
    db,
  )
  for (const { id, sealed, version } of rows) {
    const secret = secretOf(id)
    const opened = openSecrets(await olderKey(db, ring, businessId, version), secret, sealed)
    await sql`
      update ${name} set ${value} = ${sealSecrets(newest.key, secret, opened)}, key_version = ${newest.version}
       where ${key} = ${id} and ${value} = ${sealed}`.execute(db)
  }
}
