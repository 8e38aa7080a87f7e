import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type { SignatureRequest as Model } from "@paraph/core/signature-request/model"
import type { CreateRequest, UpdateRequest } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import * as fields from "../shared/fields.ts"
import * as actions from "../shared/request-actions.ts"
import * as list from "../shared/request-list.ts"
import * as terms from "../shared/request-terms.ts"
import { NewSignature, readSignature, Signature, writeSignatures } from "./signature.ts"

const { closed, orNull } = fields
const NewSignatures = Type.Array(NewSignature, { maxItems: LIMITS.signersPerRequest })

export const NewRequestDocument = Type.Object({ id: fields.Uuid }, closed)

/** Part 2.1 and decisions, "v3 create": documents that were uploaded before, and nothing inline. */
export const CreateBody = Type.Object(
  {
    ...terms.createMembers,
    document_id: Type.Optional(fields.Uuid),
    documents: Type.Optional(
      Type.Array(NewRequestDocument, { minItems: 1, maxItems: LIMITS.documentsPerRequest }),
    ),
    signatures: Type.Optional(NewSignatures),
    expires_at: Type.Optional(orNull(fields.Day)),
  },
  closed,
)
export type CreateBody = Type.Static<typeof CreateBody>

/** Decisions, "dry run". */
export const CreateQuery = Type.Object({ dry_run: Type.Optional(Type.Enum(["true", "false"])) }, closed)
export type CreateQuery = Type.Static<typeof CreateQuery>

/** Decisions, "update". */
const changeMembers = {
  ...terms.updateMembers,
  signatures: Type.Optional(NewSignatures),
  expires_at: Type.Optional(orNull(fields.Day)),
}
export const PatchBody = Type.Object(changeMembers, closed)
export type PatchBody = Type.Static<typeof PatchBody>
export const UpdateBody = Type.Object({ id: fields.Uuid, ...changeMembers }, closed)
export type UpdateBody = Type.Static<typeof UpdateBody>

export const WithdrawBody = Type.Object(actions.withdrawMembers, closed)
export type WithdrawBody = Type.Static<typeof WithdrawBody>
export const RemindBody = Type.Object(actions.remindMembers, closed)
export type RemindBody = Type.Static<typeof RemindBody>
export const ListQuery = Type.Object(list.requestListMembers, closed)
export type ListQuery = Type.Static<typeof ListQuery>

/** Decisions, "v3 draft documents". */
export const AddDocumentBody = Type.Object({ document_id: fields.Uuid }, closed)
export type AddDocumentBody = Type.Static<typeof AddDocumentBody>
export const DocumentParams = Type.Object({ id: fields.Uuid, document_id: fields.Uuid })
export type DocumentParams = Type.Static<typeof DocumentParams>

/** Decisions, "several documents": `id` is the uploaded one and stays, `version_id` is the newest. */
export const RequestDocument = Type.Object({ id: fields.Uuid, name: Type.String(), version_id: fields.Uuid })

export const Attachment = terms.AttachmentEntry
export const SignatureRequest = Type.Object({
  ...terms.answerMembers,
  documents: Type.Array(RequestDocument),
  signatures: Type.Array(Signature),
  attachments: Type.Array(Attachment),
  expires_at: orNull(fields.Day),
  auto_delete_at: orNull(fields.Day),
})
export type SignatureRequest = Type.Static<typeof SignatureRequest>

export const readCreate = (body: CreateBody): CreateRequest => ({
  ...terms.readCreateTerms(body),
  document: { type: "documents", ids: readDocuments(body) },
  entries: (body.signatures ?? []).map(readSignature),
  ccEmailAddresses: [],
  expiresOn: body.expires_at ?? null,
  // Part 3.1: v3 begins as DRAFT, and its invitations go to all signers at once.
  startAs: "draft",
  inviting: "all-at-once",
})

function readDocuments({ document_id: id, documents }: CreateBody): readonly string[] {
  if ((id === undefined) === (documents === undefined))
    throw new Refusal("constraint-violated", "Exactly one of document_id and documents is needed.")
  const ids = (documents?.map((document) => document.id) ?? [id ?? ""]).map((one) => one.toLowerCase())
  if (new Set(ids).size < ids.length)
    throw new Refusal("constraint-violated", "A document stands in documents once.")
  return ids
}

export const readPatch = (id: string, body: PatchBody): UpdateRequest => ({
  id,
  changes: {
    ...terms.readUpdateTerms(body),
    ...(body.expires_at !== undefined && { expiresOn: body.expires_at }),
  },
  ...(body.signatures !== undefined && { entries: body.signatures.map(readSignature) }),
})

export const readUpdate = ({ id, ...rest }: UpdateBody): UpdateRequest => readPatch(id, rest)

export const readWithdraw = actions.readWithdraw
export const readRemind = actions.readRemind
export const readList = list.readRequestList
export const writeLinks = list.writeRequestLinks

export const writeSignatureRequest = (request: Model, addresses: fields.Addresses): SignatureRequest => ({
  ...terms.writeTerms(request, addresses),
  documents: request.documents.map(({ id, name, newestId }) => ({ id, name, version_id: newestId })),
  signatures: writeSignatures(request, addresses),
  attachments: terms.writeAttachments(request),
  expires_at: request.expiresAt?.date ?? null,
  auto_delete_at: request.autoDeleteAt?.date ?? null,
})
