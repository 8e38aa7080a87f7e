import type { Identification } from "@paraph/core/identification/model"
import {
  type Consent,
  type GroupEntry,
  type Identity,
  type Observer,
  type SignatureRequest,
  type SigningTurn,
  statusOf,
} from "@paraph/core/signature-request/model"
import type { Insertable, Selectable } from "kysely"
import type { RequestRow, SignatureRow, Tables } from "./tables.ts"

/** A request as its rows, and back. The status is stored for filters; it must be the derived one, both ways. */
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

export type RequestParts = {
  readonly row: RequestRow & { readonly owner: string }
  readonly documents: readonly Tables["request_document"][]
  readonly signatures: readonly Selectable<SignatureRow>[]
  /** By the signature that they are of. */
  readonly marks: ReadonlyMap<string, readonly Selectable<Tables["mark"]>[]>
  readonly identifications: ReadonlyMap<string, Identification>
  readonly groups: readonly GroupEntry[]
  readonly observers: readonly Observer[]
  readonly attachments: SignatureRequest["attachments"]
}

export function fromRows(parts: RequestParts): SignatureRequest {
  const { row, documents, signatures, marks, identifications, groups, observers, attachments } = parts
  const request: SignatureRequest = {
    id: row.id,
    businessId: row.business_id,
    kind: row.kind,
    ownerId: row.owner_id,
    owner: row.owner,
    title: row.title,
    message: row.message,
    creator: row.creator,
    custom: row.custom,
    lifecycle: row.lifecycle,
    inviting: row.inviting,
    quality: row.quality,
    legislation: row.legislation,
    documents: documents.map((d) => ({
      id: d.document_id,
      newestId: d.newest_id,
      name: d.name,
      renewAt: d.renew_at,
    })),
    signatures: signatures.map((s) => fromSignature(s, marks, identifications.get(s.id) ?? null)),
    groups,
    observers,
    attachments,
    callbacks: {
      ...(row.callback_success_url !== null && { success: row.callback_success_url }),
      ...(row.callback_update_url !== null && { update: row.callback_update_url }),
      ...(row.callback_error_url !== null && { error: row.callback_error_url }),
    },
    attachOnSuccess: row.attach_on_success,
    readAccess: row.read_access,
    writeAccess: row.write_access,
    ccEmailAddresses: row.cc_email_addresses,
    expiresAt:
      row.expires_on === null || row.expires_at === null
        ? null
        : { date: row.expires_on, passesAt: row.expires_at },
    autoDeleteAt:
      row.auto_delete_on === null || row.auto_delete_at === null
        ? null
        : { date: row.auto_delete_on, beginsAt: row.auto_delete_at },
    withdrawMessage: row.withdraw_message,
    expiryWarnedAt: row.expiry_warned_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  const derived = statusOf(request)
  if (derived !== row.status)
    throw new Error(`Request ${row.id} is stored as ${row.status}, its signatures say ${derived}.`)
  return request
}

const fromSignature = (
  s: Selectable<SignatureRow>,
  marks: RequestParts["marks"],
  identification: Identification | null,
): SignatureRequest["signatures"][number] => ({
  id: s.id,
  email: s.email,
  identity: s.identity as Identity | null,
  identification,
  groupId: s.group_id,
  place: s.place,
  notify: s.notify,
  restricted: s.restricted,
  language: s.language,
  state: s.state,
  consent: s.consent === null ? null : fromConsent(s.consent),
  turn: s.turn === null ? null : fromTurn(s.turn),
  signedAt: s.signed_at,
  declineReason: s.decline_reason,
  invitedAt: s.invited_at,
  lastViewedAt: s.last_viewed_at,
  remindedAt: s.reminded_at,
  mailProblem: s.mail_problem,
  waitingFor: s.waiting_for,
  marks: (marks.get(s.id) ?? []).map((m) => ({
    documentId: m.document_id,
    versionId: m.version_id,
    visual: m.visual,
  })),
})

function fromTurn(stored: object): SigningTurn {
  const turn = stored as Omit<SigningTurn, "until" | "provider"> & { until: string; provider?: string | null }
  // One of the version before was in our own token.
  return { ...turn, provider: turn.provider ?? null, until: new Date(turn.until) }
}

const UNSEEN = { look: { type: "plain" }, places: [] } as const

function fromConsent(stored: object): Consent {
  const consent = stored as Omit<Consent, "at"> & { at: string }
  // Those of the time before there were looks have none.
  return { ...UNSEEN, ...consent, at: new Date(consent.at) }
}
