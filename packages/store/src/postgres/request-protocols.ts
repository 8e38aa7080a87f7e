import type { Language } from "@paraph/core/language"
import type { ProtocolOf, ProtocolsReading, ProtocolsTx } from "@paraph/core/report/ports"
import type { SealLack } from "@paraph/core/seal/model"
import type { SealedReport } from "@paraph/core/validation/ports"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { openedStoryKey, type StorySealer } from "./evidence.ts"

/** Rows of protocols that are sealed for people: ordered by whoever asks, and made by a worker. */

export const readingProtocols = (trx: Trx, sealer: StorySealer, businessId: string): ProtocolsReading => ({
  findProtocol: async (of) => {
    const row = await rowOf(trx, businessId, of)
    return row === null || isOutdated(row) ? null : opened(trx, sealer, businessId, of, row)
  },
  findNewestProtocol: async (of, since) => {
    const row = await rowOf(trx, businessId, of)
    // One that was ordered before, and made after, may tell all of it nevertheless.
    const isEarlier = row !== null && since !== undefined && row.ordered_at < since
    if (row === null || (isEarlier && (row.pdf === null || isOutdated(row)))) return null
    return opened(trx, sealer, businessId, of, row)
  },
  isProtocolOrdered: async (of) => {
    const row = await rowOf(trx, businessId, of)
    return row !== null && row.pdf === null
  },
})

export const changingProtocols = (trx: Trx, sealer: StorySealer, businessId: string): ProtocolsTx => ({
  orderProtocol: (of, at) => orderProtocol(trx, businessId, of, at),
  keepProtocol: async (of, pdf, lastSeq) => {
    const key = await openedStoryKey(trx, sealer, { businessId, id: of.requestId })
    if (key === null) return false
    const { numAffectedRows } = await sql`
      update request_protocol
         set pdf = ${key.seal(nameOf(of, lastSeq), pdf)}, last_seq = ${lastSeq}, waiting_for = null
       where ${isIt(businessId, of)} and pdf is null`.execute(trx)
    return numAffectedRows === 1n
  },
  noteProtocolWaits: async (of, lack) => {
    await sql`
      update request_protocol set waiting_for = ${lack}
       where ${isIt(businessId, of)} and pdf is null`.execute(trx)
  },
})

const isIt = (businessId: string, { requestId, language }: ProtocolOf) =>
  sql`request_id = ${requestId} and language = ${language} and business_id = ${businessId}`

/** Bound to its story, its language and the event it ends with: nobody can show one for the other. */
const nameOf = ({ language }: ProtocolOf, lastSeq: number): string => `protocol ${language} ${lastSeq}`

type Row = {
  readonly pdf: Buffer | null
  readonly last_seq: number | null
  readonly waiting_for: SealLack | null
  readonly ordered_at: Date
  readonly story_seq: number
}

/** Something has happened since. */
const isOutdated = ({ pdf, last_seq: lastSeq, story_seq: now }: Row): boolean =>
  pdf !== null && lastSeq !== now

async function rowOf(trx: Trx, businessId: string, of: ProtocolOf): Promise<Row | null> {
  const { rows } = await sql<Row>`
    select r.pdf, r.last_seq, r.waiting_for, r.ordered_at, s.last_seq as story_seq
      from (select * from request_protocol where ${isIt(businessId, of)}) r
      join story s on s.id = r.request_id`.execute(trx)
  return rows[0] ?? null
}

async function opened(
  trx: Trx,
  sealer: StorySealer,
  businessId: string,
  of: ProtocolOf,
  { pdf, last_seq: lastSeq, waiting_for: waitingFor }: Row,
): Promise<SealedReport | null> {
  if (pdf === null || lastSeq === null) return { pdf: null, waitingFor }
  const key = await openedStoryKey(trx, sealer, { businessId, id: of.requestId })
  return key && { pdf: key.open(nameOf(of, lastSeq), pdf), waitingFor: null }
}

/** As long as a job for it may wait in the queue; after that nobody has it in hand any more. */
const GIVEN_UP_MS = 3_600_000

/** The first order counts, until it is made, or given up; and one that tells less than the whole gives way. */
async function orderProtocol(
  trx: Trx,
  businessId: string,
  { requestId, language }: ProtocolOf,
  at: Date,
): Promise<boolean> {
  const before = new Date(at.getTime() - GIVEN_UP_MS)
  const { numAffectedRows } = await sql`
    insert into request_protocol as r (request_id, business_id, language, ordered_at)
      select id, business_id, ${language}, ${at} from signature_request
       where id = ${requestId} and business_id = ${businessId} for key share
    on conflict (request_id, language) do update
      set pdf = null, last_seq = null, waiting_for = null, ordered_at = excluded.ordered_at
      where r.last_seq is distinct from (select s.last_seq from story s where s.id = r.request_id)
        and (r.pdf is not null or r.ordered_at < ${before})`.execute(trx)
  return numAffectedRows === 1n
}

/** What one who waits for a protocol calls it. */
export const protocolName = ({ requestId, language }: ProtocolOf): string => `${requestId} ${language}`

/** Those of them that are not sealed yet, asked by everybody who waits in one process at once. */
export async function waitingProtocols(
  db: ServiceDatabase,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const ids = [...new Set(names.map((name) => name.split(" ")[0]))]
  const { rows } = await sql<{ requestId: string; language: Language }>`
    select request_id as "requestId", language from request_protocol
     where request_id = any(${ids}::uuid[]) and pdf is null`.execute(db)
  return new Map(rows.map((of) => [protocolName(of), "waiting"]))
}
