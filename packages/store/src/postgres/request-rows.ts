import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import type { Insertable } from "kysely"
import type { RequestRow, SignatureRow, Tables } from "./tables.ts"

/** A request as its rows (and back: `written-requests.ts`). The status is stored for filters; it must be the derived one, both ways. */
export function toRequestRow(r: SignatureRequest): RequestRow {
  return {
    id: r.id,
    business_id: r.businessId,
    kind: r.kind,
    owner_id: r.ownerId,
    title: r.title,
    message: r.message,
    creator: r.creator,
    custom: r.custom,
    lifecycle: r.lifecycle,
    status: statusOf(r),
    inviting: r.inviting,
    quality: r.quality,
    legislation: r.legislation,
    callback_success_url: r.callbacks.success ?? null,
    callback_update_url: r.callbacks.update ?? null,
    callback_error_url: r.callbacks.error ?? null,
    attach_on_success: [...r.attachOnSuccess],
    read_access: [...r.readAccess],
    write_access: [...r.writeAccess],
    cc_email_addresses: [...r.ccEmailAddresses],
    expires_on: r.expiresAt?.date ?? null,
    expires_at: r.expiresAt?.passesAt ?? null,
    expiry_warned_at: r.expiryWarnedAt,
    auto_delete_on: r.autoDeleteAt?.date ?? null,
    auto_delete_at: r.autoDeleteAt?.beginsAt ?? null,
    withdraw_message: r.withdrawMessage,
    created_at: r.createdAt,
    updated_at: r.updatedAt,
  }
}

export const toSignatureRows = (r: SignatureRequest): Insertable<SignatureRow>[] =>
  r.signatures.map((s, position) => ({
    id: s.id,
    request_id: r.id,
    position,
    email: s.email,
    identity: s.identity === null ? null : JSON.stringify(s.identity),
    group_id: s.groupId,
    place: s.place,
    notify: s.notify,
    restricted: s.restricted,
    language: s.language,
    state: s.state,
    consent: s.consent === null ? null : JSON.stringify(s.consent),
    signed_at: s.signedAt,
    decline_reason: s.declineReason,
    invited_at: s.invitedAt,
    last_viewed_at: s.lastViewedAt,
    reminded_at: s.remindedAt,
    mail_problem: s.mailProblem,
    waiting_for: s.waitingFor,
    turn: s.turn === null ? null : JSON.stringify(s.turn),
    vouch: s.vouch === null ? null : JSON.stringify(s.vouch),
    turn_until: s.turn === null || s.turn.state === "released" ? null : s.turn.until,
  }))

export const toMarkRows = (r: SignatureRequest): Insertable<Tables["mark"]>[] =>
  r.signatures.flatMap((s) =>
    s.marks.map((m) => ({
      signature_id: s.id,
      document_id: m.documentId,
      version_id: m.versionId,
      visual: m.visual === null ? null : JSON.stringify(m.visual),
    })),
  )

export const toDocumentRows = (r: SignatureRequest) =>
  r.documents.map((d, position) => ({
    request_id: r.id,
    position,
    document_id: d.id,
    newest_id: d.newestId,
    name: d.name,
    renew_at: d.renewAt,
  }))
