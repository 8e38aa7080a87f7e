import { LIMITS } from "@paraph/core/limits"
import type { OrderBatch } from "@paraph/core/seal/batch"
import { batchState, type SealBatch as Model, type TitledSealing } from "@paraph/core/seal/model"
import { Type } from "typebox"
import { closed, DateTime, orNull, Uuid } from "../shared/fields.ts"
import { PROBLEMS } from "../shared/problems.ts"
import { AccountName, type AskedVisual, readSealVisual } from "../shared/seal.ts"
import { SealVisual } from "./seal.ts"

/** A documented addition: up to 1,000 documents that are here already, sealed by one job. */
export const SealBatchBody = Type.Object(
  {
    document_ids: Type.Array(Uuid, {
      minItems: 1,
      maxItems: LIMITS.documentsPerBatch,
      uniqueItems: true,
      description: "Of documents that the caller may write; up to 1,000, each once.",
    }),
    account_name: Type.Optional(orNull(AccountName)),
    visual_signature: Type.Optional(orNull(SealVisual)),
  },
  closed,
)
export type SealBatchBody = Type.Static<typeof SealBatchBody>

export type AskedBatch = Omit<OrderBatch, "visual"> & { readonly visual: AskedVisual }

export const readBatch = (body: SealBatchBody): AskedBatch => ({
  documentIds: body.document_ids.map((id) => id.toLowerCase()),
  accountName: body.account_name ?? null,
  visual: readSealVisual(body.visual_signature),
})

const Count = Type.Integer({ minimum: 0 })

export const SealBatch = Type.Object({
  id: Uuid,
  status: Type.Enum(["RUNNING", "COMPLETED", "CANCELLED"]),
  account_name: Type.String(),
  total: Count,
  waiting: Count,
  sealed: Count,
  failed: Count,
  cancelled: Count,
  created_at: DateTime,
  updated_at: DateTime,
})
export type SealBatch = Type.Static<typeof SealBatch>

export const SealBatchDocument = Type.Object({
  document_id: Uuid,
  title: orNull(Type.String({ description: "Null once it is deleted." })),
  status: Type.Enum(["WAITING", "SEALED", "FAILED", "CANCELLED"]),
  sealed_document_id: Type.Optional(Uuid),
  waiting_for: orNull(Type.Enum(["KEYS", "TIMESTAMP", "REVOCATION"])),
  key: Type.Optional(Type.String({ description: "Why it could not be sealed, as problems say it." })),
  message: Type.Optional(Type.String()),
})

export const WholeSealBatch = Type.Object({
  ...SealBatch.properties,
  documents: Type.Array(SealBatchDocument, { description: "In the order in which they were named." }),
})
export type WholeSealBatch = Type.Static<typeof WholeSealBatch>

export const writeBatch = (batch: Model): SealBatch => {
  const { waiting, done, failed, cancelled } = batch.counts
  return {
    id: batch.id,
    status: batchState(batch),
    account_name: batch.sealName,
    total: waiting + done + failed + cancelled,
    waiting,
    sealed: done,
    failed,
    cancelled,
    created_at: batch.createdAt.toISOString(),
    updated_at: batch.updatedAt.toISOString(),
  }
}

export const writeWholeBatch = (
  batch: Model & { readonly sealings: readonly TitledSealing[] },
): WholeSealBatch => ({
  ...writeBatch(batch),
  documents: batch.sealings.map(writeDocument),
})

const STATUS = { waiting: "WAITING", done: "SEALED", failed: "FAILED", cancelled: "CANCELLED" } as const
const LACKS = { keys: "KEYS", timestamp: "TIMESTAMP", revocation: "REVOCATION" } as const

function writeDocument({
  baseId,
  versionId,
  state,
  waitingFor,
  fault,
  title,
}: TitledSealing): WholeSealBatch["documents"][number] {
  const key = fault === null ? undefined : PROBLEMS[fault.code].key
  return {
    document_id: baseId,
    title,
    status: STATUS[state],
    ...(state === "done" && { sealed_document_id: versionId }),
    waiting_for: waitingFor === null ? null : LACKS[waitingFor],
    ...(key !== undefined && { key }),
    ...(fault !== null && { message: fault.detail }),
  }
}
