import { sql } from "kysely"
import type { ServiceDatabase } from "./database.ts"

export type ByEarlierPepper = {
  readonly apiKeys: number
  readonly passwords: number
  /** People with recovery codes, which are hashed again only when the person makes new ones. */
  readonly recoveryCodes: number
}

/** What only an earlier pepper verifies, and what ends when that pepper is removed (ADR 0096). */
export async function countByEarlierPepper(
  db: ServiceDatabase,
  pepperId: string,
  now: Date,
): Promise<ByEarlierPepper> {
  const keyid = Buffer.from(pepperId, "hex").toString("base64").replaceAll("=", "")
  const { rows } = await sql<ByEarlierPepper>`
    select
      (select count(*)::int from api_key k join api_user u on u.id = k.api_user_id
        where k.pepper_id is distinct from ${pepperId}
          and k.revoked_at is null and k.expires_at > ${now} and u.removed_at is null) as "apiKeys",
      (select count(*)::int from account_credentials
        where password_hash is not null and strpos(password_hash, ${`,keyid=${keyid}$`}) = 0) as "passwords",
      (select count(distinct account_id)::int from account_recovery_code
        where pepper_id is distinct from ${pepperId}) as "recoveryCodes"
  `.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error("PostgreSQL answered no row for a count.")
  return found
}
