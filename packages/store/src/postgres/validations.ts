import type { Caller } from "@paraph/core/access/caller"
import { OUT_OF_TIME } from "@paraph/core/evidence/erase"
import type { Kind } from "@paraph/core/signature-request/model"
import {
  type AskedValidation,
  type DifferencePictures,
  type Report,
  type Validation,
  VIEWS,
  type View,
} from "@paraph/core/validation/model"
import type { ReportOf, ValidationsReading, ValidationsTx } from "@paraph/core/validation/ports"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { eraseStories } from "./erasures.ts"
import type { StorySealer } from "./evidence.ts"
import * as reports from "./validation-reports.ts"

/** Whose, and which part of it: the result itself, or a picture. */
export type ResultSealer = {
  readonly sealResult: (
    of: ResultOwner,
    within: ServiceDatabase | Trx,
  ) => Promise<{
    readonly keyVersion: number
    readonly seal: (part: string, plain: Uint8Array) => Buffer
  }>
  readonly openResult: (
    of: ResultOwner,
    part: string,
    kept: { readonly sealed: Buffer; readonly keyVersion: number },
    within: Trx,
  ) => Promise<Buffer>
}
type ResultOwner = { readonly businessId: string; readonly id: string }

export const readingValidations = (
  trx: Trx,
  sealer: ResultSealer,
  businessId: string,
): ValidationsReading => ({
  findValidation: (caller, id, now) => findValidation(trx, sealer, caller, id, now),
  findDifference: (id, n, view) => findDifference(trx, sealer, { businessId, id }, n, view),
  listDifferences: (id) => listDifferences(trx, sealer, { businessId, id }),
  findReport: (of) => reports.findReport(trx, sealer, businessId, of),
  findOrderedReport: (of, now) => findOrderedReport(trx, sealer, businessId, of, now),
})

export const changingValidations = (trx: Trx, sealer: ResultSealer, businessId: string): ValidationsTx => ({
  insertValidation: (validation, pictures) => insertValidation(trx, sealer, validation, pictures),
  removeValidation: async (caller, id, now) => {
    const { numAffectedRows } = await sql`
      delete from validation where id = ${id} and ${isOf(caller, now)}`.execute(trx)
    return numAffectedRows === 1n
  },
  orderReport: (of, at) => reports.orderReport(trx, businessId, of, at),
  keepReport: (of, pdf) => reports.keepReport(trx, sealer, businessId, of, pdf),
  noteReportWaits: (of, lack) => reports.noteReportWaits(trx, businessId, of, lack),
})

/** The kind is said once more: by it a report gets its seal, and nobody who can write to the database is to choose that. */
type Said = { readonly kind: Kind; readonly asked: AskedValidation; readonly report: Report }

async function insertValidation(
  trx: Trx,
  sealer: ResultSealer,
  validation: Validation,
  pictures: readonly DifferencePictures[],
): Promise<void> {
  const { id, businessId, kind, ownerId, asked, report, createdAt, expiresAt } = validation
  const { keyVersion, seal } = await sealer.sealResult(validation, trx)
  const result = seal("result", Buffer.from(JSON.stringify({ kind, asked, report } satisfies Said)))
  await sql`
    insert into validation (id, business_id, kind, owner_id, result, key_version, created_at, expires_at)
    values (${id}, ${businessId}, ${kind}, ${ownerId}, ${result}, ${keyVersion}, ${createdAt}, ${expiresAt})`.execute(
    trx,
  )
  for (const picture of pictures)
    for (const view of VIEWS) {
      const png = picture[view]
      if (png === null) continue
      await sql`
        insert into validation_picture (validation_id, n, view, png)
        values (${id}, ${picture.n}, ${view}, ${seal(nameOf(picture.n, view), png)})`.execute(trx)
    }
}

const nameOf = (n: number, view: View): string => `picture ${n} ${view}`

/** As core says it: of whoever made it, by a key of the same kind, while it lives. */
const isOf = ({ businessId, userId, kind }: Caller, now: Date) =>
  sql`business_id = ${businessId} and owner_id = ${userId} and kind = ${kind} and expires_at > ${now}`

