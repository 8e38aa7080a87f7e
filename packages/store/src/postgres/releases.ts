import type { DueTurn } from "@paraph/core/release/leave"
import type { Passed, Release, ReleasedKey } from "@paraph/core/release/model"
import type { SignerKey } from "@paraph/core/release/ports"
import { type Selectable, sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { Tables } from "./tables.ts"

/** What signers release their keys for, and the keys that are to be destroyed. */

export async function findRelease(trx: Trx, businessId: string, id: string): Promise<Release | null> {
  const row = await trx
    .selectFrom("signing_release")
    .selectAll()
    .where("id", "=", id)
    .where("business_id", "=", businessId)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

export async function insertRelease(trx: Trx, release: Release): Promise<void> {
  await trx
    .insertInto("signing_release")
    .values({
      id: release.id,
      signature_id: release.signatureId,
      business_id: release.businessId,
      kind: release.kind,
      ...toKey(release.key),
      certificate: Buffer.from(release.certificate),
      chain: release.chain.map((one) => Buffer.from(one)),
      certificate_sha256: release.certificateSha256,
      marks: JSON.stringify(release.marks),
      until: release.until,
      passed: null,
    })
    .execute()
}

export async function passRelease(trx: Trx, id: string, passed: Passed): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("signing_release")
    .set({ passed: JSON.stringify(passed) })
    .where("id", "=", id)
    .where("passed", "is", null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error("The release has passed already.")
}

export async function noteSignerKey(trx: Trx, { keyLabel, kind, dueAt }: SignerKey): Promise<void> {
  await trx
    .insertInto("signer_key")
    .values({ key_label: keyLabel, kind, due_at: dueAt })
    .onConflict((known) => known.column("key_label").doUpdateSet({ due_at: dueAt }))
    .execute()
}

export async function forgetSignerKey(db: ServiceDatabase | Trx, keyLabel: string): Promise<void> {
  await db.deleteFrom("signer_key").where("key_label", "=", keyLabel).execute()
}

/** Whoever takes one puts its time off, so that a token that does not answer is asked again later, and not over and over. */
export async function claimDueKeys(
  db: ServiceDatabase,
  now: Date,
  { againAt, limit }: { readonly againAt: Date; readonly limit: number },
): Promise<readonly SignerKey[]> {
  const { rows } = await sql<SignerKey>`
    update signer_key set due_at = ${againAt} where key_label = any (array
      (select key_label from signer_key where due_at <= ${now}
        order by due_at limit ${limit} for update skip locked))
    returning key_label as "keyLabel", kind, due_at as "dueAt"`.execute(db)
  return rows
}

export async function dueTurns(db: ServiceDatabase, now: Date, limit: number): Promise<readonly DueTurn[]> {
  const { rows } = await sql<DueTurn>`
    select r.business_id as "businessId", r.id as "requestId", s.id as "signatureId",
           s.turn->>'releaseId' as "releaseId"
      from signature s join signature_request r on r.id = s.request_id
     where s.turn_until <= ${now} and s.state = 'open' and r.status = 'OPEN'
     order by s.turn_until limit ${limit} for update of r skip locked`.execute(db)
  return rows
}

const fromRow = (row: Selectable<Tables["signing_release"]>): Release => ({
  id: row.id,
  businessId: row.business_id,
  signatureId: row.signature_id,
  kind: row.kind,
  key: fromKey(row),
  certificate: row.certificate,
  chain: row.chain,
  certificateSha256: row.certificate_sha256,
  marks: row.marks as Release["marks"],
  until: row.until,
  passed: row.passed === null ? null : passedOf(row.passed as Stored<Passed>),
})

const toKey = (key: ReleasedKey) => {
  if (key.at === "token") return { key_label: key.label, remote: null }
  const { at: _, ...remote } = key
  return { key_label: null, remote: JSON.stringify(remote) }
}

function fromKey(row: Pick<Selectable<Tables["signing_release"]>, "key_label" | "remote">): ReleasedKey {
  if (row.key_label !== null) return { at: "token", label: row.key_label }
  return { at: "provider", ...(row.remote as Omit<Extract<ReleasedKey, { at: "provider" }>, "at">) }
}

/** JSON knows no dates. */
type Stored<T> = { readonly [K in keyof T]: T[K] extends Date ? string : T[K] }
const passedOf = ({ at, ...passed }: Stored<Passed>): Passed => ({ ...passed, at: new Date(at) })
