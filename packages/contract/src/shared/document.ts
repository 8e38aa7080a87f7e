import type { Document as Model, SignatureField as SignatureFieldModel } from "@paraph/core/document/model"
import { Type } from "typebox"
import { AccessList, DateTime, Uuid } from "./fields.ts"

/** What is answered about documents: the same in every version (part 2.5; decisions, "documents"). */

/** Part 2.3: the origin is the lower left corner, and "0" is the first page. */
const Position = Type.Object({
  page: Type.String({ pattern: "^[0-9]+$", description: 'Counted from "0".' }),
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
})

const SignatureField = Type.Object({
  name: Type.String(),
  signed: Type.Boolean(),
  positions: Type.Array(Position),
})
type SignatureField = Type.Static<typeof SignatureField>

/** A document that was uploaded with `flatten`, and needed it. */
const Flattened = Type.Object({
  original_sha256: Type.String({ description: "Of the file that was uploaded, in hexadecimal." }),
  changes: Type.Array(Type.String(), { description: "What was changed, a sentence each." }),
})

export const Document = Type.Object({
  id: Uuid,
  title: Type.String(),
  content_type: Type.String(),
  size: Type.Integer({ description: "Bytes." }),
  page_count: Type.Integer(),
  page_width: Type.Integer(),
  page_height: Type.Integer(),
  owner: Type.String(),
  read_access: AccessList,
  write_access: AccessList,
  parent_id: Type.Optional(Uuid),
  signature_fields: Type.Array(SignatureField),
  pdf_a: Type.Optional(Type.String({ description: "What the file claims to be, such as PDF/A-2B." })),
  flattened: Type.Optional(Flattened),
  created_at: DateTime,
  updated_at: DateTime,
})
export type Document = Type.Static<typeof Document>

/** Decisions, "documents": the content as JSON, for who asks for that by Accept. */
export const DocumentContent = Type.Object({
  content_type: Type.String(),
  content_size: Type.Integer({ description: "Bytes, before they are Base64." }),
  content: Type.String({ description: "Base64 of the PDF" }),
})
export type DocumentContent = Type.Static<typeof DocumentContent>

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
  signature_fields: document.signatureFields.map(writeSignatureField),
  ...(document.pdfa !== null && { pdf_a: document.pdfa }),
  ...(document.flattened !== null && {
    flattened: {
      original_sha256: document.flattened.originalSha256,
      changes: [...document.flattened.changes],
    },
  }),
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
})

const writeSignatureField = ({ name, signed, positions }: SignatureFieldModel): SignatureField => ({
  name,
  signed,
  positions: positions.map(({ page, x, y, width, height }) => ({ page: String(page), x, y, width, height })),
})
