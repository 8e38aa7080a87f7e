import { sql } from "kysely"
import type { ServiceDatabase } from "../postgres/database.ts"
import { type BusinessKey, olderKey } from "./business-keys.ts"
import type { KeyRing } from "./key-ring.ts"
import { unwrapStoryKey, wrapStoryKey } from "./story-sealer.ts"

const BATCH = 500

type Row = { readonly id: string; readonly key_version: number; readonly wrapped_key: Buffer }

/** The keys of stories come under the newest key of their business; what they sealed is not touched. */
export async function rewrapStories(
  db: ServiceDatabase,
  ring: KeyRing,
  businessId: string,
  newest: BusinessKey,
): Promise<number> {
  const older = new Map<number, Uint8Array>()
  for (let rewrapped = 0; ; ) {
    const { rows } = await sql<Row>`
      select story_id as id, key_version, wrapped_key from story_key
       where business_id = ${businessId} and key_version < ${newest.version} limit ${BATCH}`.execute(db)
    const wrapped: Buffer[] = []
    for (const { id, key_version, wrapped_key } of rows) {
      const key = older.get(key_version) ?? (await olderKey(db, ring, businessId, key_version))
      older.set(key_version, key)
      wrapped.push(wrapStoryKey(newest.key, id, unwrapStoryKey(key, id, wrapped_key)))
    }
    const { numAffectedRows } = await sql`
      update story_key k set wrapped_key = n.wrapped_key, key_version = ${newest.version}
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ key_version }) => key_version)}::integer[],
          ${wrapped}::bytea[]) as n (id, key_version, wrapped_key)
       where k.story_id = n.id and k.key_version = n.key_version`.execute(db)
    rewrapped += Number(numAffectedRows)
    if (rows.length < BATCH) return rewrapped
  }
}
