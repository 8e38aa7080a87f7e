import { createHash } from "node:crypto"
import type { Trx } from "./database.ts"

export type ErasedRows = {
  readonly events: number
  /** Whoever has the story can make the same hash of it: all its entries, in their order. */
  readonly entriesSha256: string
  /** What stands beside them: of an erased story nobody could say any more whether it is still that. */
  readonly rowsSha256: string
}

/** What a receipt says of a story, when it is written and whenever it is checked. */
export async function erasedRows(trx: Trx, storyId: string): Promise<ErasedRows> {
  const found = await trx
    .selectFrom("evidence")
    .select(["seq", "type", "at", "signature_id", "sealed", "entry"])
    .where("request_id", "=", storyId)
    .orderBy("seq")
    .execute()
  const entries = createHash("sha256")
  const rows = createHash("sha256")
  for (const { seq, type, at, signature_id, sealed, entry } of found) {
    entries.update(entry)
    // Each has a length of its own or stands in JSON, so that no two stories are one row of bytes.
    rows.update(JSON.stringify([seq, type, at.toISOString(), signature_id]))
    rows.update(createHash("sha256").update(sealed).digest())
  }
  return {
    events: found.length,
    entriesSha256: entries.digest("hex"),
    rowsSha256: rows.digest("hex"),
  }
}