async function findValidation(
  trx: Trx,
  sealer: ResultSealer,
  caller: Caller,
  id: string,
  now: Date,
): Promise<Validation | null> {
  const { rows } = await sql<Row>`
    select id, kind, owner_id, result, key_version, created_at, expires_at from validation
     where id = ${id} and ${isOf(caller, now)}`.execute(trx)
  return opened(trx, sealer, caller.businessId, rows[0])
}

async function findOrderedReport(
  trx: Trx,
  sealer: ResultSealer,
  businessId: string,
  { validationId, language }: ReportOf,
  now: Date,
): Promise<Validation | null> {
  const { rows } = await sql<Row>`
    select v.id, v.kind, v.owner_id, v.result, v.key_version, v.created_at, v.expires_at
      from validation v join validation_report r on r.validation_id = v.id
     where v.id = ${validationId} and v.business_id = ${businessId} and v.expires_at > ${now}
       and r.language = ${language} and r.pdf is null`.execute(trx)
  return opened(trx, sealer, businessId, rows[0])
}

async function opened(
  trx: Trx,
  sealer: ResultSealer,
  businessId: string,
  row: Row | undefined,
): Promise<Validation | null> {
  if (row === undefined) return null
  const { id, kind, owner_id: ownerId, created_at: createdAt, expires_at: expiresAt } = row
  const kept = { sealed: row.result, keyVersion: row.key_version }
  const text = (await sealer.openResult({ businessId, id }, "result", kept, trx)).toString()
  const { kind: saidKind, asked, report } = JSON.parse(text) as Said
  if (saidKind !== kind) throw new Error("The validation is not of the kind that its row says.")
  return { id, businessId, kind, ownerId, asked, report, createdAt, expiresAt }
}

type Row = {
  id: string
  kind: Kind
  owner_id: string
  result: Buffer
  key_version: number
  created_at: Date
  expires_at: Date
}

async function findDifference(
  trx: Trx,
  sealer: ResultSealer,
  of: ResultOwner,
  n: number,
  view: View,
): Promise<Uint8Array | null> {
  const { rows } = await sql<{ png: Buffer; key_version: number }>`
    select p.png, v.key_version from validation_picture p join validation v on v.id = p.validation_id
     where v.id = ${of.id} and v.business_id = ${of.businessId} and p.n = ${n} and p.view = ${view}`.execute(
    trx,
  )
  const [row] = rows
  if (row === undefined) return null
  const kept = { sealed: row.png, keyVersion: row.key_version }
  return sealer.openResult(of, nameOf(n, view), kept, trx)
}

async function listDifferences(
  trx: Trx,
  sealer: ResultSealer,
  of: ResultOwner,
): Promise<readonly DifferencePictures[]> {
  const { rows } = await sql<{ n: number; view: View; png: Buffer; key_version: number }>`
    select p.n, p.view, p.png, v.key_version from validation_picture p join validation v on v.id = p.validation_id
     where v.id = ${of.id} and v.business_id = ${of.businessId} order by p.n`.execute(trx)
  const all = new Map<number, DifferencePictures>()
  for (const { n, view, png, key_version: keyVersion } of rows) {
    const opened = await sealer.openResult(of, nameOf(n, view), { sealed: png, keyVersion }, trx)
    const others = all.get(n) ?? { n, before: null, after: null, difference: null }
    all.set(n, { ...others, [view]: opened })
  }
  return [...all.values()]
}

/** Their pictures and reports go with them, and their stories. */
export const removeOldValidations = (
  db: ServiceDatabase,
  sealer: StorySealer,
  now: Date,
  limit: number,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; businessId: string }>`
      delete from validation where id = any (array
        (select id from validation where expires_at <= ${now}
          order by expires_at limit ${limit} for update skip locked))
      returning id, business_id as "businessId"`.execute(trx)
    await eraseStories(trx, sealer, rows, { about: "validation", at: now, ...OUT_OF_TIME })
    return rows.length
  })
