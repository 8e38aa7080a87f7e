import type { About, Erasure } from "@paraph/core/evidence/erase"
import type { Kind } from "@paraph/core/signature-request/model"
import type { ColumnType, GeneratedAlways } from "kysely"

/** Evidence, and the log of it (ADR 0052). */
export type EvidenceTables = {
  story: {
    id: string
    business_id: string
    kind: Kind
    last_seq: number
    held_since: ColumnType<Date | null, Date | null | undefined>
    hold_reason: ColumnType<Buffer | null, Buffer | null | undefined>
    erased_at: ColumnType<Date | null, Date | null | undefined>
  }
  story_key: { story_id: string; business_id: string; key_version: number; wrapped_key: Buffer }
  evidence: {
    request_id: string
    seq: number
    business_id: string
    type: string
    at: Date
    signature_id: string | null
    position: GeneratedAlways<string>
    sealed: Buffer
    entry: Buffer
  }
  erasure: {
    id: string
    story_id: string
    business_id: string
    kind: Kind
    about: About
    reason: Erasure["reason"]
    erased_by: string
    events: number
    erased_at: Date
    tidy_at: Date | null
  }
  log_waiting: { position: string; kind: Kind }
  log_leaf: { kind: Kind; index: string; position: string }
  log_tile: { kind: Kind; level: number; n: string; hashes: Buffer }
  log_key: { kind: Kind; origin: string; key_label: string; public_key: Buffer; created_at: Date }
  log_head: { kind: Kind; size: string; root: Buffer }
  log_checkpoint: { kind: Kind; size: string; note: string; signed_at: Date; stamp: Buffer | null }
}
