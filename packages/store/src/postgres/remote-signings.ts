import type { RemoteSigning, RemoteToken, Visit } from "@paraph/core/remote-key/model"
import type {
  RemoteSigningsReading,
  RemoteSigningsTx,
  RemoteWay,
  RemoteWayTaken,
} from "@paraph/core/remote-key/ports"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { SecretsSealer } from "./webhooks.ts"

/** Signatures that providers make, and the people on their way there. */

export const readingRemoteSignings = (
  trx: Trx,
  sealer: SecretsSealer,
  businessId: string,
): RemoteSigningsReading => ({
  findRemoteToken: (releaseId) => findToken(trx, sealer, businessId, releaseId),
  findRemoteSigning: (signatureId) => findSigning(trx, businessId, signatureId),
})

export const changingRemoteSignings = (
  trx: Trx,
  sealer: SecretsSealer,
  businessId: string,
): RemoteSigningsTx => {
  const rowOf = (releaseId: string) =>
    trx
      .updateTable("remote_signing")
      .where("release_id", "=", releaseId)
      .where("business_id", "=", businessId)
  return {
    ...readingRemoteSignings(trx, sealer, businessId),
    insertRemoteSigning: async ({ releaseId, signatureId, provider }, at) => {
      const row = { release_id: releaseId, signature_id: signatureId, business_id: businessId, provider }
      await trx
        .insertInto("remote_signing")
        .values({ ...row, created_at: at })
        .execute()
    },
    keepRemoteToken: async (releaseId, token) => {
      const of = { businessId, id: remoteSecret(releaseId) }
      const kept =
        token === null ? null : await sealer.sealSecrets(of, Buffer.from(JSON.stringify(token)), trx)
      await rowOf(releaseId)
        .set({ token: kept?.sealed ?? null, key_version: kept?.keyVersion ?? null })
        .execute()
    },
    noteRemote: async (releaseId, { mayHaveSigned, responseId, problem }) => {
      const noted = {
        ...(mayHaveSigned !== undefined && { may_have_signed: mayHaveSigned }),
        ...(responseId !== undefined && { response_id: responseId }),
        ...(problem !== undefined && { problem }),
      }
      await rowOf(releaseId).set(noted).execute()
    },
    leaseRemote: async (releaseId, lease) => {
      const { numUpdatedRows } = await rowOf(releaseId)
        .set({ leased_until: lease.until })
        .where((e) => e.or([e("leased_until", "is", null), e("leased_until", "<=", lease.now)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    returnRemote: async (releaseId, until) => {
      const { numUpdatedRows } = await rowOf(releaseId)
        .set({ leased_until: null })
        .where("leased_until", "=", until)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}

/** Beside the secrets of webhooks, which have ids of another form. */
export const remoteSecret = (releaseId: string): string => `remote ${releaseId}`

async function findToken(
  trx: Trx,
  sealer: SecretsSealer,
  businessId: string,
  releaseId: string,
): Promise<RemoteToken | null> {
  const row = await trx
    .selectFrom("remote_signing")
    .select(["token", "key_version"])
    .where("release_id", "=", releaseId)
    .where("business_id", "=", businessId)
    .executeTakeFirst()
  if (row === undefined || row.token === null || row.key_version === null) return null
  const of = { businessId, id: remoteSecret(releaseId) }
  const opened = await sealer.openSecrets(of, { sealed: row.token, keyVersion: row.key_version }, trx)
  return JSON.parse(opened.toString()) as RemoteToken
}

async function findSigning(trx: Trx, businessId: string, signatureId: string): Promise<RemoteSigning | null> {
  const row = await trx
    .selectFrom("remote_signing")
    .select(["release_id as releaseId", "signature_id as signatureId", "provider", "problem"])
    .select(["may_have_signed as mayHaveSigned", "response_id as responseId"])
    .where("signature_id", "=", signatureId)
    .where("business_id", "=", businessId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export async function insertRemoteWay(
  db: ServiceDatabase,
  { stateHash, browserHash }: RemoteWay,
  { releaseId, visit }: { readonly releaseId: string; readonly visit: Visit },
  at: Date,
): Promise<void> {
  const hashes = { state_hash: Buffer.from(stateHash), browser_hash: Buffer.from(browserHash) }
  await db
    .insertInto("remote_way")
    .values({ ...hashes, release_id: releaseId, visit, created_at: at })
    .execute()
}

/** Once, whatever comes of it. */
export async function takeRemoteWay(
  db: ServiceDatabase,
  { stateHash, browserHash }: RemoteWay,
  provider: string,
  since: Date,
): Promise<RemoteWayTaken | null> {
  const { rows } = await sql<RemoteWayTaken>`
    delete from remote_way w using remote_signing g, signature s
     where w.state_hash = ${Buffer.from(stateHash)} and w.browser_hash = ${Buffer.from(browserHash)}
       and g.release_id = w.release_id and s.id = g.signature_id and g.provider = ${provider}
       and w.created_at > ${since}
    returning g.business_id as "businessId", s.request_id as "requestId", g.signature_id as "signatureId",
              g.release_id as "releaseId", w.visit`.execute(db)
  return rows[0] ?? null
}

/** Ways that nobody comes back by any more; answers how many. */
export async function removeOldRemoteWays(db: ServiceDatabase, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from remote_way where state_hash = any (array
      (select state_hash from remote_way where created_at < ${before} limit ${limit} for update skip locked))`.execute(
    db,
  )
  return Number(numAffectedRows)
}
