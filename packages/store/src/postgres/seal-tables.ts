import type { Seal, SealingFault, SealingState, SealLack } from "@paraph/core/seal/model"
import type { Kind, Position } from "@paraph/core/signature-request/model"
import type { ColumnType, JSONColumnType } from "kysely"

/** Company seals (ADR 0043). */
export type SealTables = {
  seal: {
    id: string
    business_id: string
    kind: Kind
    name: string
    organization: string
    organization_identifier: string | null
    country: string | null
    issuer: Seal["issuer"]
    key_algorithm: Seal["key"]
    image_id: string | null
    created_at: Date
    ended_at: Date | null
  }
  seal_certificate: {
    id: string
    seal_id: string
    generation: number
    key_label: string
    certificate: Buffer | null
    chain: ColumnType<Buffer[], Buffer[], Buffer[]>
    not_before: Date | null
    not_after: Date | null
    created_at: Date
  }
  sealed_document: {
    document_id: string
    business_id: string
    kind: Kind
    seal_id: string
    sealing_id: string
    first_id: string
    renew_at: Date | null
  }
  seal_image: { id: string; business_id: string; png: Buffer; created_at: Date }
  seal_batch: {
    id: string
    business_id: string
    kind: Kind
    owner_id: string
    seal_id: string
    cancelled_at: Date | null
    ended_at: Date | null
    created_at: Date
    updated_at: Date
  }
  sealing: {
    id: string
    business_id: string
    kind: Kind
    seal_id: string
    batch_id: string | null
    place: number
    base_id: string
    is_upload: boolean
    version_id: string
    position: JSONColumnType<Position> | null
    image_id: string | null
    ordered_by: string
    state: SealingState
    waiting_for: SealLack | null
    fault: JSONColumnType<SealingFault> | null
    prepared: JSONColumnType<object> | null
    value: Buffer | null
    stamp: Buffer | null
    created_at: Date
    updated_at: Date
  }
}
