import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { Trx } from "./database.ts"
import { removeIdentifications, saveIdentifications } from "./identifications.ts"
import { later } from "./later.ts"
import { toMarkRows, toSignatureRows } from "./request-rows.ts"

/** The signatures of a request and their marks, as they are after an event; called under the lock. */
export async function saveSignatures(
  trx: Trx,
  request: SignatureRequest,
  before: SignatureRequest,
): Promise<void> {
  const stay = new Set(request.signatures.map((s) => s.id))
  await removeSignatures(
    trx,
    before.signatures.flatMap((s) => (stay.has(s.id) ? [] : [s.id])),
  )
  // A signature that is the very same value, in the same position, is left alone: the machine copies what it changes.
  const changed = new Set(
    request.signatures.flatMap((s, position) => (before.signatures[position] === s ? [] : [s.id])),
  )
  if (changed.size === 0) return
  await trx
    .insertInto("signature")
    .values(toSignatureRows(request).filter(({ id }) => changed.has(id)))
    .onConflict((known) =>
      known.column("id").doUpdateSet((e) => ({
        position: e.ref("excluded.position"),
        state: e.ref("excluded.state"),
        consent: e.ref("excluded.consent"),
        signed_at: e.ref("excluded.signed_at"),
        decline_reason: e.ref("excluded.decline_reason"),
        invited_at: e.ref("excluded.invited_at"),
        last_viewed_at: e.ref("excluded.last_viewed_at"),
        reminded_at: e.ref("excluded.reminded_at"),
        mail_problem: e.ref("excluded.mail_problem"),
        waiting_for: e.ref("excluded.waiting_for"),
        turn: e.ref("excluded.turn"),
        turn_until: e.ref("excluded.turn_until"),
        vouch: e.ref("excluded.vouch"),
      })),
    )
    .modifyEnd(later)
    .execute()
  await saveMarks(trx, request, changed)
  await saveIdentifications(trx, request, (id) => changed.has(id))
}

async function saveMarks(trx: Trx, request: SignatureRequest, changed: ReadonlySet<string>): Promise<void> {
  await trx
    .insertInto("mark")
    .values(toMarkRows(request).filter(({ signature_id }) => changed.has(signature_id)))
    .onConflict((known) =>
      known
        .columns(["signature_id", "document_id"])
        .doUpdateSet((e) => ({ version_id: e.ref("excluded.version_id") }))
        // A mark that is made is never made again.
        .where("mark.version_id", "is", null),
    )
    .modifyEnd(later)
    .execute()
  // A document that was taken from a draft is wanted by nobody.
  await trx
    .deleteFrom("mark")
    .where("signature_id", "in", [...changed])
    .where(
      "document_id",
      "not in",
      request.documents.map((d) => d.id),
    )
    .modifyEnd(later)
    .execute()
}

const OF_SIGNATURES = [
  "signing_intent",
  "signing_release",
  "remote_signing",
  "signature_look",
  "signing_link",
  "signer_session",
  "mark",
] as const

/** With everything that is the signer's: links and sessions end here. */
export async function removeSignatures(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // A worker that just keeps a link for one of them is done before we look; one that comes later finds nobody.
  await trx.selectFrom("signature").select("id").where("id", "in", ids).forUpdate().execute()
  await removeIdentifications(trx, ids)
  for (const table of OF_SIGNATURES) await trx.deleteFrom(table).where("signature_id", "in", ids).execute()
  await trx.deleteFrom("signature").where("id", "in", ids).execute()
}
