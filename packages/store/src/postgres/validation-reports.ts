import type { SealLack } from "@paraph/core/seal/model"
import type { ReportOf, SealedReport } from "@paraph/core/validation/ports"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import type { ResultSealer } from "./validations.ts"

/** Rows of reports that are sealed for people: ordered by whoever asks, and made by a worker. */

const isIt = ({ validationId, language }: ReportOf) =>
  sql`validation_id = ${validationId} and language = ${language}`

/** Bound to its validation and its language: nobody can show one for the other. */
const nameOf = ({ language }: ReportOf): string => `report ${language}`

export async function findReport(
  trx: Trx,
  sealer: ResultSealer,
  businessId: string,
  of: ReportOf,
): Promise<SealedReport | null> {
  const { rows } = await sql<Row>`
    select pdf, key_version, waiting_for from validation_report
     where ${isIt(of)} and business_id = ${businessId}`.execute(trx)
  const [row] = rows
  if (row === undefined) return null
  const { pdf: sealed, key_version: keyVersion, waiting_for: waitingFor } = row
  if (sealed === null || keyVersion === null) return { pdf: null, waitingFor }
  const owner = { businessId, id: of.validationId }
  return { pdf: await sealer.openResult(owner, nameOf(of), { sealed, keyVersion }, trx), waitingFor: null }
}

type Row = { pdf: Buffer | null; key_version: number | null; waiting_for: SealLack | null }

/** The first order counts. Of a validation that is gone there is none. */
export async function orderReport(trx: Trx, businessId: string, of: ReportOf, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into validation_report (validation_id, business_id, language, ordered_at)
      select id, business_id, ${of.language}, ${at} from validation
       where id = ${of.validationId} and business_id = ${businessId} for key share
    on conflict do nothing`.execute(trx)
  return numAffectedRows === 1n
}

export async function keepReport(
  trx: Trx,
  sealer: ResultSealer,
  businessId: string,
  of: ReportOf,
  pdf: Uint8Array,
): Promise<boolean> {
  const { keyVersion, seal } = await sealer.sealResult({ businessId, id: of.validationId }, trx)
  const { numAffectedRows } = await sql`
    update validation_report set pdf = ${seal(nameOf(of), pdf)}, key_version = ${keyVersion}, waiting_for = null
     where ${isIt(of)} and business_id = ${businessId} and pdf is null`.execute(trx)
  return numAffectedRows === 1n
}

export async function noteReportWaits(
  trx: Trx,
  businessId: string,
  of: ReportOf,
  lack: SealLack,
): Promise<void> {
  await sql`
    update validation_report set waiting_for = ${lack}
     where ${isIt(of)} and business_id = ${businessId} and pdf is null`.execute(trx)
}

/** What one who waits for a report calls it. */
export const orderName = ({ validationId, language }: ReportOf): string => `${validationId} ${language}`

/** Those of them that are not sealed yet, asked by everybody who waits in one process at once. */
export async function waitingReports(
  db: ServiceDatabase,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const ids = [...new Set(names.map((name) => name.split(" ")[0]))]
  const { rows } = await sql<ReportOf>`
    select validation_id as "validationId", language from validation_report
     where validation_id = any(${ids}::uuid[]) and pdf is null`.execute(db)
  return new Map(rows.map((of) => [orderName(of), "waiting"]))
}
