import type { Language } from "@paraph/core/language"
import type { SealLack } from "@paraph/core/seal/model"
import type { Kind } from "@paraph/core/signature-request/model"
import type { View } from "@paraph/core/validation/model"
import type { JSONColumnType } from "kysely"

/** What validations say and cost (ADR 0048). */
export type ValidationTables = {
  validation: {
    id: string
    business_id: string
    kind: Kind
    owner_id: string
    result: Buffer
    key_version: number
    created_at: Date
    expires_at: Date
  }
  validation_picture: { validation_id: string; n: number; view: View; png: Buffer }
  validation_report: {
    validation_id: string
    business_id: string
    language: Language
    pdf: Buffer | null
    key_version: number | null
    waiting_for: SealLack | null
    ordered_at: Date
  }
  request_protocol: {
    request_id: string
    business_id: string
    language: Language
    pdf: Buffer | null
    last_seq: number | null
    waiting_for: SealLack | null
    ordered_at: Date
  }
  trusted_list: { address: string; bytes: Buffer; changed_at: Date }
  trusted_list_look: {
    only_one: boolean
    looked_at: Date
    version: string
    problems: JSONColumnType<readonly object[]>
  }
  credit_agreement: {
    business_id: string
    price: number
    included: number | null
    valid_from: Date
  }
  credit_day: {
    business_id: string
    day: string
    kind: Kind
    sku: string
    slot: number
    requests: string
    credits: string
  }
}
