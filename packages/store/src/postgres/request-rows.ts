import { type Consent, type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import type { Selectable } from "kysely"
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
    lifecycle: r.lifecycle,
    status: statusOf(r),
    inviting: r.inviting,
    quality: r.quality,
    legislation: r.legislation,
    callback_success_url: r.callbacks.success ?? null,
    callback_update_url: r.callbacks.update ?? null,
    callback_error_url: r.callbacks.error ?? null,
    read_access: [...r.readAccess],
    write_access: [...r.writeAccess],
    cc_email_addresses: [...r.ccEmailAddresses],
    created_at: r.createdAt,
    updated_at: r.updatedAt,
  }
}

export const toSignatureRows = (r: SignatureRequest) =>
  r.signatures.map((s, position) => ({
    id: s.id,
    request_id: r.id,
    position,
    email: s.email,
    place: s.place,
    language: s.language,
    state: s.state,
    consent: s.consent === null ? null : JSON.stringify(s.consent),
    signed_at: s.signedAt,
    decline_reason: s.declineReason,
  }))

export const toMarkRows = (r: SignatureRequest) =>
  r.signatures.flatMap((s) =>
    s.marks.map((m) => ({ signature_id: s.id, document_id: m.documentId, version_id: m.versionId })),
  )

export const toDocumentRows = (r: SignatureRequest) =>
  r.documents.map((d, position) => ({
    request_id: r.id,
    position,
    document_id: d.id,
    newest_id: d.newestId,
  }))

export type RequestParts = {
  readonly row: RequestRow & { owner: string }
  readonly documents: readonly Tables["request_document"][]
  readonly signatures: readonly Selectable<SignatureRow>[]
  readonly marks: readonly Tables["mark"][]
}

export function fromRows({ row, documents, signatures, marks }: RequestParts): SignatureRequest {
  const request: SignatureRequest = {
    id: row.id,
    businessId: row.business_id,
    kind: row.kind,
    ownerId: row.owner_id,
    owner: row.owner,
    title: row.title,
    message: row.message,
    lifecycle: row.lifecycle,
    inviting: row.inviting,
    quality: row.quality,
    legislation: row.legislation,
    documents: documents.map((d) => ({ id: d.document_id, newestId: d.newest_id })),
    signatures: signatures.map((s) => ({
      id: s.id,
      email: s.email,
      place: s.place,
      language: s.language,
      state: s.state,
      consent: s.consent === null ? null : fromConsent(s.consent),
      signedAt: s.signed_at,
      declineReason: s.decline_reason,
      marks: marks
        .filter((m) => m.signature_id === s.id)
        .map((m) => ({ documentId: m.document_id, versionId: m.version_id })),
    })),
    callbacks: {
      ...(row.callback_success_url !== null && { success: row.callback_success_url }),
      ...(row.callback_update_url !== null && { update: row.callback_update_url }),
      ...(row.callback_error_url !== null && { error: row.callback_error_url }),
    },
    readAccess: row.read_access,
    writeAccess: row.write_access,
    ccEmailAddresses: row.cc_email_addresses,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  const derived = statusOf(request)
  if (derived !== row.status)
    throw new Error(`Request ${row.id} is stored as ${row.status}, its signatures say ${derived}.`)
  return request
}

function fromConsent(stored: object): Consent {
  const consent = stored as Omit<Consent, "at"> & { at: string }
  return { ...consent, at: new Date(consent.at) }
}
