import type { Kind } from "@paraph/core/signature-request/model"
import type { Template, TemplateRequest } from "@paraph/core/template/model"
import { type Selectable, sql } from "kysely"
import type { Trx } from "./database.ts"
import type { Tables } from "./tables.ts"

export const changingTemplates = (trx: Trx, businessId: string) => ({
  lockTemplate: (id: string) => findTemplate(trx, businessId, id, true),
  countTemplates: () => countTemplates(trx, businessId),
  insertTemplate: (template: Template) => insertTemplate(trx, template),
  saveTemplate: (template: Template) => saveTemplate(trx, template),
  removeTemplate: (id: string) => removeTemplate(trx, id),
  isInTemplate: (documentId: string, kind: Kind) => isInTemplate(trx, businessId, kind, documentId),
})

export const readingTemplates = (trx: Trx, businessId: string) => ({
  findTemplate: (id: string) => findTemplate(trx, businessId, id, false),
  listTemplates: (kind: Kind) => listTemplates(trx, businessId, kind),
  isInTemplate: (documentId: string, kind: Kind) => isInTemplate(trx, businessId, kind, documentId),
})

async function insertTemplate(trx: Trx, template: Template): Promise<void> {
  await trx
    .insertInto("template")
    .values({
      id: template.id,
      business_id: template.businessId,
      kind: template.kind,
      owner_id: template.ownerId,
      name: template.name,
      request: JSON.stringify(template.request),
      created_at: template.createdAt,
      updated_at: template.updatedAt,
    })
    .execute()
  await insertDocuments(trx, template)
}

async function saveTemplate(trx: Trx, template: Template): Promise<void> {
  const { id, name, request, updatedAt } = template
  await trx
    .updateTable("template")
    .set({ name, request: JSON.stringify(request), updated_at: updatedAt })
    .where("id", "=", id)
    .execute()
  await trx.deleteFrom("template_document").where("template_id", "=", id).execute()
  await insertDocuments(trx, template)
}

async function insertDocuments(trx: Trx, { id, documentIds }: Template): Promise<void> {
  if (documentIds.length === 0) return
  const rows = documentIds.map((document_id, position) => ({ template_id: id, position, document_id }))
  await trx.insertInto("template_document").values(rows).execute()
}

/** Its documents are let go of with it. */
async function removeTemplate(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("template").where("id", "=", id).execute()
}

/** With `lock`, who changes it waits for who changes or uses it. */
async function findTemplate(
  trx: Trx,
  businessId: string,
  id: string,
  lock: boolean,
): Promise<Template | null> {
  const row = await templateRows(trx, businessId)
    .where("template.id", "=", id)
    .$if(lock, (query) => query.forUpdate("template"))
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row, await documentsOf(trx, [id]))
}

async function listTemplates(trx: Trx, businessId: string, kind: Kind): Promise<readonly Template[]> {
  const rows = await templateRows(trx, businessId)
    .where("template.kind", "=", kind)
    .orderBy(sql`lower(template.name)`)
    .orderBy("template.created_at")
    .execute()
  const documents = await documentsOf(
    trx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => fromRow(row, documents))
}

const templateRows = (trx: Trx, businessId: string) =>
  trx
    .selectFrom("template")
    .innerJoin("api_user", "api_user.id", "template.owner_id")
    .selectAll("template")
    .select("api_user.username as owner")
    .where("template.business_id", "=", businessId)

type Row = Selectable<Tables["template"]> & { readonly owner: string }
type Documents = ReadonlyMap<string, readonly { readonly document_id: string }[]>

const fromRow = (row: Row, documents: Documents): Template => ({
  id: row.id,
  businessId: row.business_id,
  kind: row.kind,
  ownerId: row.owner_id,
  owner: row.owner,
  name: row.name,
  request: row.request as TemplateRequest,
  documentIds: (documents.get(row.id) ?? []).map(({ document_id }) => document_id),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

async function documentsOf(trx: Trx, ids: readonly string[]): Promise<Documents> {
  if (ids.length === 0) return new Map()
  const rows = await trx
    .selectFrom("template_document")
    .selectAll()
    .where("template_id", "in", ids)
    .orderBy("position")
    .execute()
  return Map.groupBy(rows, ({ template_id }) => template_id)
}

/** Of the whole business; two that are made at once are counted one after the other. */
async function countTemplates(trx: Trx, businessId: string): Promise<number> {
  await trx.selectFrom("business").select("id").where("id", "=", businessId).forNoKeyUpdate().execute()
  const { count } = await trx
    .selectFrom("template")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("business_id", "=", businessId)
    .executeTakeFirstOrThrow()
  return count
}

/** Of that business and kind: then whoever may use the template may see what it is about. */
async function isInTemplate(trx: Trx, businessId: string, kind: Kind, documentId: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select exists (
      select from template_document d join template t on t.id = d.template_id
       where d.document_id = ${documentId} and t.business_id = ${businessId} and t.kind = ${kind}) as there`.execute(
    trx,
  )
  return rows[0]?.there ?? false
}
