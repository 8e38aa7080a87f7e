import type { Kind, Lifecycle, Quality, SignatureState, Status } from "@paraph/core/signature-request/model"
import type { ColumnType, JSONColumnType } from "kysely"

/** The rows as PostgreSQL holds them: snake_case here, and nowhere above. */
export type Tables = {
  business: { id: string; name: string; created_at: Date }
  business_key: {
    business_id: string
    version: number
    kek_id: string | null
    wrapped_key: Buffer
    created_at: Date
  }
  api_user: { id: string; business_id: string; username: string; created_at: Date; removed_at: Date | null }
  api_key: {
    id: string
    business_id: string
    api_user_id: string
    kind: Kind
    key_hash: Buffer
    hint: string
    created_at: Date
    expires_at: Date
    revoked_at: Date | null
  }
  document: DocumentRow
  document_reader: {
    business_id: string
    kind: Kind
    username: string
    created_at: Date
    document_id: string
  }
  loose_blob: { name: string; due_at: Date; claimed: ColumnType<boolean, boolean | undefined, boolean> }
  signature_request: RequestRow
  request_document: { request_id: string; position: number; document_id: string; newest_id: string }
  signature: SignatureRow
  mark: { signature_id: string; document_id: string; version_id: string | null }
  signing_intent: {
    signature_id: string
    document_id: string
    base_id: string
    version_id: string
    prepared: JSONColumnType<object>
    value: Buffer | null
    created_at: Date
  }
  evidence: {
    request_id: string
    seq: number
    business_id: string
    type: string
    at: Date
    signature_id: string | null
    data: JSONColumnType<object>
  }
  signing_link: { token_hash: Buffer; signature_id: string; created_at: Date }
  signer_session: { id_hash: Buffer; signature_id: string; created_at: Date; seen_at: Date }
  callback: {
    id: string
    business_id: string
    request_id: string
    type: "success" | "update" | "error"
    url: string
    state: "OPEN" | "COMPLETED" | "RESIGNED"
    attempts: ColumnType<number, number | undefined, number>
    messages: ColumnType<string[], string[] | undefined, string[]>
    created_at: Date
    updated_at: Date
  }
  rate_limit: { key: string; points: number; expire: string | null }
}

export type DocumentRow = {
  id: string
  business_id: string
  kind: Kind
  owner_id: string
  title: string
  content_type: "application/pdf"
  size_bytes: number
  sha256: Buffer
  page_count: number
  page_width: number
  page_height: number
  parent_id: string | null
  blob_name: string
  wrapped_key: Buffer
  key_version: number
  details: Buffer | null
  read_access: string[]
  write_access: string[]
  created_at: Date
  updated_at: Date
  removing_since: Date | null
}

export type RequestRow = {
  id: string
  business_id: string
  kind: Kind
  owner_id: string
  title: string
  message: string | null
  lifecycle: Lifecycle
  status: Status
  inviting: "in-order" | "all-at-once"
  quality: Quality
  legislation: "ZERTES" | "EIDAS" | null
  callback_success_url: string | null
  callback_update_url: string | null
  callback_error_url: string | null
  read_access: string[]
  write_access: string[]
  cc_email_addresses: string[]
  created_at: Date
  updated_at: Date
}

export type SignatureRow = {
  id: string
  request_id: string
  position: number
  email: string
  place: number | null
  language: "en" | "de" | "fr" | "it"
  state: SignatureState
  consent: JSONColumnType<object> | null
  signed_at: Date | null
  decline_reason: string | null
}
