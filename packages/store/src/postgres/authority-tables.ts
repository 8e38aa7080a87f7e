import type { Kind } from "@paraph/core/signature-request/model"
import type { ColumnType } from "kysely"

/** The authority of our own (ADR 0038). */
export type AuthorityTables = {
  authority: {
    id: string
    kind: Kind
    role: "root" | "issuing" | "responder" | "service" | "report"
    generation: number
    issuer_id: string | null
    key_label: string
    state: "making" | "requested" | "active" | "revoked"
    certificate: Buffer | null
    chain: ColumnType<Buffer[], Buffer[], Buffer[]>
    not_before: Date | null
    not_after: Date | null
    created_at: Date
  }
  issued_certificate: {
    issuer_id: string
    serial: Buffer
    kind: Kind
    order_id: string
    order_hash: Buffer
    not_before: Date
    not_after: Date
    certificate: Buffer | null
    revoked_at: Date | null
    reason: string | null
    answer: Buffer | null
    answered_at: Date | null
    answer_until: Date | null
    answer_due_at: Date | null
    created_at: Date
  }
  certificate_request: {
    kind: Kind
    order_id: string
    order_hash: Buffer
    request: Buffer
    ask_at: Date
    certificate: Buffer | null
    chain: ColumnType<Buffer[], Buffer[], Buffer[]>
    created_at: Date
  }
  revocation_list: {
    authority_id: string
    number: number
    list: Buffer
    issued_at: Date
    until: Date
    due_at: Date
  }
}
