import type { CreateDocument } from "@paraph/core/document/create"
import type { Document as Model } from "@paraph/core/document/model"
import { Refusal } from "@paraph/core/refusal"
import { Type } from "typebox"
import { fromBase64 } from "../shared/base64.ts"
import { AccessList, DateTime, Title, Url, Uuid } from "../shared/fields.ts"

/** Part 4.2: `title`, and either `content` (with `content_type`) or `file_url`, not both. */
export const CreateBody = Type.Object({
  title: Title,
  content: Type.Optional(Type.String({ description: "Base64 of the PDF" })),
  content_type: Type.Optional(Type.String({ maxLength: 255 })),
  file_url: Type.Optional(Url),
})
export type CreateBody = Type.Static<typeof CreateBody>

/** Part 2.5. */
export const Document = Type.Object({
  id: Uuid,
  title: Type.String(),
  content_type: Type.String(),
  size: Type.Integer(),
  page_count: Type.Integer(),
  page_width: Type.Integer(),
  page_height: Type.Integer(),
  owner: Type.String(),
  read_access: AccessList,
  write_access: AccessList,
  parent_id: Type.Optional(Uuid),
  created_at: DateTime,
  updated_at: DateTime,
})
export type Document = Type.Static<typeof Document>

export const readCreate = (body: CreateBody): CreateDocument => ({
  title: body.title,
  source: readSource(body),
})

export function readSource(body: Omit<CreateBody, "title">): CreateDocument["source"] {
  const { content, file_url: url } = body
  if (content !== undefined && url === undefined)
    // Choice 5: `content_type` may be left out, since documents are PDF only.
    return {
      type: "content",
      content: fromBase64(content),
      contentType: body.content_type ?? "application/pdf",
    }
  if (url !== undefined && content === undefined) return { type: "file-url", url }
  throw new Refusal("constraint-violated", "Exactly one of content and file_url is needed.")
}

export const writeDocument = (document: Model): Document => ({
  id: document.id,
  title: document.title,
  content_type: document.contentType,
  size: document.sizeBytes,
  page_count: document.pageCount,
  page_width: document.pageWidth,
  page_height: document.pageHeight,
  owner: document.owner,
  read_access: [...document.readAccess],
  write_access: [...document.writeAccess],
  ...(document.parentId !== null && { parent_id: document.parentId }),
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
})
