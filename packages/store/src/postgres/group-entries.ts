import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { Trx } from "./database.ts"

/** The groups that a draft asks to sign, as they are now; called under the lock. */
export async function saveGroupEntries(trx: Trx, request: SignatureRequest): Promise<void> {
  const ids = request.groups.map(({ id }) => id)
  await trx
    .deleteFrom("request_group")
    .where("request_id", "=", request.id)
    .$if(ids.length > 0, (query) => query.where("id", "not in", ids))
    .execute()
  if (ids.length === 0) return
  const rows = request.groups.map((entry, position) => ({
    id: entry.id,
    request_id: request.id,
    group_id: entry.groupId,
    position,
    place: entry.place,
    notify: entry.notify,
    restricted: entry.restricted,
    marks: JSON.stringify(entry.marks),
  }))
  await trx
    .insertInto("request_group")
    .values(rows)
    .onConflict((known) =>
      known.column("id").doUpdateSet((e) => ({
        position: e.ref("excluded.position"),
        place: e.ref("excluded.place"),
        notify: e.ref("excluded.notify"),
        restricted: e.ref("excluded.restricted"),
        marks: e.ref("excluded.marks"),
      })),
    )
    .execute()
}
