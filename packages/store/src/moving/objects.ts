import { open, rm } from "node:fs/promises"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import { type Bucket, NameTaken } from "../blobs/bucket.ts"
import { exists } from "../blobs/exists.ts"
import { CannotMove, type Cell } from "./cell.ts"

/** So long the other cell keeps what nobody owns yet: a move that is not ended by then brings it again. */
const KEPT = "7 days"
const AT_ONCE = 4

export type Copied = { readonly objects: number; readonly bytes: number }

/**
 * Brings every object of the business that the other cell has not. They are never changed and sealed under keys of the business, so they go as
 * they are, while everybody works. A name is on record there before its object is, as everywhere.
 */
export async function copyObjects(
  from: Cell,
  to: Cell,
  businessId: string,
  folder: string,
  known: Set<string>,
  show: (done: number) => void = () => undefined,
): Promise<Copied> {
  const wanted = (await namesOf(from, businessId)).filter((name) => !known.has(name))
  await note(to, wanted)
  const names = wanted.values()
  let objects = 0
  let bytes = 0
  const work = async () => {
    for (const name of names) {
      if (!(await exists(to.bucket, name))) {
        bytes += await copyObject(from.bucket, to.bucket, name, folder)
        objects += 1
      }
      known.add(name)
      show(known.size)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { objects, bytes }
}

/** In the transaction of the rows: what was brought is owned from now on. */
export async function ownObjects(to: Cell, businessId: string): Promise<void> {
  const names = await namesOf(to, businessId)
  const { rowCount } = await to.client.query("delete from loose_blob where name = any ($1) and not claimed", [
    names,
  ])
  if (rowCount !== names.length)
    throw new CannotMove(
      `${names.length - (rowCount ?? 0)} objects are not in the other cell yet. Do it again.`,
    )
}

/** In the transaction in which the rows go: the sweep of the old cell removes them. */
export const looseObjects = async (from: Cell, businessId: string): Promise<void> =>
  void (await from.client.query(
    `insert into loose_blob (name, due_at) select name, now() from unnest($1::text[]) name on conflict (name) do nothing`,
    [await namesOf(from, businessId)],
  ))

async function namesOf({ client }: Cell, businessId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select blob_name as name from document where business_id = $1
     union all select blob_name from attachment where business_id = $1 order by 1`,
    [businessId],
  )
  return rows.map(({ name }) => name)
}

async function note({ client }: Cell, names: readonly string[]): Promise<void> {
  const { rowCount } = await client.query(
    `insert into loose_blob (name, due_at) select name, now() + interval '${KEPT}' from unnest($1::text[]) name
     on conflict (name) do update set due_at = excluded.due_at where not loose_blob.claimed`,
    [names],
  )
  if (rowCount !== names.length)
    throw new CannotMove(
      "What an earlier run brought is being swept in the other cell. Try again in ten minutes.",
    )
}

async function copyObject(from: Bucket, to: Bucket, name: string, folder: string): Promise<number> {
  const path = join(folder, name.replaceAll("/", "-"))
  try {
    const file = await open(path, "w", 0o600)
    let [sizeBytes, sum] = [0, 0]
    try {
      for await (const piece of from.get(name)) {
        await file.write(piece)
        sizeBytes += piece.length
        sum = crc32(piece, sum)
      }
    } finally {
      await file.close()
    }
    await to.put(name, { path, sizeBytes, crc32: sum }).catch((error: unknown) => {
      // Another run of the same move was faster.
      if (!(error instanceof NameTaken)) throw error
    })
    return sizeBytes
  } finally {
    await rm(path, { force: true })
  }
}
