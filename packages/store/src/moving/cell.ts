import pg from "pg"
import type { Bucket } from "../blobs/bucket.ts"
import type { KeyRing } from "../keys/key-ring.ts"
import { addressOfPrimary } from "../postgres/primary.ts"
import { withServiceScope } from "../postgres/service-scope.ts"

/** A cell as whoever moves a business sees it: its database by the role that the schema belongs to, its bucket, its operator's key. */
export type Cell = {
  readonly name: string
  readonly client: pg.Client
  readonly bucket: Bucket
  readonly ring: KeyRing
}

/** In the service scope: a move reads and writes rows of all tables (ADR 0091). The owner's role may remove what is append-only. */
export async function openCell(
  name: string,
  ownerUrl: string,
  parts: Pick<Cell, "bucket" | "ring">,
): Promise<Cell> {
  const client = new pg.Client({
    connectionString: withServiceScope(await addressOfPrimary(ownerUrl)),
    application_name: "paraph-cells",
  })
  await client.connect()
  // Rows are compared as text.
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1")
  return { name, client, ...parts }
}

/** One transaction; what is thrown takes it back. */
export async function within<T>(
  { client }: Pick<Cell, "client">,
  begin: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(begin)
  try {
    const done = await work()
    await client.query("commit")
    return done
  } catch (error) {
    await client.query("rollback").catch(() => undefined)
    throw error
  }
}

/** Why a business cannot be moved, or not now; in words for whoever wants to. */
export class CannotMove extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "CannotMove"
  }
}
