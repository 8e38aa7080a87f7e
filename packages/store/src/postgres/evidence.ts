import type { Evidence } from "@paraph/core/evidence/model"
import type { Trx } from "./database.ts"

/** Appends under the lock of the request, so that the numbers have no gap and no double. */
export async function appendEvidence(
  trx: Trx,
  businessId: string,
  requestId: string,
  evidence: readonly Evidence[],
): Promise<void> {
  if (evidence.length === 0) return
  const { last } = await trx
    .selectFrom("evidence")
    .select((e) => e.fn.coalesce(e.fn.max("seq"), e.lit(0)).as("last"))
    .where("request_id", "=", requestId)
    .executeTakeFirstOrThrow()
  const rows = evidence.map(({ type, at, signatureId, data }, index) => ({
    request_id: requestId,
    seq: last + 1 + index,
    business_id: businessId,
    type,
    at,
    signature_id: signatureId ?? null,
    data: JSON.stringify(data ?? {}),
  }))
  await trx.insertInto("evidence").values(rows).execute()
}
