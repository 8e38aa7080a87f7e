import type { IdentificationReason, IdentificationState } from "@paraph/core/identification/model"
import type { ColumnType } from "kysely"

export type IdentificationTables = {
  identification: {
    id: string
    signature_id: string
    business_id: string
    provider: string
    required: boolean
    state: IdentificationState
    attempt: number
    started_at: Date | null
    returned_at: Date | null
    decided_at: Date | null
    until: Date | null
    ask_at: Date | null
    reason: IdentificationReason | null
    name: string | null
    browser_hash: Buffer | null
    tokens: ColumnType<Buffer | null, undefined, Buffer | null>
    key_version: ColumnType<number | null, undefined, number | null>
  }
  identification_attempt: {
    state_hash: Buffer
    browser_hash: Buffer
    identification_id: string
    attempt: number
    created_at: Date
  }
}
