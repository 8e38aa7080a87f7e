import type { JournalEvent, JournalType } from "@paraph/core/journal/model"
import type { Status } from "@paraph/core/signature-request/model"

/** As much of a row as is told. */
export type EventRow = {
  id: string
  type: string
  request_id: string | null
  signature_id: string | null
  document_id: string | null
  callback_id: string | null
  status: string | null
  created_at: Date
}

export const toEvent = (row: EventRow): JournalEvent => ({
  id: row.id,
  type: row.type as JournalType,
  createdAt: row.created_at,
  requestId: row.request_id,
  signatureId: row.signature_id,
  documentId: row.document_id,
  callbackId: row.callback_id,
  status: row.status as Status | null,
})
