import type { Database } from "../postgres/database.ts"
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
  db: Database,
  ring: KeyRing,
  businessId: string,
  newest: BusinessKey,
): Promise<void> {
  await resealWebhooks(db, ring, businessId, newest)
  await resealSingleSignOn(db, ring, businessId, newest)
  await resealLooks(db, ring, businessId, newest)
  await resealMails(db, ring, businessId, newest)
  await resealIdentifications(db, ring, businessId, newest)
  await resealRemoteSignings(db, ring, businessId, newest)
}

/** At most some dozens; each is sealed anew where nobody has changed it meanwhile. */
async function resealWebhooks(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
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

async function resealSingleSignOn(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
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
async function resealLooks(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
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
async function resealMails(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
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

/** Those that a provider is just asked about. */
async function resealIdentifications(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const rows = await db
    .selectFrom("identification")
    .select(["id", "tokens", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .execute()
  for (const { id, tokens, key_version } of rows) {
    if (tokens === null || key_version === null) continue
    const secret = identificationSecret(id)
    const opened = openSecrets(await olderKey(db, ring, businessId, key_version), secret, tokens)
    await db
      .updateTable("identification")
      .set({ tokens: sealSecrets(newest.key, secret, opened), key_version: newest.version })
      .where("id", "=", id)
      .where("tokens", "=", tokens)
      .execute()
  }
}

/** Those of which something is just asked. */
async function resealRemoteSignings(db: Database, ring: KeyRing, businessId: string, newest: BusinessKey) {
  const rows = await db
    .selectFrom("remote_signing")
    .select(["release_id", "token", "key_version"])
    .where("business_id", "=", businessId)
    .where("key_version", "<", newest.version)
    .execute()
  for (const { release_id, token, key_version } of rows) {
    if (token === null || key_version === null) continue
    const secret = remoteSecret(release_id)
    const opened = openSecrets(await olderKey(db, ring, businessId, key_version), secret, token)
    await db
      .updateTable("remote_signing")
      .set({ token: sealSecrets(newest.key, secret, opened), key_version: newest.version })
      .where("release_id", "=", release_id)
      .where("token", "=", token)
      .execute()
  }
}
