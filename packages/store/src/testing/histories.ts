import { isDeepStrictEqual } from "node:util"
import type { Evidence } from "@paraph/core/evidence/model"
import { evidenceOf } from "@paraph/core/evidence/of-event"
import { type Job, jobOf, type QueuedJob } from "@paraph/core/jobs"
import type { Read } from "@paraph/core/ports"
import { removal } from "@paraph/core/signature-request/ending"
import type { Effect, Event } from "@paraph/core/signature-request/event"
import { transition } from "@paraph/core/signature-request/machine"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { sql } from "kysely"
import { SCHEMA } from "../jobs/queues.ts"
import type { OwnDatabase, Tenant } from "./own-database.ts"

/** For tests: what is stored of requests, and whether the machine would have led there. */
export type Told = {
  readonly name: string
  /** As it was when its history began. */
  readonly request: SignatureRequest
  /** What an opponent answered: new signers are known from it. */
  readonly answer: SignatureRequest | null
}

type Row = Pick<Evidence, "type" | "at"> & {
  readonly signatureId: string | null
  readonly data: Readonly<Record<string, string>>
}
type Owed = { readonly type: string; readonly url: string }

export type Stored = {
  readonly requests: ReadonlyMap<string, SignatureRequest>
  readonly evidence: ReadonlyMap<string, readonly Row[]>
  readonly jobs: ReadonlyMap<string, readonly QueuedJob[]>
  readonly callbacks: ReadonlyMap<string, readonly Owed[]>
}

export async function storedOf(
  { db }: OwnDatabase,
  read: Read,
  { businessId }: Tenant,
  all: readonly Told[],
): Promise<Stored> {
  const ids = all.map(({ request }) => request.id)
  const requests = await read(businessId, (reading) => reading.findRequests(ids))
  const evidence = await sql<Row & { id: string }>`
    select request_id as id, type, at, signature_id as "signatureId",
           convert_from(substr(sealed, 33), 'UTF8')::jsonb->'data' as data from evidence
     where request_id = any (${ids}) order by seq`.execute(db)
  const jobs = await sql<{ id: string; job: QueuedJob }>`
    select data->>'requestId' as id, data as job from ${sql.table(`${SCHEMA}.job`)}
     where data->>'requestId' = any (${ids})`.execute(db)
  const callbacks = await sql<Owed & { id: string }>`
    select subject_id as id, type, url from delivery where subject_id = any (${ids}) order by place`.execute(
    db,
  )
  return {
    requests: new Map(requests.map((request) => [request.id, request])),
    evidence: Map.groupBy(evidence.rows, ({ id }) => id),
    jobs: new Map(
      [...Map.groupBy(jobs.rows, ({ id }) => id)].map(([id, rows]) => [id, rows.map(({ job }) => job)]),
    ),
    callbacks: Map.groupBy(callbacks.rows, ({ id }) => id),
  }
}

/** Replays the evidence through the machine: every step must be legal, and lead to what is stored and owed. */
export function historyFault(told: Told, stored: Stored): string | null {
  const { id } = told.request
  const rows = stored.evidence.get(id) ?? []
  const fault = (what: string) => `${told.name} ${id}: ${what} after ${rows.map((r) => r.type).join(", ")}`
  let request: SignatureRequest | null = told.request
  const effects: [SignatureRequest, Effect][] = []
  const evidence: Evidence[] = []
  for (const row of rows) {
    if (row.type === "request.deleted") {
      if (request === null) return fault("deleted twice")
      for (const effect of removal(request)) effects.push([request, effect])
      evidence.push({ type: row.type, at: row.at })
      request = null
      continue
    }
    const event = eventOf(row, told)
    if (event === null) continue
    if (request === null) return fault("something happened to a deleted request")
    try {
      const before: SignatureRequest = request
      const step = transition(before, event)
      request = step.request
      for (const effect of step.effects) effects.push([step.request, effect])
      evidence.push(...evidenceOf(event, before, step.request))
    } catch (error) {
      return fault(`the machine refuses ${row.type}: ${String(error)}`)
    }
  }
  if (!isDeepStrictEqual(evidence.map(plainly), rows.map(withoutActor).map(plainly)))
    return fault("other evidence")
  if (!isDeepStrictEqual(stored.requests.get(id) ?? null, request)) return fault("another request is stored")
  const owed = effects.flatMap(([of, effect]) => jobOf(of, effect) ?? [])
  return owedFault(owed, stored, id, fault)
}

/** Who did it, and in which log it is, is beside what was done; the machine does not know. */
function withoutActor(row: Row): Row {
  const { by: _, key: __, log: ___, ...data } = row.data
  return { ...row, data }
}

