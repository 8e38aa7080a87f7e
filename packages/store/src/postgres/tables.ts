import type { Feature, MemberSecondFactor } from "@paraph/core/business/model"
import type { Channel, MailState } from "@paraph/core/captured-mail/model"
import type { Language } from "@paraph/core/language"
import type {
  AttachOnSuccess,
  Kind,
  Lack,
  Lifecycle,
  Mark,
  Quality,
  SignatureState,
  Status,
  VisualSignature,
} from "@paraph/core/signature-request/model"
import type { ColumnType, GeneratedAlways, JSONColumnType } from "kysely"
import type { AuthorityTables } from "./authority-tables.ts"
import type { EvidenceTables } from "./evidence-tables.ts"
import type { IdentificationTables } from "./identification-tables.ts"
import type { PeopleTables } from "./people-tables.ts"
import type { ReleaseTables } from "./release-tables.ts"
import type { SealTables } from "./seal-tables.ts"
import type { SignerTables } from "./signer-tables.ts"
import type { ValidationTables } from "./validation-tables.ts"

type Beside = PeopleTables &
  SignerTables &
  AuthorityTables &
  SealTables &
  IdentificationTables &
  ReleaseTables &
  EvidenceTables &
  ValidationTables

/** The rows as PostgreSQL holds them: snake_case here, and nowhere above. */
export type Tables = Beside & {
  business: {
    id: string
    name: string
    created_at: Date
    retention_days: ColumnType<number | null, number | null | undefined, number | null>
    default_quality: ColumnType<Quality, Quality | undefined, Quality>
    key_lifetime_days: ColumnType<number, number | undefined, number>
    member_second_factor: ColumnType<MemberSecondFactor, MemberSecondFactor | undefined, MemberSecondFactor>
    exit_origins: ColumnType<string[], string[] | undefined, string[]>
    embed_origins: ColumnType<string[], string[] | undefined, string[]>
    accent: ColumnType<string | null, string | null | undefined, string | null>
    sender_name: ColumnType<string | null, string | null | undefined, string | null>
    sender_name_confirmed_at: ColumnType<Date | null, never, Date | null>
    leaving: ColumnType<"stopping" | "moving" | "moved" | null, never, never>
  }
  business_logo: {
    business_id: string
    id: string
    png: Buffer
    width: number
    height: number
    created_at: Date
  }
  template: {
    id: string
    business_id: string
    kind: Kind
    owner_id: string
    name: string
    request: JSONColumnType<object>
    created_at: Date
    updated_at: Date
  }
  template_document: { template_id: string; position: number; document_id: string }
  usage_day: {
    business_id: string
    day: string
    kind: Kind
    what: string
    slot: number
    count: number
  }
  business_feature: { business_id: string; feature: Feature }
  signature_activity: {
    business_id: string
    kind: Kind
    signed_at: Date
    signature_id: string
    request_id: string
  }
  business_key: {
    business_id: string
    version: number
    kek_id: string | null
    wrapped_key: Buffer
    created_at: Date
  }
  document: DocumentRow
  document_reader: {
    business_id: string
    kind: Kind
    username: string
    created_at: Date
    document_id: string
  }
  signer_group: {
    id: string
    business_id: string
    kind: Kind
    owner_id: string
    name: string
    version_id: string
    created_at: Date
    updated_at: Date
  }
  signer_group_member: {
    group_id: string
    position: number
    email: string
    first_name: string | null
    last_name: string | null
    language: Language | null
  }
  request_group: {
    id: string
    request_id: string
    group_id: string
    position: number
    place: number
    notify: boolean
    restricted: boolean
    marks: JSONColumnType<Mark[]>
  }
  observer: {
    id: string
    request_id: string
    email: string | null
    group_id: string | null
    invited_at: Date
    invited_by: string
  }
  attachment: {
    id: string
    business_id: string
    request_id: string
    filename: string
    content_type: string
    size_bytes: number
    sha256: Buffer
    blob_name: string
    wrapped_key: Buffer
    key_version: number
    details: Buffer | null
    unsealed: ColumnType<boolean, undefined, boolean>
    created_at: Date
    identification_id: ColumnType<string | null, string | null | undefined, string | null>
  }
  loose_blob: { name: string; due_at: Date; claimed: ColumnType<boolean, boolean | undefined, boolean> }
  signature_request: RequestRow
  request_document: {
    request_id: string
    position: number
    document_id: string
    newest_id: string
    name: string
    renew_at: Date | null
  }
  request_reader: {
    business_id: string
    kind: Kind
    username: string
    created_at: Date
    request_id: string
    status: Status
  }
  signature: SignatureRow
  mark: {
    signature_id: string
    document_id: string
    version_id: string | null
    visual: JSONColumnType<VisualSignature> | null
  }
  signing_intent: {
    signature_id: string
    document_id: string
    base_id: string
    version_id: string
    prepared: JSONColumnType<object>
    value: Buffer | null
    stamp: Buffer | null
    created_at: Date
  }
  signature_look: {
    signature_id: string
    id: string
    business_id: string
    type: "drawn" | "picture"
    sealed: Buffer
    key_version: number
    created_at: Date
  }
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
  idempotency_key: {
    business_id: string
    api_user_id: string
    key_hash: Buffer
    request_hash: Buffer
    claim: string
    lease_until: Date
    expires_at: Date
    committed: boolean
    result: string | null
    status: number | null
    answer: Buffer | null
    key_version: number | null
  }
  rate_window: { key: Buffer; ends_at: Date; points: number }
  event: {
    id: string
    business_id: string
    kind: Kind
    transaction: ColumnType<string, never, never>
    number: ColumnType<number, never, never>
    type: string
    request_id: string | null
    signature_id: string | null
    document_id: string | null
    callback_id: string | null
    status: string | null
    readers: string[]
    created_at: Date
  }
  webhook: {
    id: string
    business_id: string
    kind: Kind
    owner_id: string
    url: string
    types: string[]
    secrets: Buffer
    key_version: number
    shown_to: string | null
    made_by: ColumnType<string | null, string | null, never>
    stopped_at: Date | null
    created_at: Date
    updated_at: Date
  }
  delivery: {
    id: string
    place: ColumnType<number, never, number>
    business_id: string
    kind: Kind
    subject_id: string
    line: Buffer
    type: "success" | "update" | "error" | "webhook"
    url: string
    webhook_id: string | null
    event_id: string | null
    readers: string[]
    state: "OPEN" | "COMPLETED" | "RESIGNED"
    retry: boolean
    attempts: number
    messages: string[]
    due_at: Date
    give_up_at: Date
    claim: string | null
    created_at: Date
    updated_at: Date
  }
  mail_log: {
    id: string
    business_id: string | null
    request_id: string | null
    signature_id: string | null
    type: string
    recipient: string
    channel: Channel
    state: MailState
    attempts: number
    error: string | null
    created_at: Date
    updated_at: Date
  }
  service_certificate: { name: string; subject: string; not_after: Date; noted_at: Date }
  captured_mail: {
    id: string
    business_id: string
    request_id: string
    type: string
    channel: Channel
    envelope: Buffer
    content: Buffer
    key_version: number
    created_at: Date
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
  creator: string | null
  custom: string | null
  lifecycle: Lifecycle
  status: Status
  inviting: "in-order" | "all-at-once"
  quality: Quality
  legislation: "ZERTES" | "EIDAS" | null
  callback_success_url: string | null
  callback_update_url: string | null
  callback_error_url: string | null
  attach_on_success: AttachOnSuccess[]
  read_access: string[]
  write_access: string[]
  cc_email_addresses: string[]
  expires_on: string | null
  expires_at: Date | null
  expiry_warned_at: Date | null
  auto_delete_on: string | null
  auto_delete_at: Date | null
  withdraw_message: string | null
  created_at: Date
  updated_at: Date
}

export type SignatureRow = {
  id: string
  request_id: string
  position: number
  email: string | null
  identity: JSONColumnType<object> | null
  has_identity: GeneratedAlways<boolean>
  group_id: string | null
  place: number | null
  notify: boolean
  restricted: boolean
  language: "en" | "de" | "fr" | "it"
  state: SignatureState
  consent: JSONColumnType<object> | null
  signed_at: Date | null
  decline_reason: string | null
  invited_at: Date | null
  last_viewed_at: Date | null
  reminded_at: Date | null
  mail_problem: string | null
  waiting_for: Lack | null
  turn: JSONColumnType<object> | null
  turn_until: Date | null
  vouch: JSONColumnType<object> | null
}
