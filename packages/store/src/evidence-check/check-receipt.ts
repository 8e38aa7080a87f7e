// What was erased, against its receipt: what is left of it is what it counted (ADR 0055).

import type { EvidenceBody } from "@paraph/evidence/body"
import { sql } from "kysely"
import type { Trx } from "../postgres/database.ts"
import { erasedRows } from "../postgres/erased-rows.ts"

type Row = {
  readonly about: string
  readonly reason: string
  readonly erased_by: string
  readonly events: number
  readonly erased_at: Date
  readonly story_erased_at: Date | null
}

export async function isReceiptOf(trx: Trx, receiptId: string, { at, data }: EvidenceBody): Promise<boolean> {
  const { rows } = await sql<Row>`
    select x.about, x.reason, x.erased_by, x.events, x.erased_at, s.erased_at as story_erased_at
      from erasure x join story s on s.id = x.story_id
     where x.id = ${receiptId} and x.story_id::text = ${String(data.story)}`.execute(trx)
  const [row] = rows
  if (row === undefined) return false
  const left = await erasedRows(trx, String(data.story))
  return (
    row.about === data.about &&
    row.reason === data.reason &&
    row.erased_by === data.by &&
    row.events === data.events &&
    left.events === data.events &&
    row.erased_at.toISOString() === at &&
    row.story_erased_at?.toISOString() === at &&
    left.entriesSha256 === data.entries_sha256 &&
    left.rowsSha256 === data.rows_sha256
  )
}