/** What is told of several things, once: endings and completed signatures follow from what made them so. */
function eventOf(row: Row, { request, answer }: Told): Event | null {
  const { type, at, data } = row
  const signatureId = row.signatureId ?? data.signature ?? ""
  const fresh = (answer?.signatures ?? []).filter((s) => !request.signatures.some(({ id }) => id === s.id))
  const uninvited = fresh.map((s) => ({ ...s, invitedAt: null }))
  switch (type) {
    case "signature.consented": {
      const { name = "", consentVersion: version = "", consentSha256: sha256 = "", shown = "" } = data
      const seen = { shown: shown.split(" "), look: { type: "plain" }, places: [] } as const
      const consent = { name, version, language: "en", sha256, ...seen, at } as const
      return { type: "consent", signatureId, consent, at }
    }
    case "mark.made": {
      const { documentId = "", onto = "", versionId = "", sha256, certificateSha256: of } = data
      const { subject, issuer, serialNumber } = data
      const named = { ...(sha256 !== undefined && { sha256 }) }
      const certificate =
        of === undefined ? {} : { certificate: { sha256: of, subject, issuer, serialNumber } }
      return { type: "mark", signatureId, documentId, onto, versionId, ...named, ...certificate, at } as Event
    }
    case "signature.declined":
      return { type: "decline", signatureId, reason: data.reason ?? null, at }
    case "signature.removed":
      return { type: "remove-signer", signatureId, at }
    case "signature.added": {
      const signature = uninvited.find(({ id }) => id === signatureId)
      if (signature === undefined) throw new Error("Nobody added this signer.")
      return { type: "add-signer", signature, at }
    }
    case "request.updated":
      return { type: "update", changes: {}, at }
    case "request.signers-changed":
      return { type: "replace-signers", signatures: uninvited, groups: [], members: [], at }
    case "request.withdrawn":
      return { type: "withdraw", message: data.message ?? null, at }
    case "request.ended":
      return data.status === "EXPIRED" ? { type: "expire", at } : null
    default:
      return null
  }
}

const plainly = ({ type, at, signatureId, data }: Evidence | Row) => ({
  type,
  at: at.getTime(),
  signatureId: signatureId ?? null,
  data: data ?? {},
})

function owedFault(owed: readonly Job[], stored: Stored, id: string, fault: (what: string) => string) {
  const queued = owed.filter((job) => job.task !== "deliver-callback").map(asText)
  const inQueue = (stored.jobs.get(id) ?? []).map(asText)
  if (!isDeepStrictEqual(queued.sort(), inQueue.sort()))
    return fault(`${inQueue.length} jobs, not ${queued.length}`)
  const calls = owed.flatMap((job) => (job.task === "deliver-callback" ? [`${job.type} ${job.url}`] : []))
  const called = (stored.callbacks.get(id) ?? []).map(({ type, url }) => `${type} ${url}`)
  return isDeepStrictEqual(calls, called)
    ? null
    : fault(`callbacks ${called.join(", ")}, not ${calls.join(", ")}`)
}

/** The members in the order of their names, as the database does not keep it. */
const asText = (job: Job): string => {
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner)]),
        )
      : value
  return JSON.stringify(sorted(JSON.parse(JSON.stringify(job))))
}

const OF_REQUEST = [
  "signature",
  "request_document",
  "request_reader",
  "request_group",
  "observer",
  "attachment",
]

/** Rows that nothing needs: of deleted requests, and versions of documents that no mark made. */
export async function leftOf(
  { db }: OwnDatabase,
  all: readonly Told[],
  stored: Stored,
): Promise<readonly string[]> {
  const gone = all.flatMap(({ request }) => (stored.requests.has(request.id) ? [] : [request]))
  const ids = gone.map(({ id }) => id)
  const signatureIds = gone.flatMap(({ signatures }) => signatures.map(({ id }) => id))
  const documentIds = gone.flatMap(({ documents }) => documents.map(({ id }) => id))
  const left = [
    ...OF_REQUEST.map(
      (table) => sql`select ${table} as what from ${sql.table(table)} where request_id = any (${ids})`,
    ),
    ...["mark", "signing_link", "signer_session", "signing_intent"].map(
      (table) =>
        sql`select ${table} as what from ${sql.table(table)} where signature_id = any (${signatureIds})`,
    ),
    sql`select 'signature_request' as what from signature_request where id = any (${ids})`,
    sql`select 'document that stays' as what from document
         where (id = any (${documentIds}) or parent_id = any (${documentIds})) and removing_since is null`,
    sql`select 'version that no mark made' as what from document d
         where parent_id is not null and removing_since is null
           and not exists (select from mark where version_id = d.id)`,
  ]
  const { rows } = await sql<{ what: string }>`${sql.join(left, sql` union all `)}`.execute(db)
  return rows.map(({ what }) => what)
}
