import { sealedSize } from "@paraph/seal/stream"
import { sql } from "kysely"
import type { ServiceDatabase } from "../postgres/database.ts"
import { type Bucket, PREFIX } from "./bucket.ts"
import { exists } from "./exists.ts"

export type Finding = {
  /** A document or attachment whose object is not there; an object that no row names; an object that is not as long as it must be. */
  readonly type: "lost" | "unnamed" | "wrong-size"
  readonly name: string
}

type Named = { readonly name: string; readonly sizeBytes: number | null }

/**
 * Lays the rows and the bucket side by side, both in the order of their names, whatever their number. Others go on
 * meanwhile: what seems wrong is looked at once more before it is told.
 */
export async function* audit(db: ServiceDatabase, bucket: Bucket): AsyncGenerator<Finding> {
  const rows = namedRows(db)
  let row = await rows.next()
  for await (const object of bucket.list()) {
    while (row.done !== true && row.value.name < object.name) {
      yield* lost(db, bucket, row.value)
      row = await rows.next()
    }
    if (row.done !== true && row.value.name === object.name) {
      if (row.value.sizeBytes !== null && object.sizeBytes !== sealedSize(row.value.sizeBytes))
        yield { type: "wrong-size", name: object.name }
      row = await rows.next()
    } else yield* unnamed(db, bucket, object.name)
  }
  for (; row.done !== true; row = await rows.next()) yield* lost(db, bucket, row.value)
}

const BATCH = 1_000

/** Of documents, of attachments and of loose objects; those have no size that must be right. */
async function* namedRows(db: ServiceDatabase): AsyncGenerator<Named> {
  for (let after = PREFIX; ; ) {
    const { rows } = await sql<Named>`
      (select blob_name as name, size_bytes as "sizeBytes" from document where blob_name > ${after}
        order by blob_name limit ${BATCH})
      union all
      (select blob_name, size_bytes from attachment where blob_name > ${after} order by blob_name limit ${BATCH})
      union all
      (select name, null from loose_blob where name > ${after} order by name limit ${BATCH})
      order by name limit ${BATCH}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.name
  }
}

async function* lost(
  db: ServiceDatabase,
  bucket: Bucket,
  { name, sizeBytes }: Named,
): AsyncGenerator<Finding> {
  // A loose object need not be there: it is not stored yet, or removed already.
  if (sizeBytes === null || (await exists(bucket, name))) return
  // Asked after the bucket: a row that owns it still now did so then.
  if ((await ownerOf(db, name)) === "owned") yield { type: "lost", name }
}

/** Asked before the bucket: the name goes after its object, so an object that is still there then has lost its name. */
async function* unnamed(db: ServiceDatabase, bucket: Bucket, name: string): AsyncGenerator<Finding> {
  if ((await ownerOf(db, name)) === null && (await exists(bucket, name))) yield { type: "unnamed", name }
}

/** One statement, so one moment: a name that goes from one table to the other is never in none. */
async function ownerOf(db: ServiceDatabase, name: string): Promise<"owned" | "loose" | null> {
  const { rows } = await sql<{ owner: "owned" | "loose" }>`
    select 'owned' as owner from document where blob_name = ${name}
    union all
    select 'owned' from attachment where blob_name = ${name}
    union all
    select 'loose' from loose_blob where name = ${name}`.execute(db)
  return rows[0]?.owner ?? null
}
